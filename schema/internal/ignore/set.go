package ignore

import (
	"time"

	"github.com/babelqueue/bqgen/schema"
)

// A Set is the comments of a catalog about the rules of one command.
type Set struct {
	today    string
	comments []*entry
	byPlace  map[place][]*entry
}

type place struct {
	file string
	line int
	rule string
}

type entry struct {
	Comment
	used    bool   // it silences a finding, or would if it had not expired
	missing string // what it would have to name with of= to silence a finding
}

// NewSet makes the set of the comments about known rules. The comments expire as of today; on the zero time none has.
func NewSet(ignores []schema.Ignore, known func(rule string) bool, today time.Time) *Set {
	s := &Set{today: today.UTC().Format(time.DateOnly), byPlace: map[place][]*entry{}}
	for _, i := range ignores {
		if !known(i.Rule) {
			continue
		}
		e := &entry{Comment: Parse(i)}
		s.comments = append(s.comments, e)
		at := place{e.File, e.Line, e.Rule}
		s.byPlace[at] = append(s.byPlace[at], e)
	}
	return s
}

// Match returns the comment that silences a finding; nil when there is none. Gone is the name of the thing whose
// removal the finding is about; empty for other findings.
func (s *Set) Match(d schema.Diagnostic, gone string) *Comment {
	for _, e := range s.byPlace[place{d.Pos.File, d.Pos.Line, d.Rule}] {
		switch {
		case e.Fault != "":
		case e.Of == "" && gone != "":
			e.missing = gone
		case e.Of == gone:
			e.used = true
			if !s.expired(e) {
				return &e.Comment
			}
		}
	}
	return nil
}

func (s *Set) expired(e *entry) bool { return e.Until != "" && e.Until < s.today }

// Problems reports what is wrong with the comments, at most one problem of each. Call it after Match was called for
// every finding. Hint is what to do about it.
func (s *Set) Problems(report func(p Problem, c Comment, hint string)) {
	for _, e := range s.comments {
		switch {
		case e.Fault != "":
			report(Malformed, e.Comment, "write # bqgen:ignore "+e.Rule+" and the reason")
		case e.missing != "":
			report(Nameless, e.Comment, "write # bqgen:ignore "+e.Rule+" of="+nameText(e.missing)+" and the reason")
		case !e.used || s.repeats(e):
			report(Unneeded, e.Comment, "remove the comment")
		case s.expired(e):
			report(Expired, e.Comment, "mend what it ignores, or give it another day and the reason")
		case e.Reason == "":
			report(NoReason, e.Comment, "write # bqgen:ignore "+e.Rule+" and the reason")
		}
	}
}

// repeats reports whether an earlier comment silences the same.
func (s *Set) repeats(e *entry) bool {
	for _, other := range s.byPlace[place{e.File, e.Line, e.Rule}] {
		if other == e {
			return false
		}
		if other.Of == e.Of && other.Fault == "" && !s.expired(other) {
			return true
		}
	}
	return false
}
