package compat

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"
)

var runs = flag.Int("runs", 150, "how many pairs of catalogs to compare")

// A maker makes random schemas and changes them.
type maker struct {
	*rand.Rand
	types []*schema.Type
}

func ptr(v int) *int { return &v }

func num(text string) *schema.Num { return &schema.Num{Text: text} }

func lit(v any) *schema.Literal { return &schema.Literal{JSON: []byte(encode(v))} }

func (m *maker) schema(depth int) *schema.Schema {
	kinds := []schema.Kind{schema.String, schema.Integer, schema.Number, schema.Boolean, schema.String, schema.Integer}
	if depth > 0 {
		kinds = append(kinds, schema.Object, schema.Object, schema.Array, schema.Array, schema.Union, schema.Any, schema.Ref)
	}
	s := &schema.Schema{Kind: kinds[m.Intn(len(kinds))], Nullable: m.Intn(8) == 0}
	switch s.Kind {
	case schema.Ref:
		if len(m.types) == 0 {
			return m.object(depth - 1)
		}
		s.Target, s.Nullable = m.types[m.Intn(len(m.types))], false
	case schema.Any:
		s.Nullable = false
	case schema.Object:
		o := m.object(depth - 1)
		o.Nullable = s.Nullable
		return o
	case schema.Array:
		s.Items = m.schema(depth - 1)
		m.limits(&s.MinItems, &s.MaxItems)
		s.UniqueItems = m.Intn(5) == 0
	case schema.Union:
		s.Discriminator = "kind"
		s.KeepUnknown = m.Intn(4) == 0
		for _, value := range []string{"a", "b", "c"}[:2+m.Intn(2)] {
			b := m.object(0)
			kind := &schema.Schema{Kind: schema.String, Const: lit(value)}
			b.Properties = append(b.Properties, &schema.Property{Name: "kind", Required: true, Schema: kind})
			b.MaxProperties = nil
			s.Branches = append(s.Branches, schema.Branch{Value: value, Schema: b})
		}
	default:
		m.scalar(s)
	}
	return s
}

func (m *maker) limits(low, high **int) {
	if m.Intn(4) == 0 {
		*low = ptr(m.Intn(3))
	}
	if m.Intn(4) == 0 {
		*high = ptr(2 + m.Intn(4))
	}
}

func (m *maker) scalar(s *schema.Schema) {
	switch s.Kind {
	case schema.String:
		switch m.Intn(6) {
		case 0:
			for _, v := range []string{"x", "y", "z"}[:1+m.Intn(3)] {
				s.Enum = append(s.Enum, schema.EnumValue{Value: v})
			}
		case 1:
			s.Const = lit([]string{"x", "k"}[m.Intn(2)])
		case 2:
			s.Format = schema.DateTime + schema.Format(m.Intn(int(schema.IPv6)))
		case 3:
			s.Pattern = []string{"^[a-z]+$", "[0-9]", "^a", "^[A-Z]{2,4}-[0-9]+$"}[m.Intn(4)]
		default:
			m.limits(&s.MinLength, &s.MaxLength)
		}
	case schema.Integer:
		switch m.Intn(6) {
		case 0:
			for _, v := range []string{"1", "2", "3"}[:1+m.Intn(3)] {
				s.Enum = append(s.Enum, schema.EnumValue{Value: v, Integer: true})
			}
		case 1:
			s.Const = lit(json.Number("2"))
		case 2:
			s.Format = schema.Int32 + schema.Format(m.Intn(3))
		}
		if s.Enum == nil && s.Const == nil {
			m.bounds(s)
		}
	case schema.Number:
		if m.Intn(5) == 0 {
			s.Format = schema.Float
		}
		m.bounds(s)
	case schema.Boolean:
		if m.Intn(5) == 0 {
			s.Const = lit(m.Intn(2) == 0)
		}
	}
}

func (m *maker) bounds(s *schema.Schema) {
	s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum, s.MultipleOf = nil, nil, nil, nil, nil
	if m.Intn(4) == 0 {
		s.Minimum = num([]string{"0", "-2.5", "1", "-100"}[m.Intn(4)])
	}
	if m.Intn(5) == 0 {
		s.ExclusiveMinimum = num([]string{"0", "-1", "0.5"}[m.Intn(3)])
	}
	if m.Intn(4) == 0 {
		s.Maximum = num([]string{"100", "50", "99.5", "1e3"}[m.Intn(4)])
	}
	if m.Intn(5) == 0 {
		s.ExclusiveMaximum = num([]string{"100", "60.5"}[m.Intn(2)])
	}
	if m.Intn(5) == 0 {
		s.MultipleOf = num([]string{"2", "0.5", "3", "1", "0.01"}[m.Intn(5)])
	}
}

