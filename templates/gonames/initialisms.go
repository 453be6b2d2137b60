package gonames

import "strings"

// initialisms maps words that keep their case in Go names from lower case. The list is closed: a new entry would rename
// what users have. A property that needs another spelling sets x-go-name.
var initialisms = func() map[string]string {
	m := map[string]string{"ipv4": "IPv4", "ipv6": "IPv6", "oauth": "OAuth", "oauth2": "OAuth2"}
	const list = `ACL API ASCII CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON LHS QPS RAM RHS RPC SKU SLA SMTP SQL SSH
		TCP TLS TTL UDP UI UID URI URL URN UTF8 UUID VM XML XMPP XSRF XSS YAML`
	for _, word := range strings.Fields(list) {
		m[strings.ToLower(word)] = word
	}
	return m
}()
