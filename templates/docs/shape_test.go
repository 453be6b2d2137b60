package docs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// text writes rows down for a comparison.
func (r row) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s%s: ", strings.Repeat("  ", r.Depth), r.Parent, r.Name)
	for _, w := range r.Type {
		b.WriteString(w.Text)
	}
	for _, flag := range []struct {
		on   bool
		text string
	}{{r.Required, "required"}, {r.Branch, "branch"}, {r.Inside, "inside"}, {r.Key, "key"}, {r.Deprecated, "deprecated"}, {r.Sensitive != "", "sensitive " + r.Sensitive}} {
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

// everything uses every keyword that a payload can have.
func everything() *schema.Schema {
	str := func() *schema.Schema { return &schema.Schema{Kind: schema.String} }
	money := &schema.Type{Name: "Money", Schema: &schema.Schema{Kind: schema.Object}}
	moneyRef := &schema.Schema{Kind: schema.Ref, Target: money}
	property := func(name string, s *schema.Schema) *schema.Property { return &schema.Property{Name: name, Schema: s} }
	card := &schema.Schema{Kind: schema.Object, Properties: []*schema.Property{
		{Name: "kind", Required: true, Schema: &schema.Schema{Kind: schema.String, Const: lit(`"card"`)}}, property("number", str()),
	}}
	return &schema.Schema{Kind: schema.Object, Additional: schema.AdditionalForbidden, MinProperties: ptr(1), Properties: []*schema.Property{
		{Name: "id", Required: true, Schema: &schema.Schema{Kind: schema.Integer, Minimum: num("1"), ExclusiveMaximum: num("1e3"), MultipleOf: num("5")}},
		property("text", &schema.Schema{
			Kind: schema.String, Nullable: true, MinLength: ptr(1), MaxLength: ptr(40), Pattern: "^a|b$", Default: lit(`"x"`), Sensitive: "contact",
			Deprecated: true, Examples: []schema.Literal{*lit(`"a"`), *lit(`"b"`)}, Title: "A text", Description: "One.\n\nTwo.",
		}),
		property("when", &schema.Schema{Kind: schema.String, Format: schema.DateTime}),
		property("level", &schema.Schema{Kind: schema.Integer, Enum: []schema.EnumValue{{Value: "1", Integer: true}, {Value: "2", Integer: true}}}),
		property("free", &schema.Schema{Kind: schema.Any}),
		property("tags", &schema.Schema{Kind: schema.Array, MinItems: ptr(2), MaxItems: ptr(2), UniqueItems: true, Items: &schema.Schema{Kind: schema.String, MaxLength: ptr(1)}}),
		property("matrix", &schema.Schema{Kind: schema.Array, Items: &schema.Schema{Kind: schema.Array, Items: &schema.Schema{Kind: schema.Number}}}),
		property("prices", &schema.Schema{Kind: schema.Object, Additional: schema.AdditionalKept, AdditionalSchema: moneyRef}),
		property("labels", &schema.Schema{Kind: schema.Object, Additional: schema.AdditionalKept}),
		property("lines", &schema.Schema{Kind: schema.Array, Items: &schema.Schema{Kind: schema.Object, Properties: []*schema.Property{property("price", moneyRef)}}}),
		property("total", &schema.Schema{Kind: schema.Ref, Target: money, Nullable: true}),
		property("pay", &schema.Schema{
			Kind: schema.Union, Discriminator: "kind", KeepUnknown: true,
			Branches: []schema.Branch{{Value: "card", Schema: card}, {Value: "bill", Schema: moneyRef}},
		}),
		property("amount", &schema.Schema{Kind: schema.Number, GoType: &schema.GoType{Import: "example.com/d", Name: "Decimal"}}),
	}}
}

func TestEveryKeywordIsToldToTheReader(t *testing.T) {
	s := everything()
	money := s.Properties[10].Schema.Target
	sh := &shaper{names: &gonames.Names{}, types: map[*schema.Type]*typePage{money: {Name: "Money", Page: "type-money"}}, key: s.Properties[0]}
	got := sh.shape(s)
	var lines []string
	ids := map[string]bool{}
	for _, r := range got.Rows {
		lines = append(lines, r.text())
		if ids[r.ID] {
			t.Errorf("the id %s stands twice", r.ID)
		}
		ids[r.ID] = true
	}
	want := []string{
		"id: integer (required) (key); ≥ 1; < 1e3; a multiple of 5",
		"text: string or null (deprecated) (sensitive contact); 1 to 40 characters; matches ^a|b$; default \"x\"; for example \"a\"|\"b\"",
		"when: string, date-time",
		"level: integer; one of 1|2",
		"free: any JSON",
		"tags: array of strings; exactly 2 items; no item twice",
		"  tags[]: string (inside); at most 1 character",
		"matrix: array of arrays of numbers",
		"prices: map of Money",
		"labels: map of any JSON",
		"lines: array of objects",
		"  lines[].price: Money",
		"total: Money or null",
		"pay: one of 2 forms, told by kind",
		"  paycard: object (branch); when kind is card",
		"    pay.kind: string (required); always \"card\"",
		"    pay.number: string",
		"  paybill: Money (branch); when kind is bill",
		"  payanything else: object (branch)",
		"amount: number; Go type example.com/d.Decimal",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]fact{{Text: "at least 1 member"}, {Text: "no other members"}}, got.Facts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"One.", "Two."}, got.Rows[1].Description); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
