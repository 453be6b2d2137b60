package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Escape escapes the characters that end a line, control a terminal or change the direction of text, as JSON does. What
// it returns is on one line.
func Escape(s string) string { return escape(s, "") }

// EscapeLines is [Escape] for text in lines: it keeps line feeds and tabs.
func EscapeLines(s string) string { return escape(s, "\n\t") }

func escape(s, keep string) string {
	var b strings.Builder
	for _, r := range s {
		if strconv.IsPrint(r) || strings.ContainsRune(keep, r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
