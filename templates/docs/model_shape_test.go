package docs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// text returns a row on one line, for comparisons.
func (r row) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s%s: %s", strings.Repeat("  ", r.Depth), r.Parent, r.Name, r.Type)
	for _, flag := range []struct {
		on   bool
		text string
	}{
		{r.Required, "required"}, {r.Variant, "variant"}, {r.Inside, "inside"}, {r.Key, "key"},
		{r.Deprecated, "deprecated"}, {r.Sensitive != "", "sensitive " + r.Sensitive},
	} {
		if flag.on {
			b.WriteString(" (" + flag.text + ")")
		}
	}
	for _, f := range r.Facts {
		b.WriteString("; " + strings.TrimSpace(f.Text+" "+strings.Join(f.Codes, "|")))
	}
	return b.String()
}

func ptr[T any](v T) *T { return &v }

func num(text string) *schema.Num { return &schema.Num{Text: text} }

func lit(text string) *schema.Literal { return &schema.Literal{JSON: []byte(text)} }

func enum(values ...string) []schema.EnumValue {
	var all []schema.EnumValue
	for _, v := range values {
		all = append(all, schema.EnumValue{Value: v, Integer: true})
	}
	return all
}

func arrayOf(items *schema.Schema) *schema.Schema {
	return &schema.Schema{Kind: schema.Array, Items: items}
}

// everything returns a schema that uses every keyword of a payload.
func everything() *schema.Schema {
	str := func() *schema.Schema { return &schema.Schema{Kind: schema.String} }
	object := func(p ...*schema.Property) *schema.Schema { return &schema.Schema{Kind: schema.Object, Properties: p} }
	money := &schema.Type{Name: "Money", Schema: &schema.Schema{Kind: schema.Object}}
	moneyRef := &schema.Schema{Kind: schema.Ref, Target: money}
	property := func(name string, s *schema.Schema) *schema.Property { return &schema.Property{Name: name, Schema: s} }
	card := object(
		&schema.Property{Name: "kind", Required: true, Schema: &schema.Schema{Kind: schema.String, Const: lit(`"card"`)}},
		property("number", str()),
	)
	s := object(
		&schema.Property{Name: "id", Required: true, Schema: &schema.Schema{
			Kind: schema.Integer, Minimum: num("1"), ExclusiveMaximum: num("1e3"), MultipleOf: num("5"),
		}},
		property("text", &schema.Schema{
			Kind: schema.String, Nullable: true, MinLength: ptr(1), MaxLength: ptr(40), Pattern: "^a|b$",
			Default: lit(`"x"`), Examples: []schema.Literal{*lit(`"a"`), *lit(`"b"`)},
			Sensitive: "contact", Deprecated: true, Title: "A text", Description: "One.\n\nTwo.",
		}),
		property("when", &schema.Schema{Kind: schema.String, Format: schema.DateTime}),
		property("level", &schema.Schema{Kind: schema.Integer, Enum: enum("1", "2")}),
		property("free", &schema.Schema{Kind: schema.Any}),
		property("tags", &schema.Schema{
			Kind: schema.Array, MinItems: ptr(2), MaxItems: ptr(2), UniqueItems: true,
			Items: &schema.Schema{Kind: schema.String, MaxLength: ptr(1)},
		}),
		property("matrix", arrayOf(arrayOf(&schema.Schema{Kind: schema.Number}))),
		property("prices", &schema.Schema{
			Kind: schema.Object, Additional: schema.AdditionalKept, AdditionalSchema: moneyRef, MaxProperties: ptr(9),
		}),
		property("labels", &schema.Schema{Kind: schema.Object, Additional: schema.AdditionalKept}),
		property("lines", arrayOf(object(property("price", moneyRef)))),
		property("total", &schema.Schema{Kind: schema.Ref, Target: money, Nullable: true}),
		property("pay", &schema.Schema{
			Kind: schema.Union, Discriminator: "kind", KeepUnknown: true,
			Branches: []schema.Branch{{Value: "card", Schema: card}, {Value: "bill", Schema: moneyRef}},
		}),
		property("amount", &schema.Schema{
			Kind: schema.Number, GoType: &schema.GoType{Import: "example.com/d", Name: "Decimal"},
		}),
	)
	s.Additional, s.MinProperties = schema.AdditionalForbidden, ptr(1)
	return s
}

// shaperFor returns a shaper that knows the type Money of everything, and its target.
func shaperFor(s *schema.Schema) (*shaper, *schema.Type) {
	money := s.Properties[10].Schema.Target
	types := map[*schema.Type]*typePage{money: {Name: "Money", Page: "type-money"}}
	return &shaper{names: &gonames.Names{}, types: types, key: s.Properties[0], paths: new(int)}, money
}