func (m *maker) object(depth int) *schema.Schema {
	s := &schema.Schema{Kind: schema.Object, Additional: schema.Additional(m.Intn(3))}
	if s.Additional == schema.AdditionalKept && m.Intn(2) == 0 {
		s.AdditionalSchema = m.schema(max(0, depth-1))
	}
	for _, name := range []string{"p", "q", "r"}[:m.Intn(4)] {
		s.Properties = append(s.Properties, &schema.Property{Name: name, Required: m.Intn(2) == 0, Schema: m.schema(depth)})
	}
	if m.Intn(6) == 0 && s.Additional == schema.AdditionalKept {
		s.MinProperties = ptr(m.Intn(3))
	}
	if m.Intn(6) == 0 {
		s.MaxProperties = ptr(3 + m.Intn(2))
	}
	return s
}

// change returns a copy that differs in some places.
func (m *maker) change(s *schema.Schema, depth int) *schema.Schema {
	c := *s
	if m.Intn(12) == 0 {
		return m.schema(depth)
	}
	if m.Intn(12) == 0 && c.Kind != schema.Any && c.Kind != schema.Ref {
		c.Nullable = !c.Nullable
	}
	switch c.Kind {
	case schema.Object:
		c.Properties = nil
		for _, p := range s.Properties {
			if m.Intn(8) == 0 && p.Name != "kind" {
				continue
			}
			q := *p
			if p.Name != "kind" {
				q.Schema = m.change(p.Schema, depth-1)
				if m.Intn(8) == 0 {
					q.Required = !q.Required
				}
			}
			c.Properties = append(c.Properties, &q)
		}
		if m.Intn(6) == 0 {
			c.Properties = append(c.Properties, &schema.Property{Name: "s", Required: m.Intn(2) == 0, Schema: m.schema(0)})
		}
		if m.Intn(8) == 0 {
			o := m.object(1)
			c.Additional, c.AdditionalSchema = o.Additional, o.AdditionalSchema
		} else if c.AdditionalSchema != nil {
			c.AdditionalSchema = m.change(c.AdditionalSchema, depth-1)
		}
	case schema.Array:
		c.Items = m.change(s.Items, depth-1)
		if m.Intn(4) == 0 {
			c.MinItems, c.MaxItems = nil, nil
			m.limits(&c.MinItems, &c.MaxItems)
			c.UniqueItems = m.Intn(2) == 0
		}
	case schema.Union:
		c.Branches = nil
		for i, b := range s.Branches {
			if i == 2 && m.Intn(3) == 0 {
				continue
			}
			c.Branches = append(c.Branches, schema.Branch{Value: b.Value, Schema: m.change(b.Schema, 0)})
			if c.Branches[i].Schema.Kind != schema.Object {
				c.Branches[i].Schema = b.Schema
			} else {
				c.Branches[i].Schema.Nullable = false
			}
		}
		if m.Intn(5) == 0 {
			c.KeepUnknown = !c.KeepUnknown
		}
	case schema.Any, schema.Ref:
	default:
		if m.Intn(3) == 0 {
			c = schema.Schema{Kind: c.Kind, Nullable: c.Nullable}
			m.scalar(&c)
		}
	}
	return &c
}

