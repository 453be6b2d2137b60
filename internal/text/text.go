// Package text prepares text from a catalog or a message for messages that people read.
package text

import (
	"strconv"
	"strings"
)

// Shorten returns s, or its first limit characters and an ellipsis if it is longer.
func Shorten(s string, limit int) string { return shorten(s, limit, "…") }

// shorten returns s, or its first limit characters and a mark if it is longer.
func shorten(s string, limit int, mark string) string {
	count := 0
	for i := range s {
		if count == limit {
			return s[:i] + mark
		}
		count++
	}
	return s
}

// QuoteShort returns s, or its first limit characters, as a quoted Go string. An ellipsis after the closing quote shows
// that something was left out.
func QuoteShort(s string, limit int) string {
	short := Shorten(s, limit)
	if short == s {
		return strconv.Quote(s)
	}
	return strconv.Quote(strings.TrimSuffix(short, "…")) + "…"
}

// Count returns a number and its noun, in the plural unless the number is 1: 1 item, 2 items.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
