package text

import (
	"fmt"
	"strconv"
	"strings"
)

// maxShown is the number of characters of a catalog's text that a finding repeats.
const maxShown = 80

// Short returns s, or its first 80 characters and three dots if it is longer.
func Short(s string) string { return shorten(s, maxShown, "...") }

// Quote returns any text in a form for messages: short, quoted, on one line and without characters that control a
// terminal.
func Quote(s string) string { return strconv.Quote(Short(s)) }

// maxReference is the number of characters of a reference that a finding repeats: the end of one says the most.
const maxReference = 300

// QuoteReference is Quote for references, and for hints that repeat one: it keeps more of them.
func QuoteReference(s string) string { return strconv.Quote(ShortReference(s)) }

// ShortReference is Short for text that repeats a reference.
func ShortReference(s string) string { return shorten(s, maxReference, "...") }

// QuoteAll quotes every text.
func QuoteAll(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = Quote(s)
	}
	return quoted
}

// maxList is about the number of bytes that a list in a finding has.
const maxList = 1000

// List joins words with commas. Of a long list it shows the start, and counts the rest.
func List(words []string) string {
	size := 0
	for i, w := range words {
		if size += len(w) + len(", "); size > maxList && i > 0 {
			return fmt.Sprintf("%s and %d more", strings.Join(words[:i], ", "), len(words)-i)
		}
	}
	return strings.Join(words, ", ")
}
