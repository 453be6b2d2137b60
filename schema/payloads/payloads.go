// Package payloads checks payloads against a catalog, as publishing and consuming do, and says where in the text a
// fault is.
package payloads

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/judge"
	"github.com/babelqueue/bqgen/schema/internal/merge"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// Rule is the rule of findings about payloads.
const Rule = "payload"

// A Checker checks payloads of one catalog. It is not safe for concurrent use.
type Checker struct {
	findings source.Findings
	judge    *judge.Judge
	roots    map[*schema.URN]*draft.Root
	calls    int
	catalog  *schema.Catalog
}

// maxCalls is after how many payloads a checker starts anew: what a judge may do in all is limited.
const maxCalls = 500

// New returns a checker for a catalog without errors.
func New(c *schema.Catalog) *Checker {
	k := &Checker{catalog: c}
	k.reset()
	return k
}

// reset makes a judge with a fresh budget.
func (k *Checker) reset() {
	k.roots = map[*schema.URN]*draft.Root{}
	k.calls = 0
	byType := map[*schema.Type]*draft.Root{}
	var roots []*draft.Root
	named := func(types []*schema.Type) {
		for _, t := range types {
			byType[t] = &draft.Root{Type: t, Schema: t.Schema}
			roots = append(roots, byType[t])
		}
	}
	named(k.catalog.Types)
	for _, u := range k.catalog.URNs {
		named(u.Defs)
		k.roots[u] = &draft.Root{Schema: u.Data}
		roots = append(roots, k.roots[u])
	}
	refer := func(from *draft.Root, to []*schema.Type) {
		for _, t := range to {
			if byType[t] != nil {
				from.Refs = append(from.Refs, &draft.Ref{To: byType[t]})
			}
		}
	}
	for t, root := range byType {
		refer(root, t.Refs)
	}
	for u, root := range k.roots {
		refer(root, u.Refs)
	}
	k.judge = judge.New(&k.findings, roots, &merge.Result{})
}

// Payload checks a payload that stands in a file, which is named in the findings. It returns the payload as it is sent:
// without white space between its values, and otherwise byte for byte. The payload is nil if there are errors.
func (k *Checker) Payload(u *schema.URN, filename string, text []byte) ([]byte, schema.Diagnostics) {
	if k.calls++; k.calls > maxCalls {
		k.reset()
	}
	k.findings = source.Findings{}
	reader := source.NewReader(&k.findings)
	n := reader.ReadJSON(source.File{Name: filename, What: "the payload", Data: true}, text)
	if n == nil {
		return nil, k.findings.Diagnostics(reader.Places)
	}
	if n.Kind != source.Mapping {
		k.findings.Report(n.Pos, schema.RuleWrongType, "", "a payload is a JSON object, this is %s", n.Describe())
		return nil, k.findings.Diagnostics(reader.Places)
	}
	v := draft.Value{Node: n, Rule: Rule, What: "payload"}
	v.Pos = n.Pos
	v.JSON, v.Decoded = n.JSON(func(invalid *source.Node) {
		k.findings.Report(invalid.Pos, Rule, "", "payload: %s cannot be a value", invalid.Describe())
	})
	if k.findings.Errors() == 0 {
		k.judge.Payload(k.roots[u], v)
	}
	findings := k.findings.Diagnostics(reader.Places)
	if findings.HasErrors() {
		return nil, findings
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil { // it has been parsed
		panic("payloads: " + err.Error())
	}
	return compact.Bytes(), findings
}

// Find returns the URN with this name, or nil.
func (k *Checker) Find(urn string) *schema.URN {
	for _, u := range k.catalog.URNs {
		if u.URN == urn {
			return u
		}
	}
	return nil
}

// Key returns the message key of a valid payload, as generated code does: the value at the URN's key, as text, or "".
func Key(u *schema.URN, payload []byte) string {
	if u.Key == nil {
		return ""
	}
	value := json.RawMessage(payload)
	for _, p := range u.Key.Path {
		var members map[string]json.RawMessage
		if json.Unmarshal(value, &members) != nil {
			return ""
		}
		value = members[p.Name]
	}
	last := u.Key.Path[len(u.Key.Path)-1].Schema.Resolve()
	var s string
	switch text := string(value); {
	case text == "" || text == "null":
		return ""
	case text[0] != '"':
		if n, ok := source.WholeText(text); ok && last.Kind == schema.Integer {
			return n
		}
		return text
	case json.Unmarshal(value, &s) != nil:
		return ""
	}
	switch last.Format {
	case schema.UUID:
		if id, err := uuid.Parse(s); err == nil {
			return id.String()
		}
	case schema.DateTime:
		if t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(s)); err == nil {
			return t.Format(time.RFC3339Nano)
		}
	}
	return s
}

// Member returns the value at a JSON Pointer in a payload as text: a string without quotes, anything else as JSON. ok
// is false if there is none.
func Member(payload []byte, path []string) (text string, ok bool) {
	value := json.RawMessage(payload)
	for _, name := range path {
		var members map[string]json.RawMessage
		var items []json.RawMessage
		switch {
		case json.Unmarshal(value, &members) == nil:
			if value, ok = members[name]; !ok {
				return "", false
			}
		case json.Unmarshal(value, &items) == nil:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(items) {
				return "", false
			}
			value = items[i]
		default:
			return "", false
		}
	}
	var s string
	if len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &s) == nil {
		return s, true
	}
	return string(value), len(value) > 0
}
