package schema

import "fmt"

// A root is a schema that has a name: a shared type, one of a payload's $defs, or the payload itself.
type root struct {
	typ    *Type // nil for a URN's data
	scope  *scope
	draft  *draft
	schema *Schema // when it is built
	state  buildState
	bad    bool // something in it was reported
	refs   []*ref
}

// A scope is where the references of a root start.
type scope struct {
	file  *file
	owner *URN     // of a payload and its $defs
	defs  *section // of a payload; nil elsewhere
}

// readRoot reads the schema of a root.
func (l *loader) readRoot(r *root, n *node, what string, at place) {
	l.roots = append(l.roots, r)
	before := l.errors
	r.draft = l.draft(n, r, what, at)
	r.bad = r.bad || l.errors > before || n.flawed
}

// loadDefs reads the $defs of a payload.
func (l *loader) loadDefs(r *root, n *node) {
	s := r.scope.defs
	*s = *newSection(r.scope.file, defsSection, n)
	for _, p := range n.pairs {
		l.namedType(s, p, r.scope)
	}
}

// checkTypeNames reports Go names that are given to two types.
func (l *loader) checkTypeNames() {
	taken := goNames{}
	for _, r := range l.roots {
		if r.typ == nil || r.schema.GoName == "" {
			continue
		}
		if first, again := taken[r.schema.GoName]; again {
			r.bad = true
			l.report(r.schema.GoNamePos, ruleSameGoName, "give one of the two another name", "x-go-name %s is taken %s", r.schema.GoName, whereSeen(first, r.schema.GoNamePos))
			continue
		}
		taken[r.schema.GoName] = r.schema.GoNamePos
	}
}

// whereSeen says where something stands, as seen from another place.
func whereSeen(first, from Pos) string {
	if first.File == from.File {
		return fmt.Sprintf("on line %d", first.Line)
	}
	return "at " + first.String()
}
