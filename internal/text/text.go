// Package text prepares text of a catalog or a message to stand in a message for people.
package text

import (
	"strconv"
	"strings"
)

// Shorten returns s, or its first limit characters and an ellipsis when it is longer.
func Shorten(s string, limit int) string {
	count := 0
	for i := range s {
		if count == limit {
			return s[:i] + "…"
		}
		count++
	}
	return s
}

// QuoteShort quotes s as a Go string of at most limit characters. An ellipsis behind the closing quote shows that
// something was left out.
func QuoteShort(s string, limit int) string {
	short := Shorten(s, limit)
	if len(short) == len(s) {
		return strconv.Quote(s)
	}
	return strconv.Quote(strings.TrimSuffix(short, "…")) + "…"
}

// Count returns a number with its noun: 1 item, 2 items.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
