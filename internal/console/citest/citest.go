// Package citest reads a log as CI systems do, for tests of what bqgen prints.
package citest

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	// A runner of Azure Pipelines, and that of GitHub for old commands, looks for them anywhere in a line.
	bracket = regexp.MustCompile(`(?i)##[a-z]*\[`)
	// The runner of GitHub trims a line, and wants a second pair of colons.
	colons = regexp.MustCompile(`^::[^:]*.*::`)
	lines  = regexp.MustCompile("\r\n|[\n\r\v\f\u0085\u2028\u2029]")
)

// Commands returns the lines of a log that GitHub, Azure or TeamCity would take for commands, and those with characters
// that control a terminal or change what a reader sees.
func Commands(log string) []string {
	var found []string
	for _, line := range lines.Split(log, -1) {
		seen := strings.Map(dropIgnorable, line)
		switch {
		case bracket.MatchString(seen),
			colons.MatchString(strings.TrimLeftFunc(seen, unicode.IsSpace)),
			strings.ContainsFunc(line, controls):
			found = append(found, line)
		}
	}
	return found
}

// dropIgnorable removes what a comparison by culture, as in .NET, may ignore.
func dropIgnorable(r rune) rune {
	if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
		r != '\t' {
		return -1
	}
	return r
}

func controls(r rune) bool {
	return r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs)
}
