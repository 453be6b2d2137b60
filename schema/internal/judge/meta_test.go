package judge

import (
	"testing"

	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// A schema that JSON Schema would not accept is a bug that the loader notices.
func TestSchemasAreCheckedAgainstTheirDefinition(t *testing.T) {
	meta := metaJudge{compiler: NewCompiler(), done: map[string]bool{}}
	text := jsonschema.Object{{Name: "type", Value: "string"}}
	meta.check(jsonschema.Object{
		{Name: "type", Value: "object"},
		{Name: "properties", Value: jsonschema.Object{{Name: "a", Value: text}}},
	})
	if meta.err != nil {
		t.Fatal(meta.err)
	}
	meta.check(jsonschema.Object{{Name: "type", Value: "objekt"}})
	if meta.err == nil {
		t.Error("a type that does not exist was accepted")
	}
}
