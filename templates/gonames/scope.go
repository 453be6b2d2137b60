package gonames

import (
	"cmp"
	"fmt"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// ruleCollision is the rule of all findings about names.
const ruleCollision = "go-name-collision"

// An owner is a part of the catalog with names of its own: a URN, a shared type or a queue. bqgen itself has no
// position.
type owner struct {
	what string // in messages, such as "the URN urn:babel:orders:created"
	pos  schema.Pos
	hint string // how to give it another name
}

// A scope is a set of names that must differ, each with its owner.
type scope struct {
	kind     string // of the names, in messages
	file     string // the catalog
	owners   map[string]*owner
	findings []schema.Diagnostic
}

func newScope(kind, file string) *scope {
	return &scope{kind: kind, file: file, owners: map[string]*owner{}}
}

// claim enters names for o. If one of them has another owner, that is a finding, and none is entered.
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

// claimNear enters a name for a part of o at pos, and returns it: name or, if o owns that already, name with a number.
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

// collide reports that a and b prefer one name, at the later of the two: the earlier may be in use.
func (s *scope) collide(name string, a, b *owner) {
	if s.compare(a.pos, b.pos) > 0 {
		a, b = b, a
	}
	message := fmt.Sprintf("the %s %s of %s is already that of %s", s.kind, name, b.what, a.what)
	if a.pos.Line > 0 {
		message += fmt.Sprintf(" at line %d", a.pos.Line)
		if a.pos.File != b.pos.File {
			message += " of " + text.Name(a.pos.File)
		}
	}
	s.findings = append(s.findings, schema.Diagnostic{Pos: b.pos, Rule: ruleCollision, Message: message, Hint: b.hint})
}

// compare orders positions. Other files come after the catalog: its own types are named first, and its author may not
// be free to change the other file.
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
	return cmp.Or(
		cmp.Compare(rank(a), rank(b)), cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
