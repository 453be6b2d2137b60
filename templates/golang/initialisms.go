package golang

import "strings"

// initialisms has the words that keep their case in Go names, by their lower case. The list is closed: a new entry
// renames what users have. Names of properties that need another spelling will be set in the catalog.
var initialisms = func() map[string]string {
	m := map[string]string{"ipv4": "IPv4", "ipv6": "IPv6", "oauth": "OAuth", "oauth2": "OAuth2"}
	const list = `ACL API ASCII CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON LHS QPS RAM RHS RPC SKU SLA SMTP SQL SSH
		TCP TLS TTL UDP UI UID URI URL URN UTF8 UUID VM XML XMPP XSRF XSS YAML`
	for _, word := range strings.Fields(list) {
		m[strings.ToLower(word)] = word
	}
	return m
}()
