package compat

import (
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/schema"
	opinion "github.com/babelqueue/bqgen/schema/internal/judge"
)

// A judge decides what is valid, by the definition of JSON Schema.
type judge struct {
	compiled map[*schema.Schema]*jsonschema.Schema
}

func newJudge() *judge { return &judge{compiled: map[*schema.Schema]*jsonschema.Schema{}} }

// accepts reports whether a schema accepts a value. A schema that cannot be compiled accepts nothing.
func (j *judge) accepts(s *schema.Schema, value any) bool {
	compiled, met := j.compiled[s]
	if !met {
		compiled = compile(renderSchema(s))
		j.compiled[s] = compiled
	}
	return compiled != nil && compiled.Validate(value) == nil
}

// refuses reports whether there is a probe, which is a piece of JSON Schema, and it refuses the value.
func refuses(probe *jsonschema.Schema, value any) bool {
	return probe != nil && probe.Validate(value) != nil
}

// compile returns nil when the document is not a schema.
func compile(document any) *jsonschema.Schema {
	s, err := opinion.Compile(document)
	if err != nil {
		return nil
	}
	return s
}
