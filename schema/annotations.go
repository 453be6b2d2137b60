package schema

import (
	"go/token"
	"slices"
	"strings"
)

// goNameKeyword takes x-go-name, an exported Go identifier.
func (l *loader) goNameKeyword(d *draft, p pair) {
	switch d.place {
	case atData:
		l.report(p.key.pos, ruleMisplacedKeyword, "use name: of the URN", "x-go-name does not name a payload")
		return
	case elsewhere:
		l.report(p.key.pos, ruleMisplacedKeyword, "put the schema under types or $defs, and name it there", "x-go-name stands at a property or a named type only")
		return
	}
	name, ok := l.text(p.value, "x-go-name")
	if !ok {
		return
	}
	switch {
	case !token.IsIdentifier(name):
		l.report(p.value.pos, ruleGoName, "letters, digits and _, starting with an upper-case letter", "x-go-name %s is not a Go identifier", quote(name))
	case !token.IsExported(name):
		l.report(p.value.pos, ruleGoName, "start it with an upper-case letter", "x-go-name %s is not exported", quote(name))
	default:
		d.GoName, d.GoNamePos = name, p.value.pos
	}
}

// sensitive takes x-gdpr-sensitive: true or a category.
func (l *loader) sensitive(n *node) string {
	switch {
	case n.kind == badNode:
	case n.kind != scalarNode, n.plain && classifyPlain(n.text) != plainString && n.text != "true":
		l.report(n.pos, ruleSensitive, "true, or a category such as contact; leave it out where nothing is sensitive", "x-gdpr-sensitive must be true or a category, this is %s", n.describe())
	case !n.plain && (n.text == "true" || n.text == "false"):
		l.report(n.pos, ruleSensitive, "remove the quotes", "x-gdpr-sensitive is the string %s", quote(n.text))
	case l.notBlank(n.pos, n.text, "the category of x-gdpr-sensitive"):
		return n.text
	}
	return ""
}

// annotate merges what the drafts say about a value beside which are valid. A schema's own word counts most, then
// what its allOf says, then what types that are written out say.
func (b *builder) annotate(s *Schema, g *group) {
	all := append(slices.Clone(g.parts), g.refs...)
	s.Title = texts(all, func(d *draft) string { return d.Title })
	s.Description = texts(all, func(d *draft) string { return d.Description })
	s.Sensitive = b.sensitivity(g, all)
	var names, types []string
	for _, p := range all {
		s.Deprecated = s.Deprecated || p.Deprecated
		if p.GoName != "" && p.level == 0 {
			names = append(names, p.GoName)
			s.GoName, s.GoNamePos = p.GoName, p.GoNamePos
		}
		if p.GoType != nil {
			types = append(types, p.GoType.Import+"."+p.GoType.Name)
			s.GoType = p.GoType
		}
	}
	if names = sortedSet(names); len(names) > 1 {
		b.conflict(g, "keep one of them", "x-go-name cannot be %s at once", list(names))
	}
	if types = sortedSet(types); len(types) > 1 {
		b.conflict(g, "keep one of them", "x-go-type cannot be %s at once", list(describeAll(types)))
	}
	if s.GoType != nil && s.Kind == Ref {
		b.report(s.GoType.Pos, ruleMisplacedKeyword, "put it on the type that is referred to", "x-go-type cannot stand beside $ref")
		s.GoType = nil
	}
	b.attachValues(s, g, all)
}

// texts gives the text of the innermost level that has one. When several have, it is all of them, sorted, so that
// the order of an allOf means nothing.
func texts(parts []part, of func(*draft) string) string {
	for level := own; level <= written; level++ {
		var found []string
		for _, p := range parts {
			if text := of(p.draft); text != "" && p.level == level {
				found = append(found, text)
			}
		}
		if found != nil {
			return strings.Join(sortedSet(found), "\n\n")
		}
	}
	return ""
}

// sensitivity merges categories; a category says more than true.
func (b *builder) sensitivity(g *group, parts []part) string {
	var categories []string
	plain := ""
	for _, p := range parts {
		switch p.Sensitive {
		case "":
		case "true":
			plain = "true"
		default:
			categories = append(categories, p.Sensitive)
		}
	}
	categories = sortedSet(categories)
	if len(categories) == 0 {
		return plain
	}
	if len(categories) > 1 {
		for i, c := range categories {
			categories[i] = quote(c)
		}
		b.conflict(g, "keep one of them", "x-gdpr-sensitive cannot be %s at once", list(categories))
	}
	return categories[0]
}

// attachValues gives s its default and examples, and has them checked. Examples of types that are written out are
// examples of those.
func (b *builder) attachValues(s *Schema, g *group, parts []part) {
	var defaults []string
	for _, p := range parts {
		for _, v := range p.values {
			if v.rule == ruleExample && p.level == written {
				continue
			}
			if s.Kind == Integer && v.node.kind == scalarNode && literalType(v.node) == integerType {
				whole, _ := wholeText(string(v.JSON))
				v.JSON = []byte(whole)
			}
			literal := v.Literal
			if v.rule == ruleExample {
				s.Examples = append(s.Examples, literal)
			} else {
				s.Default = &literal
				defaults = append(defaults, string(v.JSON))
			}
			b.claim(s, v)
		}
	}
	if defaults = sortedSet(defaults); len(defaults) > 1 {
		b.conflict(g, "keep one of them", "default cannot be %s at once", list(describeAll(defaults)))
	}
}