// document returns a random document that a producer could write.
func (m *maker) document(s *sampler, x *schema.Schema, depth int) (any, bool) {
	if x.AllowsNull() && x.Kind != schema.Ref && m.Intn(3) == 0 {
		return nil, true
	}
	switch x = x.Resolve(); x.Kind {
	case schema.Object:
		given := map[string]any{}
		for _, p := range x.Properties {
			if p.Required || depth > 0 && m.Intn(2) == 0 {
				v, ok := m.document(s, p.Schema, depth-1)
				if !ok && p.Required {
					return nil, false
				}
				if ok {
					given[p.Name] = v
				}
			}
		}
		if x.Additional == schema.AdditionalKept && m.Intn(2) == 0 {
			// A member that the other catalog may declare.
			name := []string{"p", "q", "r", "s", "other"}[m.Intn(5)]
			v, ok := any("any"), true
			if x.AdditionalSchema != nil {
				v, ok = m.document(s, x.AdditionalSchema, depth-1)
			}
			if _, there := given[name]; ok && !there && freeName(name, x) == name {
				given[name] = v
			}
		}
		return s.object(x, given, 0)
	case schema.Array:
		n := valueOf(x.MinItems, 0)
		if more := valueOf(x.MaxItems, n+3) - n; more > 0 {
			n += m.Intn(more + 1)
		}
		var items []any
		for range n {
			if v, ok := m.document(s, x.Items, depth-1); ok {
				items = append(items, v)
			}
		}
		return items, len(items) > 0 || n == 0
	case schema.Union:
		return m.document(s, x.Branches[m.Intn(len(x.Branches))].Schema, depth)
	}
	var all []any
	for _, v := range s.values(x, x, 0) {
		if s.judge.accepts(x, v) {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil, false
	}
	return all[m.Intn(len(all))], true
}

func catalogOf(data *schema.Schema) *schema.Catalog {
	q := &schema.Queue{Name: "q", Topic: "q", DeadLetter: "q.dlq", MaxAttempts: 3}
	return &schema.Catalog{Package: "p", Queues: []*schema.Queue{q}, URNs: []*schema.URN{{URN: "u", Queue: q, Data: data}}}
}

// For random catalogs, each document shows its break, and in a direction that no change breaks, documents of one side
// are valid on the other.
func TestTheTableTellsTheTruth(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine compares many documents")
	t.Parallel()
	shown, assumed := map[string]int{}, map[string]int{}
	safe := 0
	for seed := range *runs {
		m := &maker{Rand: rand.New(rand.NewSource(int64(seed)))}
		tree := &schema.Type{Name: "Tree"}
		tree.Schema = &schema.Schema{Kind: schema.Object, Properties: []*schema.Property{
			{Name: "child", Schema: &schema.Schema{Kind: schema.Ref, Target: tree}},
			{Name: "leaf", Required: true, Schema: m.schema(0)},
		}}
		m.types = []*schema.Type{tree}
		old := m.object(2)
		new := m.change(old, 2)
		if new.Kind != schema.Object {
			continue
		}
		new.Nullable = false
		j := newJudge()
		changes := Compare(catalogOf(old), catalogOf(new), Options{})
		var consumers, producers bool
		for _, c := range changes {
			consumers = consumers || c.Consumers != nil
			producers = producers || c.Producers != nil
			check := func(b *Break, from, to *schema.Schema) {
				switch {
				case b == nil:
				case b.Document == nil:
					assumed[c.Rule]++
					if testing.Verbose() && assumed[c.Rule] == 1 {
						was, is := encode(renderSchema(old)), encode(renderSchema(new))
						t.Logf("seed %d: %s: %s\nold %s\nnew %s", seed, c.Rule, c.Message, was, is)
					}
				case !j.accepts(from, decode(b.Document)) || j.accepts(to, decode(b.Document)):
					t.Errorf("seed %d: %s: %s shows nothing", seed, c.Rule, b.Document)
				default:
					shown[c.Rule]++
				}
			}
			check(c.Consumers, new, old)
			check(c.Producers, old, new)
		}
		s := newSampler(j)
		write := func(from, to *schema.Schema, side string) {
			for range 12 {
				v, ok := m.document(s, from, 3)
				if !ok || !j.accepts(from, v) {
					continue
				}
				safe++
				if !j.accepts(to, v) {
					var all []string
					for _, c := range changes {
						all = append(all, fmt.Sprintf("%s: %s: %s", c.Rule, c.Direction(), c.Message))
					}
					t.Errorf("seed %d: nothing breaks %s, but %s does:\n%s\nold %s\nnew %s", seed, side, encode(v),
						strings.Join(all, "\n"), encode(renderSchema(old)), encode(renderSchema(new)))
					return
				}
			}
		}
		if !consumers {
			write(new, old, "consumers")
		}
		if !producers {
			write(old, new, "producers")
		}
		if t.Failed() {
			return
		}
	}
	if safe < *runs/10 {
		t.Errorf("only %d documents were tried against safe changes", safe)
	}
	all, unshown := 0, 0
	for _, n := range shown {
		all += n
	}
	for _, n := range assumed {
		unshown += n
	}
	if unshown > all/50 {
		t.Errorf("%d of %d breaks are not shown by a document: %v", unshown, all+unshown, assumed)
	}
	t.Logf("safe documents %d\nshown %v\nassumed %v", safe, shown, assumed)
}
