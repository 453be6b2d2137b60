package draft

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// inSchema says which keywords contain schemas, and how.
var inSchema = map[string]shape{
	"not": one, "if": one, "then": one, "else": one, "contains": one, "propertyNames": one, "items": one,
	"additionalProperties": one, "unevaluatedProperties": one, "unevaluatedItems": one,
	"properties": named, "patternProperties": named, "dependentSchemas": named,
	"allOf": listed, "anyOf": listed, "oneOf": listed, "prefixItems": listed,
}

type shape int

const (
	one shape = iota + 1
	named
	listed
)

// A refKey is the text of a $ref in a root. Two roots can share it through an anchor, and mean different types.
type refKey struct {
	root *Root
	text *source.Node
}

// ruleSchemas reads the schemas of a keyword that becomes part of a rule. They never become schemas of the catalog, but
// their faults are reported, and their references followed.
func (r *Reader) ruleSchemas(d *Draft, p source.Pair) {
	name, v := p.Key.Text, p.Value
	read := func(n *source.Node) { r.draft(n, d.Root, name+" of "+d.What, Elsewhere) }
	switch shape := inSchema[name]; {
	case shape == one:
		read(v)
	case shape == listed && v.Kind == source.Sequence:
		for _, item := range v.Items {
			read(item)
		}
	case shape == named && v.Kind == source.Mapping:
		for _, inner := range v.Pairs {
			if name == "patternProperties" {
				r.isPattern(inner.Key, inner.Key.Text)
			}
			read(inner.Value)
		}
	}
}

func (r *Reader) dependentRequiredKeyword(n *source.Node) {
	if !r.IsMapping(n, "dependentRequired") {
		return
	}
	for _, p := range n.Pairs {
		what := "dependentRequired of " + text.Quote(p.Key.Text)
		if !r.IsList(p.Value, what) {
			continue
		}
		for _, item := range p.Value.Items {
			r.Name(item, "an entry of "+what)
		}
	}
}

// Rule returns the draft as JSON Schema, with all or some of its keywords, without those that limit nothing. References
// have been followed.
func (r *Reader) Rule(d *Draft, keywords ...string) schema.Rule {
	return schema.Rule{Pos: d.Pos, Schema: r.verbatim(d.Root, d.Node, keywords)}
}

func (r *Reader) verbatim(root *Root, n *source.Node, keywords []string) jsonobj.Object {
	if n.IsText("false") {
		return jsonobj.Object{{Name: "not", Value: jsonobj.Object{}}}
	}
	o := jsonobj.Object{}
	for _, p := range n.Pairs {
		name := p.Key.Text
		if isAnnotation(name) || name == "x-unknown-branch" || len(keywords) > 0 && !slices.Contains(keywords, name) {
			continue
		}
		o = append(o, jsonobj.Member{Name: name, Value: r.verbatimValue(root, name, p.Value)})
	}
	return o
}

func (r *Reader) verbatimValue(root *Root, keyword string, v *source.Node) any {
	inner := func(n *source.Node) any {
		if n.Kind == source.Scalar {
			return n.IsText("true") // or false
		}
		return r.verbatim(root, n, nil)
	}
	switch shape := inSchema[keyword]; {
	case keyword == "$ref":
		if ref := r.refs[refKey{root, v}]; ref != nil && ref.To != nil {
			return ref.To.Type
		}
		return v.Text // reported
	case shape == one:
		return inner(v)
	case shape == listed && v.Kind == source.Sequence:
		list := make([]any, len(v.Items))
		for i, item := range v.Items {
			list[i] = inner(item)
		}
		if keyword == "allOf" {
			slices.SortStableFunc(list, compareRules)
		}
		return list
	case shape == named && v.Kind == source.Mapping:
		o := jsonobj.Object{}
		for _, p := range v.Pairs {
			o = append(o, jsonobj.Member{Name: p.Key.Text, Value: inner(p.Value)})
		}
		return o
	}
	compact, _ := v.JSON(func(*source.Node) {}) // reported
	return json.RawMessage(compact)
}

// SortRules orders rules by what they say: as in an allOf, their order has no meaning.
func SortRules(rules []schema.Rule) {
	slices.SortStableFunc(rules, func(a, b schema.Rule) int { return compareRules(a.Schema, b.Schema) })
}

// compareRules compares rules, or parts of rules, by their text.
func compareRules(a, b any) int { return strings.Compare(ruleText(a), ruleText(b)) }

func ruleText(v any) string {
	var b strings.Builder
	writeRule(&b, v)
	return b.String()
}

func writeRule(b *strings.Builder, v any) {
	switch v := v.(type) {
	case jsonobj.Object:
		b.WriteByte('{')
		for _, m := range v {
			fmt.Fprintf(b, "%q:", m.Name)
			writeRule(b, m.Value)
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for _, item := range v {
			writeRule(b, item)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case *schema.Type:
		fmt.Fprintf(b, "%q", v.Name)
	case json.RawMessage:
		b.Write(v)
	default:
		fmt.Fprint(b, v)
	}
}
