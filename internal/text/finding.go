package text

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxShown is the number of characters of a catalog's text that a finding repeats.
const maxShown = 80

// Short returns s, cut off after 80 characters with three dots in place of the rest.
func Short(s string) string {
	if utf8.RuneCountInString(s) <= maxShown {
		return s
	}
	n := 0
	for i := range s {
		if n == maxShown {
			return s[:i] + "..."
		}
		n++
	}
	return s
}

// Quote makes any text fit for a message: short, quoted, on one line and without characters that control a terminal.
func Quote(s string) string { return strconv.Quote(Short(s)) }

// QuoteAll quotes every text.
func QuoteAll(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = Quote(s)
	}
	return quoted
}

// List joins words with commas.
func List(words []string) string { return strings.Join(words, ", ") }
