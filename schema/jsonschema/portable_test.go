package jsonschema_test

import (
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
