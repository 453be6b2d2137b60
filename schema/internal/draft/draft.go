package draft

import (
	"slices"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// A Draft is a schema as it is written.
type Draft struct {
	// What keywords mean on their own. Kind, and all schemas inside, are up to package merge.
	schema.Schema

	ID    int // counts the drafts of a catalog from 1
	Node  *source.Node
	Root  *Root
	What  string // for messages
	Site  Site
	Doubt trust.Doubt

	Types      TypeSet
	NullInEnum bool
	FormatPos  schema.Pos // of the value of format
	Ref        *Ref
	Members    []Member // properties
	Required   []RequiredName
	Item       *Draft // items
	Further    *Draft // additionalProperties, when it is a schema
	AllOf      []*Draft
	OneOf      []*Draft
	AnyOf      []*Draft
	Never      bool   // it is false: no value is valid
	ValuesRule string // enum or const, when its values are no constants of Go
	valueTypes TypeSet
	HasUnknown bool    // x-unknown-branch
	Values     []Value // default and examples
}

// A Member is a property of an object.
type Member struct {
	Name   string
	Pos    schema.Pos
	Schema *Draft
}

// A RequiredName is an entry of required.
type RequiredName struct {
	Name string
	Pos  schema.Pos
}

// Site is where a schema stands, as far as keywords depend on it.
type Site int

// The sites.
const (
	Elsewhere   Site = iota
	AtProperty       // of an object
	AtNamedType      // under types or $defs
	AtData           // the top of a payload
	AtFile           // the top of a file
)

// A Reader reads the drafts of one catalog. Its output are the roots, with their drafts, and the references that have
// to be followed.
type Reader struct {
	source.Expect

	Roots []*Root // in the order in which they were read
	Refs  []*Ref  // in the order in which they were met

	drafts   int // number of drafts
	refs     map[refKey]*Ref
	patterns int             // size of all regular expressions
	packages map[string]bool // of x-go-type
}

// Drafts is the number of drafts so far.
func (r *Reader) Drafts() int { return r.drafts }

// NewReader returns a Reader that reports to r.
func NewReader(r source.Reporter) *Reader {
	return &Reader{Expect: source.Expect{Reporter: r}, refs: map[refKey]*Ref{}, packages: map[string]bool{}}
}

// draft reads a schema and everything inside it. It always returns a draft.
func (r *Reader) draft(n *source.Node, root *Root, what string, at Site) *Draft {
	r.drafts++
	d := &Draft{Node: n, Root: root, What: what, Site: at, ID: r.drafts}
	d.Pos = n.Pos
	if n.IsPartial() {
		d.Doubt = trust.Partial | trust.Inside
	}
	before := r.Errors()
	if r.isSchema(d, n) {
		for _, p := range n.Pairs {
			if p.Key.Text == "type" {
				r.typeKeyword(d, p.Value) // others look at it
			}
		}
		for _, p := range n.Pairs {
			r.keyword(d, p)
		}
	}
	if r.Errors() > before || n.Kind == source.Bad {
		d.Doubt |= trust.Faulty
	}
	r.inner(d)
	if d.Ref != nil && d.Constrains("$ref") {
		r.refBeside(d)
	}
	if r.Errors() > before {
		d.Doubt |= trust.Inside
	}
	return d
}

// isSchema reports whether n is a mapping. true is a schema as well, the empty one.
func (r *Reader) isSchema(d *Draft, n *source.Node) bool {
	switch {
	case n.Kind != source.Scalar, n.IsText(""):
	case n.IsText("true") && d.Site != AtData:
		return false
	case n.IsText("false") && d.Site != AtData:
		d.Never = true
		return false
	case typeNames[n.Text] != 0:
		r.Report(n.Pos, schema.RuleWrongType, "write {type: "+n.Text+"}",
			"%s must be a mapping, this is %s", d.What, n.Describe())
		return false
	}
	return r.IsMapping(n, d.What)
}

// keyword reads a keyword, except for schemas inside it.
func (r *Reader) keyword(d *Draft, p source.Pair) {
	v := p.Value
	switch name := p.Key.Text; name {
	case "type": // read before
	case "title", "description":
		r.textKeyword(d, name, v)
	case "$ref":
		r.refKeyword(d, v)
	case "$defs":
		r.defsKeyword(d, p)
	case "required":
		r.requiredKeyword(d, v)
	case "additionalProperties":
		r.additionalPropertiesKeyword(d, v)
	case "items":
		r.itemsKeyword(v)
	case "minProperties", "maxProperties", "minItems", "maxItems", "minLength", "maxLength":
		r.countKeyword(d, name, v)
	case "uniqueItems":
		r.uniqueItemsKeyword(d, v)
	case "enum":
		r.enumKeyword(d, v)
	case "const":
		r.constKeyword(d, v)
	case "format":
		r.formatKeyword(d, v)
	case "pattern":
		r.patternKeyword(d, v)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		r.numberKeyword(d, name, v)
	case "allOf", "oneOf", "anyOf", "prefixItems":
		r.isSchemaList(v, name)
	case "properties", "patternProperties", "dependentSchemas":
		r.IsMapping(v, name)
	case "dependentRequired":
		r.dependentRequiredKeyword(v)
	case "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems":
		// read later
	case "minContains", "maxContains":
		r.Count(v, name)
	case "default":
		r.defaultKeyword(d, v)
	case "examples":
		r.examplesKeyword(d, v)
	case "deprecated":
		r.deprecatedKeyword(d, v)
	case "$id", "$anchor", "$schema":
		r.Text(v, name)
	case "readOnly", "writeOnly":
		r.Bool(v, name)
		r.passOn(d, p)
	case "$comment", "contentEncoding", "contentMediaType", "contentSchema":
		r.passOn(d, p)
	case "x-go-name":
		r.goNameKeyword(d, p)
	case "x-go-type":
		d.GoType = r.goTypeKeyword(v)
	case "x-gdpr-sensitive":
		d.Sensitive = r.sensitiveKeyword(v)
	case "x-unknown-branch":
		r.unknownBranchKeyword(d, p)
	default:
		if isForeign(name) {
			r.passOn(d, p)
			return
		}
		r.unknownKeyword(p.Key, d.Types)
		d.Doubt |= trust.Partial // nobody knows what it was to mean
	}
}

// inner reads the schemas inside a draft.
func (r *Reader) inner(d *Draft) {
	if d.Node.Kind != source.Mapping {
		return
	}
	for _, p := range d.Node.Pairs {
		switch v := p.Value; p.Key.Text {
		case "$defs":
			if d.Site == AtData && v.Kind == source.Mapping {
				r.readDefs(d.Root, v)
			}
		case "properties":
			r.properties(d, v)
		case "additionalProperties":
			if v.Kind == source.Mapping {
				d.Further = r.draft(v, d.Root, "additionalProperties of "+d.What, Elsewhere)
			}
		case "items":
			if v.Kind != source.Sequence {
				d.Item = r.draft(v, d.Root, "items of "+d.What, Elsewhere)
			}
		case "allOf":
			d.AllOf = r.allOf(d, v)
		case "oneOf":
			d.OneOf = r.oneOf(d, v)
		case "anyOf":
			d.AnyOf = r.anyOf(d, v)
		default:
			r.ruleSchemas(d, p)
		}
	}
}

// Constrains reports whether the draft limits which values are valid, by other keywords than those named.
func (d *Draft) Constrains(except ...string) bool {
	for _, p := range d.Node.Pairs {
		if !isAnnotation(p.Key.Text) && !slices.Contains(except, p.Key.Text) {
			return true
		}
	}
	return false
}

// Precedes reports whether one keyword stands before another.
func (d *Draft) Precedes(keyword, other string) bool {
	for _, p := range d.Node.Pairs {
		switch p.Key.Text {
		case keyword:
			return true
		case other:
			return false
		}
	}
	return false
}

// KeyPos returns where a keyword stands, or where the draft does when it does not have it.
func (d *Draft) KeyPos(keyword string) schema.Pos {
	if pos, ok := d.Node.KeyPos(keyword); ok {
		return pos
	}
	return d.Pos
}

// describeProperty names a property for messages.
func describeProperty(name string) string { return "property " + text.Quote(name) }
