package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

func isPrint(r rune) bool { return strconv.IsPrint(r) }

// printable quotes text of unknown origin, such as a file's name, unless all of it is visible: it stays on one line and
// cannot steer a terminal.
func printable(s string) string {
	if !slices.ContainsFunc([]rune(s), func(r rune) bool { return !isPrint(r) }) {
		return s
	}
	return strconv.Quote(s)
}

// maxDetail is the length up to which people see a detail, in bytes. A document may be as long as a schema allows.
const maxDetail = 2000

// readable makes a detail fit for people: short enough, on one line, and without characters that steer a terminal or
// change the direction of text. Those are escaped as in JSON.
func readable(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i >= maxDetail {
			fmt.Fprintf(&b, "... (%d bytes in all: use --format json to see them)", len(s))
			break
		}
		if isPrint(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
