package schema

import (
	"net/url"
	"strings"
)

// A ref is one $ref. It is resolved when all types are read.
type ref struct {
	pos    Pos
	name   string
	schema *Schema
	to     *root // nil until resolved, and when there is no such type
	from   *root
}

const typePrefix = "#/types/"

// refSchema reads a schema that is a $ref. It stands alone, but for a description.
func (l *loader) refSchema(s *Schema, n *node, r *root) {
	s.Kind = Ref
	s.Description = l.optionalText(n, "description")
	for _, p := range n.pairs {
		if name := p.key.text; name != "$ref" && name != "description" {
			l.report(p.key.pos, ruleRefSiblings, "move it to the type that is referred to", "%s cannot stand beside $ref", quote(name))
		}
	}
	target := n.get("$ref")
	text, ok := l.text(target, "$ref")
	if !ok {
		return
	}
	name, ok := typeName(text)
	if !ok {
		hint := "put the schema under types and refer to it as #/types/NAME"
		if l.types != nil && l.types[text] != nil {
			hint = "write " + quote(typePrefix+text)
		}
		l.report(target.pos, ruleBadRef, hint, "$ref %s does not refer to a type of this catalog", quote(text))
		return
	}
	found := &ref{pos: target.pos, name: name, schema: s, from: r}
	r.refs = append(r.refs, found)
	l.refs = append(l.refs, found)
}

// typeName takes the name out of #/types/NAME: a JSON Pointer in a URI fragment, so % and ~ are escapes.
func typeName(text string) (string, bool) {
	name, ok := strings.CutPrefix(text, typePrefix)
	if !ok || strings.Contains(name, "/") {
		return "", false
	}
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	return unescapePointer(name)
}

// unescapePointer decodes one segment of a JSON Pointer (RFC 6901).
func unescapePointer(segment string) (string, bool) {
	if strings.Contains(strings.NewReplacer("~0", "", "~1", "").Replace(segment), "~") {
		return "", false
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(segment), true
}

func (l *loader) resolveRefs() {
	known := lazyDictionary(l.catalog.Types, func(t *Type) string { return t.Name })
	for _, ref := range l.refs {
		if l.types == nil { // reported
			ref.from.bad = true
			continue
		}
		ref.to = l.types[ref.name]
		if ref.to == nil {
			ref.from.bad = true
			l.report(ref.pos, ruleNoType, known().didYouMean(ref.name, "declare it under types"), "there is no type %s", quote(ref.name))
			continue
		}
		ref.schema.Target = ref.to.typ
	}
}
