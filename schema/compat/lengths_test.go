package compat

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/internal/testenv"
)

// A limit that a format or a pattern implies breaks nobody, when it is added and when it is removed.
func TestImpliedLengthsBreakNothing(t *testing.T) {
	for _, c := range []struct{ without, with, direction string }{
		{"format: uuid", "maxLength: 36", IsSafe},
		{"format: uuid", "minLength: 36", IsSafe},
		{"format: date", "maxLength: 10", IsSafe},
		{"format: ipv4", "maxLength: 45", IsSafe},
		{"format: ipv4", "maxLength: 15", IsSafe},
		{"pattern: '^[A-Z]{2,3}$'", "maxLength: 3", IsSafe},
		{"pattern: '^(DE|ATX)-[0-9]?$'", "maxLength: 5", IsSafe},
		{"pattern: 'a{3}'", "minLength: 3", IsSafe},
		{"format: uuid", "maxLength: 35", BreaksProducers},
		{"format: date", "minLength: 11", BreaksProducers},
		{"pattern: '^[A-Z]{2,3}'", "maxLength: 3", BreaksProducers},
		{"pattern: '^[A-Z]{2,3}$'", "maxLength: 2", BreaksProducers},
		{"pattern: '^[A-Z]+$'", "maxLength: 900", BreaksProducers},
	} {
		without, with := "{type: string, "+c.without+"}", "{type: string, "+c.without+", "+c.with+"}"
		reversed := c.direction
		if reversed == BreaksProducers {
			reversed = BreaksConsumers
		}
		for _, d := range [][3]string{{without, with, c.direction}, {with, without, reversed}} {
			all := Compare(parseCase(t, d[0]), parseCase(t, d[1]), Options{})
			if len(all) != 1 || all[0].Direction() != d[2] {
				t.Errorf("%s, then %s: %v, want one change that is: %s", d[0], d[1], all, d[2])
			}
		}
	}
}

// Whatever matches a pattern is as long as its extent says.
func TestTheExtentOfAPatternContainsItsMatches(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through many catalogs")
	random := rand.New(rand.NewPCG(5, 8))
	parts := []string{
		"a", "[ab]", ".", "^", "$", "a*", "b+", "(ab)?", "(a|bb)", "(^a|b$)", "a{2,3}", "(^b)*", `\b`, "(?i:k)", "",
		"(a{0}|b)", "(?m:^a$)",
	}
	for range 3000 {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		pattern := regexp.MustCompile(b.String())
		parsed, err := syntax.Parse(b.String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		e := extentOf(parsed)
		for range 60 {
			text := make([]byte, random.IntN(9))
			for i := range text {
				text[i] = "aabb\nk"[random.IntN(6)]
			}
			n := utf8.RuneCount(text)
			if pattern.Match(text) && (n < e.least || e.begins && e.ends && n > e.most) {
				t.Fatalf("%s matches %q, and its extent is %+v", pattern, text, e)
			}
		}
	}
}
