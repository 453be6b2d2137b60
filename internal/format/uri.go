package format

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// URI accepts a URI of RFC 3986 with a scheme. Characters outside ASCII must be percent-encoded. Unlike the RFC, it
// lets brackets stand anywhere.
func URI(s string) bool {
	u, ok := parseURI(s)
	return ok && u.IsAbs()
}

// URIReference accepts what [URI] does, and references relative to a URI, such as ../a?b=c.
func URIReference(s string) bool {
	_, ok := parseURI(s)
	return ok
}

// IRI accepts what [URI] does, with characters outside ASCII.
func IRI(s string) bool { return utf8.ValidString(s) && URI(ascii(s)) }

// IRIReference accepts what [URIReference] does, with characters outside ASCII.
func IRIReference(s string) bool { return utf8.ValidString(s) && URIReference(ascii(s)) }

// ascii replaces characters outside ASCII by letters.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII && unicode.IsPrint(r) {
			return 'x'
		}
		return r
	}, s)
}

func parseURI(s string) (*url.URL, bool) {
	if !isURIText(s) {
		return nil, false
	}
	u, err := url.Parse(s)
	return u, err == nil && isHost(u)
}

// isHost checks an address in brackets, which url.Parse does not.
func isHost(u *url.URL) bool {
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
