package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Escape escapes the characters that end a line, control a terminal, change the direction of text or cannot be seen, as
// JSON does. What it returns is on one line.
func Escape(s string) string { return escape(s, "") }

// EscapeLines is [Escape] for text in lines: it keeps line feeds and tabs.
func EscapeLines(s string) string { return escape(s, "\n\t") }

func escape(s, keep string) string {
	var b strings.Builder
	var last rune
	for _, r := range s {
		visible := strconv.IsPrint(r) && !isIgnorable(r, last)
		last = r
		if visible || strings.ContainsRune(keep, r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// isIgnorable reports whether programs that compare text may ignore a character that counts as printable. Variation
// selectors stay where scripts and emoji need them.
func isIgnorable(r, last rune) bool {
	if unicode.Is(unicode.Variation_Selector, r) {
		return last <= unicode.MaxASCII
	}
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}
