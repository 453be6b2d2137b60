package schema

import "encoding/json"

// unknownKeyword reads x-unknown-branch: what becomes of an object whose discriminator has none of the values.
func (l *loader) unknownKeyword(d *draft, p pair) {
	if d.node.get("oneOf") == nil {
		l.report(p.key.pos, ruleMisplacedKeyword, "", "x-unknown-branch belongs to oneOf")
		return
	}
	word, ok := l.text(p.value, "x-unknown-branch")
	if !ok {
		return
	}
	switch word {
	case "keep":
		d.KeepUnknown = true
	case "refuse":
	default:
		l.report(p.value.pos, ruleOneOf, "refuse makes the payload invalid, which is the default; keep keeps the value as raw JSON", "x-unknown-branch is %s, it must be keep or refuse", quote(word))
		return
	}
	d.unknown = p.key
}

// allowNull takes the idiom for a value that may be null, oneOf with a schema and {type: "null"}, for what it is: the
// schema becomes part of the group. It is one only when nothing else says which values are valid.
func (b *builder) allowNull(g *group) {
	var idiom *draft
	for _, p := range g.parts {
		switch {
		case !p.constrains("allOf"):
		case idiom != nil || len(p.oneOf) != 2 || p.unknown != nil || p.constrains("allOf", "oneOf"):
			return
		default:
			idiom = p.draft
		}
	}
	if idiom == nil || len(g.refs) > 0 {
		return
	}
	for n, entry := range idiom.oneOf {
		if other := idiom.oneOf[1-n]; entry.isNull() && !other.isNull() {
			g.null = entry
			g.gather(other, inAllOf)
			g.split()
			return
		}
	}
}

func (d *draft) isNull() bool { return d.types == nullType }

// checkNull reports a oneOf in which null is valid in both of the schemas, and so in none. Of a reference that
// is known only when all is built.
func (b *builder) checkNull(s *Schema, g *group) {
	if g.null == nil || g.quiet {
		return
	}
	pos, root, what := g.null.Pos, b.root, g.what
	nullable := func(s *Schema) bool {
		return s.Kind == Any || s.Nullable
	}
	for _, p := range g.parts {
		if p.types&nullType != 0 || p.enumNull {
			b.report(pos, ruleOneOf, "leave one of them out", "%s allows null twice: oneOf wants exactly one of its schemas to hold", what)
			return
		}
	}
	if s.Kind == Any {
		b.report(pos, ruleOneOf, "leave out the oneOf", "%s allows null twice: oneOf wants exactly one of its schemas to hold", what)
	}
	if s.Kind != Ref || s.Target == nil {
		return
	}
	b.whenBuilt = append(b.whenBuilt, func() {
		for t, steps := s.Target.Schema, 0; t != nil && steps < maxRefs; steps++ {
			if nullable(t) {
				root.bad = true
				b.loader.report(pos, ruleOneOf, "leave it out: the type allows null", "%s allows null twice: oneOf wants exactly one of its schemas to hold", what)
				return
			}
			if t.Kind != Ref || t.Target == nil {
				return
			}
			t = t.Target.Schema
		}
	})
}

// union is the part with a oneOf that is not one with null only, or nil.
func (g *group) union() *draft {
	for _, p := range g.parts {
		if p.oneOf != nil && !(g.null != nil && g.isOneOfNull(p.draft)) {
			return p.draft
		}
	}
	return nil
}

func (g *group) isOneOfNull(d *draft) bool {
	return d.oneOf[0] == g.null || len(d.oneOf) > 1 && d.oneOf[1] == g.null
}

