package ignore

import (
	"time"

	"github.com/babelqueue/bqgen/schema"
)

// A Set is the comments of a catalog about the rules of one command. Its methods take the same time for any number of
// comments about one line.
type Set struct {
	today    string
	comments []*Comment
	subjects map[subject]bool     // what the comments are about
	active   map[subject]*Comment // the first comment about it that has not expired
	matched  map[subject]bool     // there is such a finding
	unnamed  map[subject]string   // something was removed that the comment does not name
}

// A subject is what a comment is about: the findings of a rule on a line, about the removal of one thing or about none.
type subject struct {
	file string
	line int
	rule string
	of   string
}

// NewSet makes the set of the comments about known rules. The comments expire as of today; at the zero time none has.
func NewSet(ignores []schema.Ignore, known func(rule string) bool, today time.Time) *Set {
	s := &Set{
		today:    today.UTC().Format(time.DateOnly),
		subjects: map[subject]bool{}, active: map[subject]*Comment{}, matched: map[subject]bool{},
		unnamed: map[subject]string{},
	}
	for _, i := range ignores {
		if known(i.Rule) {
			c := Parse(i)
			s.add(&c)
		}
	}
	return s
}

func (s *Set) add(c *Comment) {
	s.comments = append(s.comments, c)
	if c.Fault != "" {
		return
	}
	about := c.subject()
	s.subjects[about] = true
	if s.active[about] == nil && !s.expired(c) {
		s.active[about] = c
	}
}

func (c *Comment) subject() subject { return subject{c.Pos.File, c.Line, c.Rule, c.Of} }

func (s *Set) expired(c *Comment) bool { return c.Until != "" && c.Until < s.today }

// Match returns the comment that ignores a finding; nil when there is none. Gone is the name of the thing whose removal
// the finding is about; empty for other findings.
func (s *Set) Match(d schema.Diagnostic, gone string) *Comment {
	about := subject{d.Pos.File, d.Pos.Line, d.Rule, gone}
	if s.subjects[about] {
		s.matched[about] = true
	}
	if unnamed := (subject{d.Pos.File, d.Pos.Line, d.Rule, ""}); gone != "" && s.subjects[unnamed] {
		s.unnamed[unnamed] = gone
	}
	return s.active[about]
}

// Problems reports what is wrong with the comments, at most one problem of each. Call it after Match was called for
// every finding. Hint is what to do about it.
func (s *Set) Problems(report func(p Problem, c Comment, hint string)) {
	for _, c := range s.comments {
		about := c.subject()
		active := s.active[about]
		switch gone := s.unnamed[about]; {
		case c.Fault != "":
			report(Malformed, *c, "write # bqgen:ignore "+c.Rule+" and the reason")
		case gone != "":
			report(Nameless, *c, "write # bqgen:ignore "+c.Rule+" of="+nameText(gone)+" and the reason")
		case !s.matched[about] || active != nil && active != c:
			report(Unneeded, *c, "remove the comment")
		case active == nil:
			report(Expired, *c, "fix what it ignores, or set a later day")
		case c.Reason == "":
			report(NoReason, *c, "write # bqgen:ignore "+c.Rule+" and the reason")
		}
	}
}
