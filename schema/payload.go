package schema

import "strings"

// A root is a payload schema that stands on its own: a shared type's or a URN's data.
type root struct {
	schema *Schema
	typ    *Type // nil for a URN's data
	bad    bool  // something in it was reported
	refs   []*ref
}

// root reads the schema that starts at n.
func (l *loader) root(n *node, what string) *root {
	r := &root{}
	before := len(l.findings)
	r.schema = l.schema(n, r, what)
	r.bad = len(l.findings) > before || n.flawed
	l.roots = append(l.roots, r)
	return r
}

// schema reads one level and what is below it. It always returns a schema; its Kind is zero when that could
// not be told.
func (l *loader) schema(n *node, r *root, what string) *Schema {
	s := &Schema{Pos: n.pos}
	l.vague[s] = true
	if n.kind == scalarNode && kindNames[n.text] != 0 {
		l.report(n.pos, ruleWrongType, "write {type: "+n.text+"}", "%s must be a mapping, this is %s", what, n.describe())
		return s
	}
	if !l.isMapping(n, what) {
		return s
	}
	if n.get("$ref") != nil {
		l.refSchema(s, n, r)
		return s
	}
	s.Kind = l.kind(n, what)
	delete(l.vague, s)
	s.Description = l.optionalText(n, "description")
	for _, p := range n.pairs {
		l.keyword(s, p)
	}
	// Whatever the type turned out to be, look into everything that is there.
	if v := n.get("properties"); v != nil {
		l.properties(s, v, r)
	}
	if v := n.get("required"); v != nil {
		l.required(s, v)
	}
	if v := n.get("items"); v != nil {
		s.Items = l.schema(v, r, "items")
	} else if s.Kind == Array {
		l.report(s.Pos, ruleMissingItems, "items: {type: string}", "%s is an array without items", what)
	}
	if v := n.get("enum"); v != nil {
		l.enum(s, v)
	}
	if v := n.get("format"); v != nil {
		l.format(s, v, n)
	}
	return s
}

var kindNames = map[string]Kind{
	"object": Object, "array": Array, "string": String, "integer": Integer, "number": Number, "boolean": Boolean,
}

var kindList = []string{"object", "array", "string", "integer", "number", "boolean"}

// String is the name that JSON Schema has for the kind; a Ref has none there and is "$ref".
func (k Kind) String() string {
	if k >= Object && k <= Boolean {
		return kindList[k-Object]
	}
	return "$ref"
}

// otherNames are what other schema languages and programming languages call the kinds.
var otherNames = map[string]string{
	"map": "object", "struct": "object", "dict": "object", "record": "object",
	"list": "array", "set": "array", "sequence": "array", "slice": "array",
	"str": "string", "text": "string", "enum": "string", "char": "string",
	"int": "integer", "long": "integer", "short": "integer", "int32": "integer", "int64": "integer", "bigint": "integer",
	"float": "number", "double": "number", "float32": "number", "float64": "number", "real": "number",
	"bool":      "boolean",
	"date-time": "string with format: date-time", "datetime": "string with format: date-time", "timestamp": "string with format: date-time",
	"uuid": "string with format: uuid", "decimal": "string",
}

// kind reads type. When it cannot, the other keywords tell what was meant.
func (l *loader) kind(n *node, what string) Kind {
	t := n.get("type")
	meant := impliedKind(n)
	switch {
	case t == nil && n.hasAny("allOf", "anyOf", "oneOf", "not", "if", "const", "$dynamicRef"):
		return meant // reported as a keyword that is not supported; a type beside it would not help
	case t == nil && meant == 0:
		l.report(n.pos, ruleMissingType, "type: one of "+list(kindList), "%s has no type", what)
		return 0
	case t == nil:
		l.report(n.pos, ruleMissingType, "add type: "+meant.String(), "%s has no type", what)
		return meant
	case t.kind == sequenceNode:
		l.report(t.pos, ruleUnknownType, "give one type; leave an optional property out of required", "a list of types is not supported")
		return meant
	case t.kind == scalarNode && t.text == "null":
		l.report(t.pos, ruleUnknownType, "leave an optional property out of required", "type null is not supported")
		return meant
	}
	name, ok := l.text(t, "type")
	if !ok {
		return meant
	}
	if k := kindNames[name]; k != 0 {
		return k
	}
	hint := "supported: " + list(kindList)
	if near := otherNames[strings.ToLower(name)]; near != "" {
		hint = "use " + near
	} else if near := nearest(name, kindList); near != "" {
		hint = "did you mean " + near + "?"
	}
	l.report(t.pos, ruleUnknownType, hint, "unknown type %s", quote(name))
	return meant
}

