package jsonschema_test

import (
	"encoding/json"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/jsonschema"
)

func TestPortableSchemasHaveStandardKeywordsOnly(t *testing.T) {
	s := &schema.Schema{Kind: schema.String, Format: schema.Decimal, Sensitive: "true", PassedOn: []schema.PassedOn{
		{Name: "$comment", Value: schema.Literal{JSON: []byte(`"first"`)}},
		{Name: "x-owner", Value: schema.Literal{JSON: []byte(`{"team":1}`)}},
	}}
	want := `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string",` +
		`"pattern":"^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$",` +
		`"$comment":"first; format: decimal; x-owner: {\"team\":1}; x-gdpr-sensitive: true"}`
	if got := string(jsonschema.Render(s, jsonschema.Options{Portable: true})); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Formats of bqgen are replaced in rules too, and properties that are called like keywords are not.
func TestPortableRulesHaveStandardKeywordsOnly(t *testing.T) {
	object := func(name string, value any) jsonschema.Object { return jsonschema.Object{{Name: name, Value: value}} }
	decimal := object("format", json.RawMessage(`"decimal"`))
	s := &schema.Schema{Kind: schema.Any, Rules: []schema.Rule{
		{Schema: object("not", decimal)},
		{Schema: object("properties", object("format", object("anyOf", []any{decimal})))},
	}}
	const number = `{"pattern":"^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$","$comment":"format: decimal"}`
	want := `{"$schema":"https://json-schema.org/draft/2020-12/schema","allOf":[{"not":` + number +
		`},{"properties":{"format":{"anyOf":[` + number + `]}}}]}`
	if got := string(jsonschema.Render(s, jsonschema.Options{Portable: true})); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
