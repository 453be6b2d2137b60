package format

import (
	"net/netip"
	"net/url"
	"strings"
)

// URI takes a URI of RFC 3986 with a scheme. Characters outside of ASCII have to be percent-encoded.
func URI(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			return false
		}
	}
	u, err := url.Parse(s)
	if err != nil || !u.IsAbs() {
		return false
	}
	if fragment := u.EscapedFragment(); strings.Contains(fragment, "#") {
		return false
	}
	host := u.Hostname()
	if !strings.Contains(host, ":") {
		return true
	}
	return strings.Contains(u.Host, "[") && IPv6(host)
}

func IPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

func IPv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4()
}

// Hostname takes a name of RFC 1123: labels of up to 63 letters, digits and inner hyphens, 253 characters in all, with
// a point at the end or not.
func Hostname(s string) bool {
	s = strings.TrimSuffix(s, ".")
	if len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if c := label[i]; c != '-' && !isAlphanumeric(c) {
				return false
			}
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// Email takes a mailbox of RFC 5321: dot-separated atoms or a quoted text without escapes, an @, and a host name
// or an address in brackets; 254 characters in all, 64 of them before the @.
func Email(s string) bool {
	at := strings.LastIndexByte(s, '@')
	return at > 0 && at <= 64 && len(s) <= 254 && isLocalPart(s[:at]) && isMailHost(s[at+1:])
}

func isLocalPart(local string) bool {
	if len(local) > 1 && local[0] == '"' && local[len(local)-1] == '"' {
		for _, c := range []byte(local[1 : len(local)-1]) {
			if c < ' ' || c > '~' || c == '"' || c == '\\' {
				return false
			}
		}
		return true
	}
	for atom := range strings.SplitSeq(local, ".") {
		if atom == "" {
			return false
		}
		for i := range len(atom) {
			if c := atom[i]; !isAlphanumeric(c) && strings.IndexByte("!#$%&'*+-/=?^_`{|}~", c) < 0 {
				return false
			}
		}
	}
	return true
}

func isMailHost(host string) bool {
	literal, ok := strings.CutPrefix(host, "[")
	if !ok {
		return Hostname(host)
	}
	literal, ok = strings.CutSuffix(literal, "]")
	if v6, is := strings.CutPrefix(literal, "IPv6:"); ok && is {
		return IPv6(v6)
	}
	return ok && IPv4(literal)
}
