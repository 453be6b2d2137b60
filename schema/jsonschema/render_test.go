package jsonschema_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/judge"
	"github.com/babelqueue/bqgen/schema/jsonschema"
	"github.com/babelqueue/bqgen/schema/load"
)

func compile(text []byte) (*validator.Schema, error) {
	doc, err := validator.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return judge.Compile(doc)
}

// propertySchema reads one property's schema.
func propertySchema(t *testing.T, types, text string) *schema.Schema {
	t.Helper()
	c, findings := load.Parse("urns.yaml",
		[]byte("bqgen: 1\npackage: shop\nqueues: {q: {}}\ntypes:\n  Nothing: {}\n"+types+"urns:\n  urn:a:\n    queue: q\n  "+
			"  data:\n      type: object\n      properties:\n        p: "+text+"\n"))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return c.URNs[0].Data.Properties[0].Schema
}

func TestSchemasAreRenderedAsTheCatalogSaysThem(t *testing.T) {
	const draft = `"$schema":"https://json-schema.org/draft/2020-12/schema"`
	tests := []struct{ name, types, schema, want, limited string }{
		{"any", "", "{}", `{` + draft + `}`, ""},
		{"string", "", `{type: string, minLength: 1, maxLength: 5, pattern: "a\"", title: T, description: D, deprecated: ` +
			`true}`,
			`{` + draft + `,"type":"string","minLength":1,"maxLength":5,"pattern":"a\"","title":"T","description":"D",` +
				`"deprecated":true}`, ""},
		{"nullable", "", `{type: [string, "null"], enum: [a, null], default: null, examples: [a]}`,
			`{` + draft + `,"type":["string","null"],"enum":["a",null],"default":null,"examples":["a"]}`, ""},
		{"integer", "", `{type: integer, minimum: 5, x-gdpr-sensitive: true}`,
			`{` + draft + `,"type":"integer","minimum":5,"x-gdpr-sensitive":true}`,
			`{` + draft + `,"type":"integer","minimum":5,"maximum":9223372036854775807,"x-gdpr-sensitive":true}`},
		{"unsigned integer", "", `{type: integer, format: uint64, maximum: 99999999999999999999}`,
			`{` + draft + `,"type":"integer","format":"uint64","maximum":99999999999999999999}`,
			`{` + draft + `,"type":"integer","format":"uint64","minimum":0,"maximum":18446744073709551615}`},
		{"float", "", `{type: number, format: float, exclusiveMinimum: 0.50}`,
			`{` + draft + `,"type":"number","format":"float","exclusiveMinimum":0.50}`,
			`{` + draft + `,"type":"number","format":"float","exclusiveMinimum":0.50,` +
				`"exclusiveMaximum":340282356779733661637539395458142568448}`},
		{"decimal with a pattern", "", `{type: string, format: decimal, pattern: "^9"}`,
			`{` + draft + `,"type":"string","format":"decimal","pattern":"^9"}`, ""},
		{"const", "", `{const: 1.50, x-gdpr-sensitive: health}`,
			`{` + draft + `,"type":"number","const":1.50,"x-gdpr-sensitive":"health"}`,
			`{` + draft + `,"type":"number","const":1.50,"exclusiveMinimum":-` + schema.Overflow(schema.Double).Text +
				`,"exclusiveMaximum":` + schema.Overflow(schema.Double).Text + `,"x-gdpr-sensitive":"health"}`},
		{"array", "", `{type: array, items: true, minItems: 1, uniqueItems: true}`,
			`{` + draft + `,"type":"array","items":{},"minItems":1,"uniqueItems":true}`, ""},
		{"object", "", `{type: object, properties: {b: {}, a: {type: boolean}}, required: [a], additionalProperties: false,` +
			` maxProperties: 3}`,
			`{` + draft + `,"type":"object","required":["a"],"properties":{"b":{},"a":{"type":"boolean"}},` +
				`"additionalProperties":false,"maxProperties":3}`, ""},
		{"maps", "", `{type: object, properties: {a: {type: object, additionalProperties: true}}, additionalProperties: ` +
			`{type: string}}`,
			`{` + draft + `,"type":"object","properties":{"a":{"type":"object","additionalProperties":true}},` +
				`"additionalProperties":{"type":"string"}}`, ""},
		{"references", "  a/b~c d: {type: object, properties: {again: {$ref: '#/types/a~1b~0c%20d'}}}\n",
			`{oneOf: [{$ref: '#/types/a~1b~0c d'}, {type: "null"}]}`,
			`{` + draft + `,"oneOf":[{"$ref":"#/$defs/a~1b~0c%20d"},{"type":"null"}],"$defs":{"a/b~c d":{"type":"object",` +
				`"properties":{"again":{"$ref":"#/$defs/a~1b~0c%20d"}}}}}`, ""},
		{"a union that keeps", "  A: {type: object, required: [k], properties: {k: {const: a}}}\n",
			`{x-unknown-branch: keep, oneOf: [{$ref: '#/types/A'}, {type: "null"}]}`,
			`{` + draft + `,"oneOf":[{"$ref":"#/$defs/A"},{"type":"object","required":["k"],` +
				`"properties":{"k":{"type":"string","not":{"enum":["a"]}}}},{"type":"null"}],` +
				`"$defs":{"A":{"type":"object","required":["k"],"properties":{"k":{"type":"string","const":"a"}}}}}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := propertySchema(t, tt.types, tt.schema)
			if diff := cmp.Diff(tt.want, string(jsonschema.Render(s, jsonschema.Options{}))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			limited := tt.limited
			if limited == "" {
				limited = tt.want
			}
			if diff := cmp.Diff(limited, string(jsonschema.Render(s, jsonschema.Options{GoLimits: true}))); diff != "" {
				t.Errorf("with limits, -want +got:\n%s", diff)
			}
		})
	}
}

func TestTypesOfOneNameAreRenderedApart(t *testing.T) {
	s := propertySchema(t, "  Money: {type: string}\n", `{$ref: '#/types/Money'}`)
	other := &schema.Type{Name: "Money", Schema: &schema.Schema{Kind: schema.Boolean}}
	both := &schema.Schema{Kind: schema.Object, Properties: []*schema.Property{
		{Name: "a", Schema: s},
		{Name: "b", Schema: &schema.Schema{Kind: schema.Ref, Target: other}},
	}}
	var got struct {
		Defs map[string]map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(jsonschema.Render(both, jsonschema.Options{}), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]map[string]any{"Money": {"type": "string"}, "Money_2": {"type": "boolean"}},
		got.Defs); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What the Go types cannot hold is invalid to any validator of the rendered schema.
func TestGoLimitsAreExact(t *testing.T) {
	tests := []struct {
		schema         string
		valid, invalid []string
	}{
		{"{type: integer}", []string{"9223372036854775807", "-9223372036854775808", "1.0", "1e3"},
			[]string{"9223372036854775808", "-9223372036854775809", "1.5"}},
		{"{type: integer, format: int64}", []string{"9223372036854775807"}, []string{"9223372036854775808"}},
		{"{type: integer, format: int32}", []string{"2147483647", "-2147483648"}, []string{"2147483648", "-2147483649"}},
		{"{type: integer, format: uint64}", []string{"18446744073709551615", "0"}, []string{"18446744073709551616", "-1"}},
		{"{type: number, format: float}", []string{"3.4028235e38", "340282356779733661637539395458142568447", "-3.4e38",
			"1e-60"}, []string{"340282356779733661637539395458142568448", "-1e39"}},
		{"{type: number}", []string{"1.7976931348623157e308", "1.7976931348623158e308", "-1e308", "1e-400"},
			[]string{"1.797693134862315808e308", "-1e309"}},
		{"{type: string, format: byte}", []string{`""`, `"aGVsbG8="`, `"aA=="`, `"aGVs"`},
			[]string{`"aGVsbG8"`, `"aB=="`, `"a==="`, `"aGV\n"`, `"_-=="`, `" aA=="`}},
		{"{type: string, format: decimal}", []string{`"0"`, `"-0"`, `"99.90"`, `"-0.50"`},
			[]string{`""`, `"1."`, `".5"`, `"01"`, `"+1"`, `"1e3"`, `"1,5"`, `"0x1"`, `" 1"`, `"1\n"`}},
	}
	for _, tt := range tests {
		compiled, err := compile(jsonschema.Render(propertySchema(t, "", tt.schema), jsonschema.Options{GoLimits: true}))
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range append(tt.valid, tt.invalid...) {
			value, err := validator.UnmarshalJSON(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := compiled.Validate(value); (err == nil) != (i < len(tt.valid)) {
				t.Errorf("%s: %s: %v", tt.schema, text, err)
			}
		}
	}
}
