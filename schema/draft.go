package schema

import "slices"

// A draft is a schema as it is written: its keywords are read and checked one by one, but allOf is not merged,
// oneOf not understood, and nobody has looked where $ref leads. A builder makes the Schema of it.
type draft struct {
	Schema // what keywords say that stand for themselves. Kind and schemas inside are the builder's
	node   *node
	root   *root
	what   string // for messages
	place  place

	id    int
	built bool

	// bad: a keyword was reported, so nothing that follows from what is there is to be reported.
	bad bool
	// vague: not all of it could be read.
	vague bool
	// unsound: something was reported, in it or further inside.
	unsound bool

	types      typeSet
	enumNull   bool // null is in the enum
	format     *node
	ref        *ref
	properties []draftProperty
	required   []requiredName
	items      *draft
	additional *draft // the schema of additionalProperties
	allOf      []*draft
	oneOf      []*draft
	unknown    *node // x-unknown-branch

	values []draftValue // default and examples
}

type draftProperty struct {
	name   string
	pos    Pos
	schema *draft
}

type requiredName struct {
	name string
	pos  Pos
}

// place says where a schema stands, as far as keywords depend on it.
type place int

const (
	elsewhere   place = iota
	atProperty        // of an object
	atNamedType       // under types or $defs
	atData            // the top of a payload
)

// draft reads one level and what is below it. It always returns a draft.
func (l *loader) draft(n *node, r *root, what string, at place) *draft {
	l.drafts++
	d := &draft{node: n, root: r, what: what, place: at, id: l.drafts}
	d.Pos = n.pos
	d.vague = n.flawed
	before := l.errors
	if l.isSchema(d, n) {
		for _, p := range n.pairs {
			if p.key.text == "type" {
				l.typeKeyword(d, p.value) // others look at it
			}
		}
		for _, p := range n.pairs {
			l.keyword(d, p)
		}
		if n.get("$ref") != nil {
			l.refSiblings(n)
		}
	}
	d.bad = l.errors > before || n.kind == badNode
	l.inner(d)
	d.unsound = l.errors > before || n.flawed
	return d
}

// isSchema tells whether n is a mapping. true is a schema as well, the empty one.
func (l *loader) isSchema(d *draft, n *node) bool {
	switch {
	case n.kind != scalarNode, n.plain && n.text == "":
	case n.plain && n.text == "true" && d.place != atData:
		return false
	case n.plain && n.text == "false":
		l.report(n.pos, ruleFalseSchema, "leave it out; additionalProperties: false refuses members that are not listed", "%s is false: no value would be valid", d.what)
		return false
	case kindNames[n.text] != 0:
		l.report(n.pos, ruleWrongType, "write {type: "+n.text+"}", "%s must be a mapping, this is %s", d.what, n.describe())
		return false
	}
	return l.isMapping(n, d.what)
}

