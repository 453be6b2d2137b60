package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

var lineEnds = strings.NewReplacer(
	"\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// Visible returns s with control and format characters written as <U+XXXX>, including those that change the direction
// of the text that follows. Everything that a reader might take for a line end becomes \n, and a tab becomes a space.
// Joiners stay where scripts and emoji need them.
func Visible(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range lineEnds.Replace(s) {
		switch {
		case r == '\n' || ' ' <= r && r <= '~':
			b.WriteRune(r)
		case r == '\t':
			b.WriteByte(' ')
		case (r == '\u200c' || r == '\u200d') && last > unicode.MaxASCII:
			b.WriteRune(r)
		case r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// OneLine returns s on one line, as [Visible] shows it, with each run of white space replaced by one space.
func OneLine(s string) string { return strings.Join(strings.Fields(Visible(s)), " ") }
