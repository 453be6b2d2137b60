package format

import (
	"net/url"
	"strings"
)

// URI accepts a URI of RFC 3986 with a scheme. Characters outside ASCII must be percent-encoded. Unlike the RFC, it
// lets brackets stand anywhere.
func URI(s string) bool {
	if !isURIText(s) {
		return false
	}
	u, err := url.Parse(s)
	if err != nil || !u.IsAbs() {
		return false
	}
	host := u.Hostname()
	if !strings.Contains(host, ":") {
		return true
	}
	return strings.Contains(u.Host, "[") && IPv6(host)
}

// isURIText checks what url.Parse is lenient about: the characters, percent signs and the one # there may be.
func isURIText(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0:
			return false
		case c == '%' && !(i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])):
			return false
		}
	}
	return strings.Count(s, "#") <= 1
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }
