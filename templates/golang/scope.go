package golang

import (
	"cmp"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/schema"
)

// ruleCollision is the rule of all findings here.
const ruleCollision = "go-name-collision"

// An owner is a part of the catalog that has names of its own: a URN, a shared type or a queue. The zero owner stands
// for bqgen itself.
type owner struct {
	what string // for people, such as "URN urn:babel:orders:created"
	pos  schema.Pos
	hint string // how to give it another name
}

// A scope is the table of names that have to differ from each other, each with its owner.
type scope struct {
	kind     string // what the names are, for people
	file     string // the catalog
	owners   map[string]*owner
	findings []schema.Diagnostic
}

func newScope(kind, file string) *scope {
	return &scope{kind: kind, file: file, owners: map[string]*owner{}}
}

// claim takes names for o. When one of them belongs to somebody else, that is a finding, and none is taken.
func (s *scope) claim(o *owner, names ...string) bool {
	for _, name := range names {
		if held := s.owners[name]; held != nil {
			s.collide(name, held, o)
			return false
		}
	}
	for _, name := range names {
		s.owners[name] = o
	}
	return true
}

// claimNear takes name for a part of o that stands at pos, or, when o itself has the name already, name with a number.
func (s *scope) claimNear(o *owner, pos schema.Pos, name string) string {
	if held := s.owners[name]; held != nil && held != o {
		hint := o.hint + ", or move this part to types under a name of its own"
		s.collide(name, held, &owner{what: "a part of " + o.what, pos: pos, hint: hint})
		return name
	}
	free := name
	for n := 2; s.owners[free] != nil; n++ {
		free = numbered(name, n)
	}
	s.owners[free] = o
	return free
}

// collide reports that a and b want one name, at the one that stands later in the file: the earlier may be in use.
func (s *scope) collide(name string, a, b *owner) {
	if s.compare(a.pos, b.pos) > 0 {
		a, b = b, a
	}
	message := fmt.Sprintf("the %s %s of %s is already that of %s", s.kind, name, b.what, a.what)
	if a.pos.Line > 0 {
		message += fmt.Sprintf(" at line %d", a.pos.Line)
		if a.pos.File != b.pos.File {
			message += " of " + quoted(a.pos.File)
		}
	}
	s.findings = append(s.findings, schema.Diagnostic{Pos: b.pos, Rule: ruleCollision, Message: message, Hint: b.hint})
}

// compare orders places. What stands in another file comes after the catalog: its own things are named first, and its
// author may not be free to change the other file.
func (s *scope) compare(a, b schema.Pos) int {
	rank := func(p schema.Pos) int {
		switch {
		case p.Line == 0:
			return 0 // bqgen itself
		case p.File == s.file:
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// settle makes names distinct where they can be renamed. The first to want a name keeps it and later ones get a
// number that leaves everybody else's wish alone. Names in reserved get ending first.
func settle(wished []string, reserved map[string]bool, ending string) []string {
	taken := map[string]bool{}
	wish := make([]string, len(wished))
	for i, name := range wished {
		for reserved[name] {
			name += ending
		}
		wish[i] = name
		taken[name] = true
	}
	settled := make([]string, len(wish))
	given := map[string]bool{}
	next := map[string]int{}
	for i, name := range wish {
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
		settled[i] = free
	}
	return settled
}

// numbered is name with a number that does not run into the digits it may end in.
func numbered(name string, n int) string {
	if last, _ := utf8.DecodeLastRuneInString(name); unicode.IsDigit(last) {
		return fmt.Sprintf("%s_%d", name, n)
	}
	return fmt.Sprintf("%s%d", name, n)
}