// union makes a schema of a oneOf.
func (b *builder) union(s *Schema, g *group, u *draft) {
	s.Kind, s.KeepUnknown, s.Nullable = Union, u.KeepUnknown, g.null != nil
	pos := u.keyPos("oneOf")
	if len(g.parts) > 1 {
		pos = g.at
	}
	var types typeSet
	for _, p := range g.parts {
		beside := []string{"allOf", "type"}
		if p.draft == u || g.null != nil && p.oneOf != nil && g.isOneOfNull(p.draft) {
			beside = append(beside, "oneOf", "x-unknown-branch")
		}
		if p.constrains(beside...) {
			if !g.quiet {
				b.report(pos, ruleOneOf, "put what all branches have into each of them, with allOf", "oneOf stands alone: what is beside it cannot be merged with its branches")
				g.quiet = true
			}
		}
		types |= p.types
	}
	if types != 0 && types&objectType == 0 && !g.quiet {
		b.report(pos, ruleOneOf, "the branches are objects: leave type out", "oneOf with type %s is not supported", types&^nullType)
		g.quiet = true
	}
	for _, entry := range u.oneOf {
		if !entry.isNull() {
			s.Branches = append(s.Branches, Branch{Pos: entry.Pos, Schema: b.build([]*draft{entry}, g.at)})
			continue
		}
		if s.Nullable {
			b.report(entry.Pos, ruleOneOf, "keep one of the two", "null is in the oneOf twice")
			g.quiet = true
		}
		s.Nullable = true
	}
	if types&nullType != 0 && !s.Nullable && !g.quiet {
		b.report(pos, ruleOneOf, `add {type: "null"} to it, or take "null" out of the type`, "type allows null, oneOf does not")
	}
	if len(s.Branches) == 0 && !g.quiet {
		b.report(pos, ruleOneOf, "list the objects that are valid", "oneOf has no branch but null")
		g.quiet = true
	}
	if !g.quiet {
		b.unions = append(b.unions, pendingUnion{s, b.root, pos})
	}
}

// A pendingUnion waits for the branches to be built.
type pendingUnion struct {
	schema *Schema
	root   *root
	pos    Pos
}

const discriminatorHint = "give every branch one property with a const of its own, and require it: {required: [kind], properties: {kind: {const: card}, ...}}"

// tellApart finds what tells the branches of a union apart: the property that all of them require and for which
// each has a string of its own. Without one, nobody could say for sure which branch a value is.
func (l *loader) tellApart(u pendingUnion) {
	fail := func(pos Pos, hint, format string, args ...any) {
		u.root.bad = true
		l.report(pos, ruleOneOf, hint, format, args...)
	}
	objects := make([]*Schema, len(u.schema.Branches))
	for i, b := range u.schema.Branches {
		o := follow(b.Schema)
		switch {
		case o == nil || l.unsure[o] || o.Kind == 0:
			u.root.bad = true
			return // reported
		case o.Kind == Union:
			fail(b.Pos, "list its branches here", "a branch of oneOf is itself a oneOf")
			return
		case o.Kind != Object:
			fail(b.Pos, discriminatorHint, "a branch of oneOf is of type %s: only objects with a discriminator can be told apart", o.Kind)
			return
		case b.Schema.AllowsNull():
			fail(b.Pos, `add {type: "null"} to the oneOf`, "a branch of oneOf allows null")
			return
		}
		objects[i] = o
	}
	var found []string
	var twice duplicate
	for _, p := range objects[0].Properties {
		values, again := discriminatorValues(objects, p)
		if values == nil {
			if twice == (duplicate{}) {
				twice = again
			}
			continue
		}
		found = append(found, quote(p.Name))
		u.schema.Discriminator = p.Name
		for i, value := range values {
			u.schema.Branches[i].Value = value
		}
	}
	switch {
	case len(found) > 1:
		fail(u.pos, "keep const on one of them", "oneOf has several discriminators: %s", list(sortedSet(found)))
	case len(found) == 1:
	case twice != duplicate{}:
		fail(u.schema.Branches[twice.second].Pos, "give each branch a const of its own",
			"branches %d and %d of oneOf have the same const in %s", twice.first+1, twice.second+1, quote(twice.name))
	default:
		fail(u.pos, discriminatorHint, "oneOf has no discriminator")
	}
}

// A duplicate is a const that two branches share.
type duplicate struct {
	name          string
	first, second int
}

// discriminatorValues are the strings that a property, one of the first object's, has in each of the objects. They are
// nil when it does not tell them apart.
func discriminatorValues(objects []*Schema, first *Property) ([]string, duplicate) {
	owner := map[string]int{}
	var values []string
	for i, o := range objects {
		p := first
		if i > 0 {
			p = propertyOf(o, first.Name)
		}
		value, ok := constOf(p)
		if !ok {
			return nil, duplicate{}
		}
		if j, again := owner[value]; again {
			return nil, duplicate{first.Name, j, i}
		}
		owner[value] = i
		values = append(values, value)
	}
	return values, duplicate{}
}

// constOf is the string that a property must have.
func constOf(p *Property) (string, bool) {
	if p == nil || !p.Required {
		return "", false
	}
	c := follow(p.Schema)
	if c == nil || c.Kind != String || c.Const == nil || p.Schema.AllowsNull() {
		return "", false
	}
	var value string
	err := json.Unmarshal(c.Const.JSON, &value)
	return value, err == nil
}
