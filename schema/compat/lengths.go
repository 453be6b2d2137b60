package compat

import (
	"regexp/syntax"

	"github.com/babelqueue/bqgen/schema"
)

// formatLengths are the least and the greatest length of texts of a format, in characters.
var formatLengths = map[schema.Format][2]int{
	schema.UUID: {36, 36}, schema.Date: {10, 10}, schema.DateTime: {20, open}, schema.TimeOfDay: {9, open},
	schema.IPv4: {7, 15}, schema.IPv6: {2, 45}, schema.Hostname: {1, 254}, schema.Duration: {3, open},
	schema.Decimal: {1, open}, schema.URI: {2, open}, schema.Email: {3, open},
}

// lengthRange returns the least and the greatest length that all keywords of a string leave together.
func lengthRange(s *schema.Schema) (least, most int) {
	least, most = valueOf(s.MinLength, 0), valueOf(s.MaxLength, open)
	if of, ok := formatLengths[s.Format]; ok {
		least, most = max(least, of[0]), min(most, of[1])
	}
	if s.Pattern != "" {
		if parsed, err := syntax.Parse(s.Pattern, syntax.Perl); err == nil {
			p := extentOf(parsed)
			least = max(least, p.least)
			if p.begins && p.ends {
				most = min(most, p.most)
			}
		}
	}
	return least, most
}

// An extent is how many characters a regular expression matches, and whether a match begins and ends with the text.
type extent struct {
	least, most  int
	begins, ends bool
}

func extentOf(re *syntax.Regexp) extent {
	switch re.Op {
	case syntax.OpLiteral:
		return extent{least: len(re.Rune), most: len(re.Rune)}
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return extent{least: 1, most: 1}
	case syntax.OpBeginText:
		return extent{begins: true}
	case syntax.OpEndText:
		return extent{ends: true}
	case syntax.OpCapture:
		return extentOf(re.Sub[0])
	case syntax.OpConcat:
		var all extent
		for _, sub := range re.Sub {
			e := extentOf(sub)
			all = extent{add(all.least, e.least), add(all.most, e.most), all.begins || e.begins, all.ends || e.ends}
		}
		return all
	case syntax.OpAlternate:
		all := extentOf(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			e := extentOf(sub)
			all = extent{min(all.least, e.least), max(all.most, e.most), all.begins && e.begins, all.ends && e.ends}
		}
		return all
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		return repeated(re)
	case syntax.OpNoMatch:
		return extent{}
	}
	return extent{} // an empty match, a boundary of a word or a line
}

// repeated returns the extent of a repetition. Anchors in it do not count.
func repeated(re *syntax.Regexp) extent {
	low, high := re.Min, re.Max
	switch re.Op {
	case syntax.OpStar:
		low, high = 0, -1
	case syntax.OpPlus:
		low, high = 1, -1
	case syntax.OpQuest:
		low, high = 0, 1
	}
	e := extentOf(re.Sub[0])
	most := times(e.most, high)
	if high < 0 && e.most > 0 {
		most = open
	}
	return extent{least: times(e.least, low), most: most}
}

// add adds lengths, of which open is the greatest.
func add(a, b int) int {
	if a > open-b {
		return open
	}
	return a + b
}

func times(length, n int) int {
	if n <= 0 || length == 0 {
		return 0
	}
	if length > open/n {
		return open
	}
	return length * n
}
