package docs

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineEnds makes every line end that anything might see as one into the same.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// clean makes the invisible visible: control and format characters, among them those that turn the direction of what
// follows. Line ends stay; joiners stay where scripts and emoji need them.
func clean(s string) string {
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

// line is a text on one line.
func line(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// name is a name as it is, spaces included, on one line. An empty one is shown as such.
func name(s string) string {
	s = strings.ReplaceAll(clean(s), "\n", "<U+000A>")
	if strings.Trim(s, " ") == "" || s[0] == ' ' || s[len(s)-1] == ' ' {
		return `"` + s + `"`
	}
	return s
}

// paragraphs are the parts of a text between empty lines, each on one line.
func paragraphs(s string) []string {
	var out []string
	var current []string
	end := func() {
		if len(current) > 0 {
			out = append(out, strings.Join(current, " "))
			current = nil
		}
	}
	for l := range strings.SplitSeq(clean(s), "\n") {
		if l = line(l); l == "" {
			end()
		} else {
			current = append(current, l)
		}
	}
	end()
	return out
}

// width is about how many columns a text takes: wide characters count twice, marks do not count.
func width(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) || r >= 0x1f300:
			n += 2
		default:
			n++
		}
	}
	return n
}

// shorten cuts a text to a width, with an ellipsis in its middle: the ends of names tell them apart.
func shorten(s string, most int) string {
	if width(s) <= most {
		return s
	}
	var head, tail string
	runes := []rune(s)
	for i, j := 0, len(runes)-1; i <= j; {
		if width(head) <= width(tail) {
			head += string(runes[i])
			i++
		} else {
			tail = string(runes[j]) + tail
			j--
		}
		if width(head)+width(tail) >= most-1 {
			break
		}
	}
	return head + "…" + tail
}

// count says how many there are of something.
func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