// keyword reads a keyword, but for schemas inside of it.
func (l *loader) keyword(d *draft, p pair) {
	v := p.value
	switch name := p.key.text; name {
	case "type": // read before
	case "title":
		d.Title, _ = l.text(v, name)
	case "description":
		d.Description, _ = l.text(v, name)
	case "$ref":
		l.refKeyword(d, v)
	case "$defs":
		if d.place != atData {
			l.report(p.key.pos, ruleMisplacedKeyword, "put shared schemas under types, or into the $defs at the top of data", "$defs stands at the top of data only")
		} else {
			l.isMapping(v, name)
		}
	case "properties":
		l.isMapping(v, name)
	case "required":
		l.requiredKeyword(d, v)
	case "additionalProperties":
		l.additionalKeyword(d, v)
	case "items":
		if v.kind == sequenceNode {
			l.report(v.pos, ruleWrongType, "one schema for all items; for a tuple use an object with properties", "items must be a schema, this is a list")
		}
	case "minProperties":
		d.MinProperties = l.count(v, name)
	case "maxProperties":
		d.MaxProperties = l.count(v, name)
	case "minItems":
		d.MinItems = l.count(v, name)
	case "maxItems":
		d.MaxItems = l.count(v, name)
	case "minLength":
		d.MinLength = l.count(v, name)
	case "maxLength":
		d.MaxLength = l.count(v, name)
	case "uniqueItems":
		d.UniqueItems = l.boolean(v, name)
	case "enum":
		l.enumKeyword(d, v)
	case "const":
		l.constKeyword(d, v)
	case "format":
		l.formatKeyword(d, v)
	case "pattern":
		l.patternKeyword(d, v)
	case "minimum":
		d.Minimum = l.number(v, name)
	case "maximum":
		d.Maximum = l.number(v, name)
	case "exclusiveMinimum":
		d.ExclusiveMinimum = l.number(v, name)
	case "exclusiveMaximum":
		d.ExclusiveMaximum = l.number(v, name)
	case "multipleOf":
		l.multipleOfKeyword(d, v)
	case "allOf", "oneOf":
		if l.isList(v, name) && len(v.items) == 0 {
			l.report(v.pos, ruleWrongType, "list schemas, or leave it out", "%s is empty", name)
		}
	case "default":
		l.defaultKeyword(d, v)
	case "examples":
		l.examplesKeyword(d, v)
	case "deprecated":
		d.Deprecated = l.boolean(v, name)
	case "readOnly", "writeOnly":
		if l.boolean(v, name) {
			l.warn(p.key.pos, ruleIgnored, "a message has one direction: leave it out", "%s is ignored", name)
		}
	case "x-go-name":
		l.goNameKeyword(d, p)
	case "x-go-type":
		d.GoType = l.goType(v)
	case "x-gdpr-sensitive":
		d.Sensitive = l.sensitive(v)
	case "x-unknown-branch":
		l.unknownKeyword(d, p)
	default:
		l.foreignKeyword(p.key, d.types)
		d.vague = true // who knows what it was to say
	}
}

// inner reads the schemas inside of a draft.
func (l *loader) inner(d *draft) {
	if d.node.kind != mappingNode {
		return
	}
	for _, p := range d.node.pairs {
		switch v := p.value; p.key.text {
		case "$defs":
			if d.place == atData && v.kind == mappingNode {
				l.loadDefs(d.root, v)
			}
		case "properties":
			l.propertiesKeyword(d, v)
		case "additionalProperties":
			if v.kind == mappingNode {
				d.additional = l.draft(v, d.root, "additionalProperties of "+d.what, elsewhere)
			}
		case "items":
			if v.kind != sequenceNode {
				d.items = l.draft(v, d.root, "items of "+d.what, elsewhere)
			}
		case "allOf":
			d.allOf = l.draftList(d, v, "an entry of allOf")
		case "oneOf":
			d.oneOf = l.draftList(d, v, "an entry of oneOf")
		}
	}
}

func (l *loader) draftList(d *draft, n *node, what string) []*draft {
	if n.kind != sequenceNode {
		return nil
	}
	drafts := make([]*draft, len(n.items))
	for i, item := range n.items {
		drafts[i] = l.entry(item, d.root, what)
	}
	return drafts
}

// entry reads a schema of a list. Of oneOf it may be null alone.
func (l *loader) entry(n *node, r *root, what string) *draft {
	if what == "an entry of oneOf" && isNullSchema(n) {
		l.drafts++
		return &draft{node: n, root: r, what: what, types: nullType, id: l.drafts, Schema: Schema{Pos: n.pos}}
	}
	return l.draft(n, r, what, elsewhere)
}

// isNullSchema tells whether n is {type: "null"}.
func isNullSchema(n *node) bool {
	t := n.get("type")
	return t != nil && len(n.pairs) == 1 && t.kind == scalarNode && !t.plain && t.text == "null"
}

// constrains tells whether the draft says which values are valid, by other keywords than those named.
func (d *draft) constrains(but ...string) bool {
	for _, p := range d.node.pairs {
		if !slices.Contains(annotations, p.key.text) && !slices.Contains(but, p.key.text) {
			return true
		}
	}
	return false
}

// keyPos is where a keyword stands.
func (d *draft) keyPos(keyword string) Pos {
	for _, p := range d.node.pairs {
		if p.key.text == keyword {
			return p.key.pos
		}
	}
	return d.Pos
}
