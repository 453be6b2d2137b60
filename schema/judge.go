package schema

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// A judge validates examples with a JSON Schema library, so that what a catalog means is settled by JSON
// Schema's own definition and not by the code that bqgen generates.
type judge struct {
	*loader
	number   map[*root]int
	unsound  map[*root]bool // reported, or referring to what was reported
	compiler *jsonschema.Compiler
	broken   error
}

const judgeURL = "catalog.json"

// newJudge makes one JSON Schema of all roots in which nothing was found.
func newJudge(l *loader) *judge {
	j := &judge{loader: l, number: make(map[*root]int, len(l.roots)), unsound: unsoundRoots(l.roots)}
	for i, r := range l.roots {
		j.number[r] = i
	}
	defs := make(map[string]any, len(l.roots))
	for _, r := range l.roots {
		if !j.unsound[r] {
			defs[strconv.Itoa(j.number[r])] = j.render(r.schema)
		}
	}
	j.compiler = jsonschema.NewCompiler()
	j.compiler.DefaultDraft(jsonschema.Draft2020)
	j.compiler.AssertFormat()
	j.broken = j.compiler.AddResource(judgeURL, map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"$defs":   defs,
	})
	return j
}

// unsoundRoots spreads what is bad to all that refers to it.
func unsoundRoots(roots []*root) map[*root]bool {
	usedBy := map[*root][]*root{}
	unsound := map[*root]bool{}
	var spread []*root
	for _, r := range roots {
		if r.bad {
			unsound[r] = true
			spread = append(spread, r)
		}
		for _, ref := range r.refs {
			if ref.to != nil {
				usedBy[ref.to] = append(usedBy[ref.to], r)
			}
		}
	}
	for len(spread) > 0 {
		r := spread[len(spread)-1]
		spread = spread[:len(spread)-1]
		for _, user := range usedBy[r] {
			if !unsound[user] {
				unsound[user] = true
				spread = append(spread, user)
			}
		}
	}
	return unsound
}

// check validates one example. An example of an unsound schema is not judged.
func (j *judge) check(r *root, n *node, value any) {
	if j.unsound[r] {
		return
	}
	compiled, err := j.compile(r)
	if err != nil {
		j.report(n.pos, ruleExample, "this is a bug in bqgen", "the example cannot be checked: %v", err)
		return
	}
	var invalid *jsonschema.ValidationError
	if err := compiled.Validate(value); errors.As(err, &invalid) {
		j.violations(n, invalid)
	} else {
		j.integers(r.schema, n, "")
	}
}

func (j *judge) compile(r *root) (*jsonschema.Schema, error) {
	if j.broken != nil {
		return nil, j.broken
	}
	return j.compiler.Compile(judgeURL + j.refTo(r)) // compiled once
}

func (j *judge) refTo(r *root) string { return fmt.Sprintf("#/$defs/%d", j.number[r]) }

// render writes a schema as JSON Schema 2020-12.
func (j *judge) render(s *Schema) map[string]any {
	if s.Kind == Ref {
		return map[string]any{"$ref": j.refTo(j.types[s.Target.Name])}
	}
	out := map[string]any{"type": s.Kind.String()}
	switch s.Kind {
	case Object:
		properties := make(map[string]any, len(s.Properties))
		required := []any{}
		for _, p := range s.Properties {
			properties[p.Name] = j.render(p.Schema)
			if p.Required {
				required = append(required, p.Name)
			}
		}
		out["properties"], out["required"] = properties, required
	case Array:
		out["items"] = j.render(s.Items)
	case String:
		if s.Enum != nil {
			values := make([]any, len(s.Enum))
			for i, v := range s.Enum {
				values[i] = v.Value
			}
			out["enum"] = values
		}
		if s.Format != NoFormat {
			out["format"] = s.Format.String()
		}
	}
	return out
}

// violations reports each fault at the member that has it.
func (j *judge) violations(n *node, v *jsonschema.ValidationError) {
	if len(v.Causes) > 0 {
		for _, cause := range v.Causes {
			j.violations(n, cause)
		}
		return
	}
	at, where := n, "example"
	if len(v.InstanceLocation) > 0 {
		where += " at " + quote(pointer(v.InstanceLocation))
	}
	for _, segment := range v.InstanceLocation {
		if at.kind == sequenceNode {
			i, _ := strconv.Atoi(segment)
			at = at.items[i]
		} else {
			at = at.get(segment)
		}
	}
	if j.reported[at] {
		return
	}
	switch k := v.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			j.report(at.pos, ruleExample, "", "%s: required property %s is missing", where, quote(name))
		}
	case *kind.Type:
		hint := ""
		if at.kind == scalarNode && at.plain && k.Want[0] == "string" {
			hint = `quote it: "` + cut(at.text) + `"`
		}
		j.report(at.pos, ruleExample, hint, "%s: must be of type %s, this is %s", where, strings.Join(k.Want, " or "), at.describe())
	case *kind.Enum:
		var allowed []string
		for _, value := range k.Want {
			allowed = append(allowed, quote(fmt.Sprint(value)))
		}
		j.report(at.pos, ruleExample, "one of "+cut(list(allowed)), "%s: %s is not in the enum", where, at.describe())
	case *kind.Format:
		j.report(at.pos, ruleExample, "", "%s: %s is not a %s", where, at.describe(), k.Want)
	default:
		j.report(at.pos, ruleExample, "", "%s: breaks the schema at %s", where, strings.Join(v.ErrorKind.KeywordPath(), "/"))
	}
}

// pointer writes a JSON Pointer (RFC 6901).
func pointer(segments []string) string {
	var b strings.Builder
	for _, s := range segments {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(s))
	}
	return b.String()
}

// integers reports integers that JSON Schema allows and generated code cannot hold: it reads into int64.
func (j *judge) integers(s *Schema, n *node, where string) {
	s = s.Resolve()
	switch s.Kind {
	case Object:
		for _, p := range s.Properties {
			if member := n.get(p.Name); member != nil {
				j.integers(p.Schema, member, where+pointer([]string{p.Name}))
			}
		}
	case Array:
		for i, item := range n.items {
			j.integers(s.Items, item, fmt.Sprintf("%s/%d", where, i))
		}
	case Integer:
		if j.reported[n] {
			return
		}
		if v, ok := new(big.Rat).SetString(n.text); ok && !v.Num().IsInt64() {
			j.report(n.pos, ruleExample, "make it a string", "example at %s: %s does not fit into 64 bits", quote(where), cut(n.text))
		}
	}
}
