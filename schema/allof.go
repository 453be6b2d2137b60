package schema

// merge makes a schema of parts none of which is a reference or a union.
func (b *builder) merge(s *Schema, g *group) {
	types, ok := b.types(g)
	s.Kind = types.kind()
	if s.Kind == 0 {
		if !ok || g.vague || g.quiet {
			b.lookInto(s, g)
			return
		}
		s.Kind = Any
	}
	s.Nullable = types&nullType != 0 && s.Kind != Any || g.null != nil
	if s.Kind != Any {
		for _, p := range g.parts {
			if !p.bad || p.types != 0 {
				b.misplaced(p.draft, s.Kind, types&^nullType)
			}
		}
	}
	b.closed(s, g)
	if g.null != nil && s.Const != nil {
		b.constOrNull(s, g)
	}
	b.formatOf(s, g)
	switch s.Kind {
	case Object:
		b.object(s, g)
	case Array:
		b.array(s, g)
	case String:
		b.text(s, g)
	case Integer, Number:
		b.numbers(s, g)
	}
	b.lookInto(s, g)
	if !g.quiet {
		b.settle(s, g)
	}
}

// lookInto builds what stands inside of a schema that has no place for it, so that what is wrong there is reported.
func (b *builder) lookInto(s *Schema, g *group) {
	for _, p := range g.parts {
		if s.Kind != Object {
			for _, property := range p.properties {
				b.inside(g, property.schema)
			}
		}
		if s.Kind != Object && p.additional != nil {
			b.inside(g, p.additional)
		}
		if s.Kind != Array && p.items != nil {
			b.inside(g, p.items)
		}
	}
}

// types are those that all parts allow, and zero for any. It is not ok when there are none.
func (b *builder) types(g *group) (typeSet, bool) {
	types := typeSet(everyType)
	var said []string
	for _, p := range g.parts {
		stated := p.types
		if stated == 0 {
			stated = p.valueTypes()
		}
		if stated == 0 {
			continue
		}
		said = append(said, stated.String())
		types &= stated
	}
	switch {
	case said == nil:
		return b.implied(g)
	case types&^nullType == 0:
		b.conflict(g, "give all of them one type", "a value cannot be of the types %s at once", list(quoteAll(sortedSet(said))))
		return 0, false
	}
	return types, true
}

func quoteAll(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = quote(t)
	}
	return quoted
}

// implied is the type of a group that does not say it. A schema with properties is an object to everybody who writes
// one; for others the type has to be said, since without it they say nothing about values of another type.
func (b *builder) implied(g *group) (typeSet, bool) {
	var meant typeSet
	for _, p := range g.parts {
		for _, k := range keywords {
			if k.types != 0 && p.node.get(k.name) != nil {
				meant |= k.types
			}
		}
	}
	if meant == 0 || g.quiet || g.vague {
		return 0, !g.quiet && !g.vague
	}
	first := g.parts[0].draft
	if meant == objectType {
		b.warn(first.Pos, ruleImplied, "add type: object", "%s has no type and is taken for an object", g.what)
		return objectType, true
	}
	hint := "add type: " + meant.String()
	if k := meant.kind(); k == 0 {
		hint = "type: one of " + list(kindList)
	}
	b.report(first.Pos, ruleMissingType, hint, "%s has no type", g.what)
	return 0, false
}

func (b *builder) array(s *Schema, g *group) {
	var items []*draft
	for _, p := range g.parts {
		if p.items != nil {
			items = append(items, p.items)
		}
		s.MinItems = larger(s.MinItems, p.MinItems)
		s.MaxItems = smaller(s.MaxItems, p.MaxItems)
		s.UniqueItems = s.UniqueItems || p.UniqueItems
	}
	b.ordered(g, "minItems", s.MinItems, "maxItems", s.MaxItems)
	if len(items) > 0 {
		s.Items = b.inside(g, items...)
		return
	}
	s.Items = &Schema{Pos: s.Pos, Kind: Any}
	if !g.quiet && !g.vague {
		b.report(s.Pos, ruleMissingItems, "items: {type: string}, or items: {} for any", "%s is an array without items", g.what)
	}
}

func (b *builder) text(s *Schema, g *group) {
	var patterns []string
	for _, p := range g.parts {
		s.MinLength = larger(s.MinLength, p.MinLength)
		s.MaxLength = smaller(s.MaxLength, p.MaxLength)
		if p.Pattern != "" {
			patterns = append(patterns, p.Pattern)
			s.Pattern = p.Pattern
		}
	}
	b.ordered(g, "minLength", s.MinLength, "maxLength", s.MaxLength)
	if patterns = sortedSet(patterns); len(patterns) > 1 {
		b.conflict(g, "write one pattern", "the patterns %s cannot be merged into one", list(quoteAll(patterns)))
	}
}
