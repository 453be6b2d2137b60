package merge

import (
	"encoding/json"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// A pendingUnion waits until its branches are made.
type pendingUnion struct {
	schema *schema.Schema
	root   *draft.Root
	pos    schema.Pos
	rules  []schema.Rule // what the union says, if its branches may be tried
}

// discriminatorHint shows how to tell branches apart.
const discriminatorHint = "give every branch one property with a const of its own, and require it: " +
	"{required: [kind], properties: {kind: {const: card}, ...}}"

// tellApart finds the discriminator of a union: the property that all branches require and for which each has a string
// of its own. Without one, nobody could say for sure which branch a value is.
func (m *Merger) tellApart(u pendingUnion) {
	fail := func(pos schema.Pos, hint, format string, args ...any) {
		u.root.Doubt |= trust.Inside
		m.Report(pos, schema.RuleOneOf, hint, format, args...)
	}
	objects := make([]*schema.Schema, len(u.schema.Branches))
	for i, b := range u.schema.Branches {
		o := Follow(b.Schema)
		switch {
		case o == nil || !m.result.Doubts[o].MayRely() || o.Kind == 0:
			u.root.Doubt |= trust.Inside
			return // reported
		case o.Kind == schema.Union:
			fail(b.Pos, "list its branches here", "a branch of oneOf is itself a oneOf")
			return
		case o.Kind != schema.Object:
			fail(b.Pos, discriminatorHint,
				"a branch of oneOf is of type %s: only objects with a discriminator can be told apart", o.Kind)
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
		found = append(found, text.Quote(p.Name))
		u.schema.Discriminator = p.Name
		for i, value := range values {
			u.schema.Branches[i].Value = value
		}
	}
	switch {
	case len(found) > 1:
		fail(u.pos, "keep const on one of them", "oneOf has several discriminators: %s", listSet(found))
	case len(found) == 1:
	case twice != duplicate{} && u.rules != nil && areStructs(u.schema.Branches):
		u.schema.Rules = u.rules
		m.Warn(u.schema.Branches[twice.second].Pos, schema.RuleOneOf, "give each branch a const of its own",
			"branches %d and %d of oneOf have the same const in %s: the branches are tried one after another",
			twice.first+1, twice.second+1, text.Quote(twice.name))
	case twice != duplicate{}:
		fail(u.schema.Branches[twice.second].Pos, "give each branch a const of its own",
			"branches %d and %d of oneOf have the same const in %s",
			twice.first+1, twice.second+1, text.Quote(twice.name))
	default:
		fail(u.pos, discriminatorHint, "oneOf has no discriminator")
	}
}

// A duplicate is a const that two branches share.
type duplicate struct {
	name          string
	first, second int
}

// discriminatorValues returns the strings that a property of the first object has in all of them. They are nil when it
// does not tell the objects apart.
func discriminatorValues(objects []*schema.Schema, first *schema.Property) ([]string, duplicate) {
	owner := map[string]int{}
	var values []string
	for i, o := range objects {
		p := first
		if i > 0 {
			p = o.Property(first.Name)
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

// constOf returns the string that a property must have.
func constOf(p *schema.Property) (string, bool) {
	if p == nil || !p.Required {
		return "", false
	}
	c := Follow(p.Schema)
	if c == nil || c.Kind != schema.String || c.Const == nil || p.Schema.AllowsNull() {
		return "", false
	}
	var value string
	err := json.Unmarshal(c.Const.JSON, &value)
	return value, err == nil
}
