package gonames

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// distinct makes names differ where they may be changed. The first of several that are equal keeps the name, later ones
// get a number that makes a name nobody else prefers. A reserved name first gets the ending.
func distinct(preferred []string, reserved map[string]bool, ending string) []string {
	taken := make(map[string]bool, len(preferred))
	allowed := make([]string, len(preferred))
	for i, name := range preferred {
		for reserved[name] {
			name += ending
		}
		allowed[i] = name
		taken[name] = true
	}
	names := make([]string, len(allowed))
	given := make(map[string]bool, len(allowed))
	next := map[string]int{}
	for i, name := range allowed {
		free := name
		if given[name] {
			n := max(2, next[name])
			for free = numbered(name, n); taken[free] || reserved[free]; free = numbered(name, n) {
				n++
			}
			next[name] = n + 1
			taken[free] = true
		}
		given[name] = true
		names[i] = free
	}
	return names
}

// numbered is name with a number that does not run into the digits it may end in.
func numbered(name string, n int) string {
	if last, _ := utf8.DecodeLastRuneInString(name); unicode.IsDigit(last) {
		return fmt.Sprintf("%s_%d", name, n)
	}
	return fmt.Sprintf("%s%d", name, n)
}
