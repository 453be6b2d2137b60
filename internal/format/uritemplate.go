package format

import (
	"regexp"
	"strings"
)

// URITemplate accepts a template of RFC 6570: text with expressions in braces, such as /orders{/id}{?from,to*}.
func URITemplate(s string) bool {
	for s != "" {
		literal, rest, hasBrace := strings.Cut(s, "{")
		if strings.ContainsAny(literal, " \"'<>\\^`|}") || strings.ContainsFunc(literal, isControl) {
			return false
		}
		if !hasBrace {
			return true
		}
		expression, after, closed := strings.Cut(rest, "}")
		if !closed || !templateExpression.MatchString(expression) {
			return false
		}
		s = after
	}
	return true
}

var templateExpression = regexp.MustCompile(
	`^[+#./;?&=,!@|]?[A-Za-z0-9_.%]+(:[1-9][0-9]{0,3}|\*)?(,[A-Za-z0-9_.%]+(:[1-9][0-9]{0,3}|\*)?)*$`)

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
