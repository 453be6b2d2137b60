package format

import "strings"

// Email accepts a mailbox of RFC 5321: atoms separated by dots, or a quoted string, an @, and a host name or an IP
// address in brackets; 254 characters in all, 64 of them before the @. Unlike the RFC, it rejects escapes in a quoted
// string and lets the host name end in a dot.
func Email(s string) bool {
	at := strings.LastIndexByte(s, '@')
	return at > 0 && at <= 64 && len(s) <= 254 && isLocalPart(s[:at]) && isMailHost(s[at+1:])
}

func isLocalPart(local string) bool {
	if len(local) > 1 && local[0] == '"' && local[len(local)-1] == '"' {
		return isQuotedText(local[1 : len(local)-1])
	}
	for atom := range strings.SplitSeq(local, ".") {
		if !isAtom(atom) {
			return false
		}
	}
	return true
}

func isQuotedText(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func isAtom(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlphanumeric(c) && strings.IndexByte("!#$%&'*+-/=?^_`{|}~", c) < 0 {
			return false
		}
	}
	return s != ""
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
