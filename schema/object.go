package schema

func (l *loader) propertiesKeyword(d *draft, n *node) {
	if n.kind != mappingNode {
		d.vague = true // reported
		return
	}
	d.properties = make([]draftProperty, len(n.pairs))
	for i, p := range n.pairs {
		d.properties[i] = draftProperty{
			name: p.key.text, pos: p.key.pos,
			schema: l.draft(p.value, d.root, "property "+quote(p.key.text), atProperty),
		}
	}
}

func (l *loader) requiredKeyword(d *draft, n *node) {
	if n.kind == scalarNode && (n.text == "true" || n.text == "false") {
		l.report(n.pos, ruleWrongType, "required is a list on the object that has the property: required: [name]",
			"required must be a list, this is %s", n.text)
		return
	}
	if !l.isList(n, "required") {
		return
	}
	seen := make(map[string]bool, len(n.items))
	for _, item := range n.items {
		name, ok := l.reference(item, "an entry of required")
		switch {
		case !ok:
		case seen[name]:
			l.report(item.pos, ruleRequired, "keep one of the two", "required names %s twice", quote(name))
		default:
			seen[name] = true
			d.required = append(d.required, requiredName{name, item.pos})
		}
	}
}

// additionalKeyword reads false and true; a schema is read later.
func (l *loader) additionalKeyword(d *draft, n *node) {
	switch {
	case n.kind == mappingNode, n.kind == scalarNode && n.plain && n.text == "true":
		d.Additional = AdditionalKept
	case n.kind == scalarNode && n.plain && n.text == "false":
		d.Additional = AdditionalForbidden
	case n.kind != badNode:
		l.report(n.pos, ruleWrongType, "", "additionalProperties must be false, true or a schema, this is %s", n.describe())
	}
}

// object builds what the parts say about the members of an object. It does so whatever the type turned out to be,
// so that everything inside is looked at.
func (b *builder) object(s *Schema, g *group) {
	b.members(s, g)
	b.fieldNames(s)
	b.requiredMembers(s, g)
	b.furtherMembers(s, g)
	for _, p := range g.parts {
		s.MinProperties = larger(s.MinProperties, p.MinProperties)
		s.MaxProperties = smaller(s.MaxProperties, p.MaxProperties)
	}
	b.ordered(g, "minProperties", s.MinProperties, "maxProperties", s.MaxProperties)
	required := 0
	for _, p := range s.Properties {
		if p.Required {
			required++
		}
	}
	switch {
	case s.MaxProperties != nil && required > *s.MaxProperties:
		b.contradiction(g, "maxProperties", "required", "%s requires %s and allows %d", g.what, counted(required, "member"), *s.MaxProperties)
	case s.MinProperties != nil && s.Additional == AdditionalForbidden && len(s.Properties) < *s.MinProperties:
		b.contradiction(g, "minProperties", "additionalProperties", "%s can have %s and asks for %d", g.what, counted(len(s.Properties), "member"), *s.MinProperties)
	}
}

// members merges properties by name, in the order in which the names are met.
func (b *builder) members(s *Schema, g *group) {
	if len(g.parts) == 1 {
		for _, p := range g.parts[0].properties {
			s.Properties = append(s.Properties, &Property{Name: p.name, Pos: p.pos, Schema: b.inside(g, p.schema)})
		}
		return
	}
	drafts := map[string][]*draft{}
	var forbidden []string
	for _, part := range g.parts {
		for _, p := range part.properties {
			if drafts[p.name] == nil {
				s.Properties = append(s.Properties, &Property{Name: p.name, Pos: p.pos})
			}
			drafts[p.name] = append(drafts[p.name], p.schema)
		}
	}
	closed := g.closedParts()
	if b.work += len(closed) * len(s.Properties); b.work > maxWork {
		b.tooMuch(g, ruleTooLarge, "allOf with too many entries and properties")
		for _, p := range s.Properties {
			p.Schema = &Schema{Pos: p.Pos}
		}
		return
	}
	for _, p := range s.Properties {
		for _, part := range closed {
			switch {
			case part.names[p.Name]:
			case part.Additional == AdditionalForbidden:
				forbidden = append(forbidden, quote(p.Name))
			case part.additional != nil:
				drafts[p.Name] = append(drafts[p.Name], part.additional)
			}
		}
		p.Schema = b.inside(g, drafts[p.Name]...)
	}
	if len(forbidden) > 0 {
		b.conflict(g, "additionalProperties: false holds for the properties beside it only: list the others there as well, as {}",
			"additionalProperties: false in one part refuses %s of another", cut(list(sortedSet(forbidden))))
	}
}

// maxWork is how often a property may be held against the entry of an allOf, in all.
const maxWork = 10_000_000

// A closedPart says something about properties that it does not list.
type closedPart struct {
	*draft
	names map[string]bool
}

func (g *group) closedParts() (closed []closedPart) {
	for _, p := range g.parts {
		if p.Additional != AdditionalForbidden && p.additional == nil {
			continue
		}
		names := make(map[string]bool, len(p.properties))
		for _, property := range p.properties {
			names[property.name] = true
		}
		closed = append(closed, closedPart{p.draft, names})
	}
	return closed
}

// fieldNames reports Go names that are given to two properties.
func (b *builder) fieldNames(s *Schema) {
	taken := goNames{}
	for _, p := range s.Properties {
		name, pos := p.Schema.GoName, p.Schema.GoNamePos
		if name == "" {
			continue
		}
		if first, again := taken[name]; again {
			b.report(pos, ruleSameGoName, "give one of the two another name", "x-go-name %s is taken %s", name, whereSeen(first, pos))
			continue
		}
		taken[name] = pos
	}
}

func (b *builder) requiredMembers(s *Schema, g *group) {
	var byName map[string]*Property
	known := lazyDictionary(s.Properties, func(p *Property) string { return p.Name })
	for _, part := range g.parts {
		for _, r := range part.required {
			if byName == nil {
				byName = make(map[string]*Property, len(s.Properties))
				for _, p := range s.Properties {
					byName[p.Name] = p
				}
			}
			if p := byName[r.name]; p != nil {
				p.Required = true
			} else if !g.vague {
				b.report(r.pos, ruleRequired, known().didYouMean(r.name, "declare it under properties"), "required names %s, which is no property", quote(r.name))
			}
		}
	}
}

// furtherMembers settles what is valid beside the properties.
func (b *builder) furtherMembers(s *Schema, g *group) {
	var drafts []*draft
	for _, p := range g.parts {
		switch {
		case p.Additional == AdditionalForbidden, s.Additional == AdditionalForbidden:
			s.Additional = AdditionalForbidden
		case p.Additional == AdditionalKept:
			s.Additional = AdditionalKept
		}
		if p.additional != nil {
			drafts = append(drafts, p.additional)
		}
	}
	if len(drafts) == 0 {
		return
	}
	further := b.inside(g, drafts...)
	if s.Additional == AdditionalKept && !further.isFree() {
		s.AdditionalSchema = further
	}
}

// isFree tells whether s is any value, and has nothing to tell about it.
func (s *Schema) isFree() bool {
	return s.Kind == Any && s.Title == "" && s.Description == "" && !s.Deprecated && s.Sensitive == "" && s.GoType == nil && s.Default == nil && len(s.Examples) == 0
}