func TestEveryKeywordIsDescribed(t *testing.T) {
	s := everything()
	sh, _ := shaperFor(s)
	got := sh.shape(s)
	var lines []string
	ids := map[string]bool{}
	for _, r := range got.Rows {
		lines = append(lines, r.text())
		if ids[r.ID] {
			t.Errorf("the id %s is used twice", r.ID)
		}
		ids[r.ID] = true
	}
	want := []string{
		"id: integer (required) (key); ≥ 1; < 1e3; a multiple of 5",
		"text: string or null (deprecated) (sensitive contact); 1 to 40 characters; matches ^a|b$; default \"x\"; " +
			"for example \"a\"|\"b\"",
		"when: string (date-time)",
		"level: integer; one of 1|2",
		"free: any JSON value",
		"tags: array of strings; exactly 2 items; no duplicate items",
		"  tags[]: string (inside); at most 1 character",
		"matrix: array of arrays of numbers",
		"prices: map of Money; at most 9 keys",
		"labels: map of any JSON values",
		"lines: array of objects",
		"  lines[].price: Money",
		"total: Money or null",
		"pay: one of 2 variants, selected by kind",
		"  paycard: object (variant); when kind is card",
		"    pay.kind: string (required); always \"card\"",
		"    pay.number: string",
		"  paybill: Money (variant); when kind is bill",
		"  payany other value: object (variant)",
		"amount: number; Go type example.com/d.Decimal",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]fact{{Text: "at least 1 field"}, {Text: "no other fields"}}, got.Facts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"One.", "Two."}, got.Rows[1].Description); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTypesInWords(t *testing.T) {
	sh, money := shaperFor(everything())
	s := func(k schema.Kind) *schema.Schema { return &schema.Schema{Kind: k} }
	nullable := func(s *schema.Schema) *schema.Schema { s.Nullable = true; return s }
	ref := func() *schema.Schema { return &schema.Schema{Kind: schema.Ref, Target: money} }
	mapOf := func(values *schema.Schema) *schema.Schema {
		return &schema.Schema{Kind: schema.Object, Additional: schema.AdditionalKept, AdditionalSchema: values}
	}
	for _, tc := range []struct {
		schema *schema.Schema
		want   string
	}{
		{nullable(s(schema.String)), "string or null"},
		{&schema.Schema{Kind: schema.String, Format: schema.UUID, Nullable: true}, "string (uuid) or null"},
		{arrayOf(&schema.Schema{Kind: schema.String, Format: schema.UUID}), "array of strings (uuid)"},
		{nullable(arrayOf(s(schema.Integer))), "array of integers or null"},
		{arrayOf(nullable(s(schema.Integer))), "array of (integer or null)"},
		{arrayOf(nullable(ref())), "array of (Money or null)"},
		{nullable(mapOf(arrayOf(ref()))), "map of arrays of Money or null"},
		{arrayOf(mapOf(nil)), "array of maps of any JSON values"},
		{arrayOf(nullable(s(schema.Any))), "array of any JSON values"},
		{arrayOf(&schema.Schema{Kind: schema.Union, Discriminator: "a b"}), "array of one of 0 variants, selected by a b"},
	} {
		if got := sh.typeOf(tc.schema).String(); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}

// vocabulary returns a schema for everything that a type can be called, alone and in combinations.
func vocabulary(money *schema.Type) []*schema.Schema {
	all := []*schema.Schema{{Kind: schema.Ref, Target: money}, {Kind: schema.Any}, {Kind: schema.Object}}
	for _, k := range []schema.Kind{schema.String, schema.Integer, schema.Number, schema.Boolean} {
		all = append(all, &schema.Schema{Kind: k}, &schema.Schema{Kind: k, Format: schema.DateTime})
	}
	all = append(all,
		&schema.Schema{Kind: schema.Object, Additional: schema.AdditionalKept},
		&schema.Schema{Kind: schema.Union, Discriminator: " * kind_of [x](y) ", Branches: make([]schema.Branch, 2)})
	for range 2 { // nested
		for _, inner := range slices.Clone(all) {
			n := *inner
			n.Nullable = true
			for _, items := range []*schema.Schema{inner, &n} {
				all = append(all, items, arrayOf(items), &schema.Schema{
					Kind: schema.Object, Additional: schema.AdditionalKept, AdditionalSchema: items,
				})
			}
		}
	}
	return all
}
