package ignore

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/schema"
)

func TestOptionsComeBeforeTheReason(t *testing.T) {
	for text, want := range map[string]Comment{
		"":                                 {},
		"because":                          {Reason: "because"},
		"because of=x":                     {Reason: "because of=x"},
		"of=urn:babel:a:b because":         {Of: "urn:babel:a:b", Reason: "because"},
		`of="a \"b\"" until=2026-12-31`:    {Of: `a "b"`, Until: "2026-12-31"},
		"until=2026-12-31 of=x  two words": {Of: "x", Until: "2026-12-31", Reason: "two words"},
		"office=closed today":              {Reason: "office=closed today"},
		"until=2026-13-01 x":               {Reason: "x", Fault: `"2026-13-01" is not a day: write until=YYYY-MM-DD`},
		"until=tomorrow":                   {Fault: `"tomorrow" is not a day: write until=YYYY-MM-DD`},
		"until= x":                         {Reason: "x", Fault: "until= has no value"},
		`of="a x`:                          {Fault: "a quotation mark is not closed"},
	} {
		if diff := cmp.Diff(want, Parse(schema.Ignore{Reason: text})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestANameIsWrittenAsItIsRead(t *testing.T) {
	for _, name := range []string{"", "a", "urn:babel:a:b", "two words", `"`, `a"b`, "tab\t", "\u202e", "ü=1"} {
		c := Parse(schema.Ignore{Reason: "of=" + nameText(name) + " because"})
		if name == "" {
			continue // nothing is called so; of="" is refused
		}
		if c.Of != name || c.Reason != "because" || c.Fault != "" {
			t.Errorf("%q is %+v", name, c)
		}
	}
}

// A comment counts on its last day to the end, in UTC.
func TestACommentCountsUntilItsLastDay(t *testing.T) {
	for now, want := range map[string]bool{
		"2026-12-30T12:00:00Z": true, "2026-12-31T23:59:59Z": true, "2027-01-01T00:00:00Z": false,
		"2027-01-01T00:30:00+02:00": true, "2026-12-31T23:00:00-02:00": false,
	} {
		today, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		s := NewSet([]schema.Ignore{{Line: 1, Rule: "r", Reason: "until=2026-12-31 x"}}, known, today)
		if got := s.Match(finding(1), "") != nil; got != want {
			t.Errorf("at %s: silenced is %v", now, got)
		}
		if diff := cmp.Diff(map[bool][]string{false: {"3 r"}}[want], problems(s)); diff != "" {
			t.Errorf("at %s: problems (-want +got):\n%s", now, diff)
		}
	}
}

func known(rule string) bool { return rule == "r" }

func finding(line int) schema.Diagnostic {
	return schema.Diagnostic{Pos: schema.Pos{Line: line}, Rule: "r"}
}

func problems(s *Set) []string {
	var all []string
	s.Problems(func(p Problem, c Comment, hint string) { all = append(all, fmt.Sprintf("%d %s", p, c.Rule)) })
	return all
}

func TestRemovalsAreNamed(t *testing.T) {
	ignores := []schema.Ignore{
		{Line: 1, Rule: "r", Reason: "of=a x"}, {Line: 1, Rule: "r", Reason: "of=b x"}, {Line: 1, Rule: "other", Reason: "x"},
		{Line: 2, Rule: "r", Reason: "x"},
	}
	s := NewSet(ignores, known, time.Time{})
	if c := s.Match(finding(1), "a"); c == nil || c.Of != "a" {
		t.Errorf("a: %v", c)
	}
	if s.Match(finding(1), "c") != nil || s.Match(finding(1), "") != nil {
		t.Error("another removal is silenced")
	}
	if s.Match(finding(2), "a") != nil {
		t.Error("a comment without a name silences a removal")
	}
	if diff := cmp.Diff([]string{"2 r", "1 r"}, problems(s)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestOfSeveralCommentsTheFirstThatCountsIsNeeded(t *testing.T) {
	ignores := []schema.Ignore{
		{Line: 1, Rule: "r", Reason: "until=2020-01-01 old"}, {Line: 1, Rule: "r", Reason: "first"},
		{Line: 1, Rule: "r", Reason: "second"}, {Line: 1, Rule: "r", Reason: "until=x"},
		{Line: 2, Rule: "r", Reason: "until=2020-01-01 old"}, {Line: 2, Rule: "r", Reason: "until=2020-01-02 old"},
	}
	s := NewSet(ignores, known, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	if c := s.Match(finding(1), ""); c == nil || c.Reason != "first" {
		t.Errorf("line 1: %v", c)
	}
	if c := s.Match(finding(2), ""); c != nil {
		t.Errorf("line 2: %v", c)
	}
	if diff := cmp.Diff([]string{"2 r", "2 r", "0 r", "3 r", "3 r"}, problems(s)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// Comparing each comment with each finding took half a minute for 300,000: the time grew with the square.
func TestManyCommentsAboutOneLine(t *testing.T) {
	run := func(n int) time.Duration {
		comments := make([]schema.Ignore, n)
		names := make([]string, n)
		for i := range comments {
			names[i] = fmt.Sprint("x", i)
			comments[i] = schema.Ignore{Pos: schema.Pos{Line: 1}, Line: 1, Rule: "r", Reason: "of=" + names[i] + " because"}
		}
		start := time.Now()
		s := NewSet(comments, known, time.Time{})
		for i, name := range names {
			if c := s.Match(finding(1), name); c == nil || c.Of != name {
				t.Fatalf("finding %d: comment %+v", i, c)
			}
		}
		s.Problems(func(p Problem, c Comment, hint string) { t.Fatalf("%+v: %v", c, p) })
		return time.Since(start)
	}
	fastest := func(n int) time.Duration { return min(run(n), run(n), run(n)) }
	if few, many := fastest(2_000), fastest(32_000); many > 128*few {
		t.Errorf("%v for 2,000 comments, %v for 32,000", few, many)
	}
}