func impliedKind(n *node) Kind {
	for _, k := range keywords {
		if k.kind != 0 && n.get(k.name) != nil {
			return k.kind
		}
	}
	return 0
}

func (l *loader) properties(s *Schema, n *node, r *root) {
	if !l.isMapping(n, "properties") {
		l.vague[s] = true
		return
	}
	if n.flawed {
		l.vague[s] = true
	}
	for _, p := range n.pairs {
		s.Properties = append(s.Properties, &Property{
			Name:   p.key.text,
			Pos:    p.key.pos,
			Schema: l.schema(p.value, r, "property "+quote(p.key.text)),
		})
	}
}

func (l *loader) required(s *Schema, n *node) {
	if n.kind == scalarNode && (n.text == "true" || n.text == "false") {
		l.report(n.pos, ruleWrongType, "required is a list on the object that has the property: required: [name]",
			"required must be a list, this is %s", n.text)
		return
	}
	if !l.isList(n, "required") || s.Kind != Object {
		return
	}
	known := lazyDictionary(s.Properties, func(p *Property) string { return p.Name })
	byName := make(map[string]*Property, len(s.Properties))
	for _, p := range s.Properties {
		byName[p.Name] = p
	}
	for _, item := range n.items {
		name, ok := l.reference(item, "an entry of required")
		if !ok {
			continue
		}
		p := byName[name]
		switch {
		case p == nil && l.vague[s]:
		case p == nil:
			l.report(item.pos, ruleRequired, known().didYouMean(name, "declare it under properties"), "required names %s, which is no property", quote(name))
		case p.Required:
			l.report(item.pos, ruleRequired, "keep one of the two", "required names %s twice", quote(name))
		default:
			p.Required = true
		}
	}
}

func (l *loader) enum(s *Schema, n *node) {
	if !l.isList(n, "enum") || s.Kind != String {
		return
	}
	if len(n.items) == 0 {
		l.report(n.pos, ruleEnum, "list the values, or leave enum out", "enum is empty: no value would be valid")
		return
	}
	lines := make(map[string]int, len(n.items))
	for _, item := range n.items {
		value, ok := l.text(item, "an enum value")
		if !ok {
			continue
		}
		if line := lines[value]; line != 0 {
			l.report(item.pos, ruleEnum, "keep one of the two", "enum value %s is there already, on line %d", quote(value), line)
			continue
		}
		lines[value] = item.pos.Line
		s.Enum = append(s.Enum, EnumValue{Value: value, Pos: item.pos})
	}
}

var formats = map[string]Format{"date-time": DateTime, "uuid": UUID}

var formatList = []string{"date-time", "uuid"}

// String is the name that JSON Schema has for the format, or "".
func (f Format) String() string {
	if f >= DateTime && f <= UUID {
		return formatList[f-DateTime]
	}
	return ""
}

func (l *loader) format(s *Schema, n, parent *node) {
	name, ok := l.text(n, "format")
	if !ok || s.Kind != String {
		return
	}
	if s.Format, ok = formats[name]; !ok {
		l.report(n.pos, ruleFormat, didYouMean(name, formatList, "supported: "+list(formatList)), "format %s is not supported", quote(name))
	} else if parent.get("enum") != nil {
		l.report(n.pos, ruleMisplacedKeyword, "an enum's values say what is valid: leave format out", "enum and format cannot stand together")
	}
}
