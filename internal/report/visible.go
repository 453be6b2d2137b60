package report

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/internal/text"
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

// readable returns a detail that is short enough for people, and visible.
func readable(s string) string {
	if len(s) <= maxDetail {
		return text.Escape(s)
	}
	end := maxDetail
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return fmt.Sprintf("%s... (%d bytes in all: use --format json to see them)", text.Escape(s[:end]), len(s))
}
