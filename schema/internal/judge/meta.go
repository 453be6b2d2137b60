package judge

import (
	"fmt"

	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// A metaJudge checks schemas against the definition of JSON Schema. It replaces the schemas inside one, which it is
// given as well. So a catalog of many fields takes the time that its different fields take.
type metaJudge struct {
	compiler *validator.Compiler
	meta     *validator.Schema
	done     map[string]bool
	err      error // the first
	buffer   []byte
}

func (m *metaJudge) check(rendered jsonschema.Object) {
	shallow := withoutInner(rendered)
	m.buffer = shallow.AppendCompact(m.buffer[:0])
	if m.err != nil || m.done[string(m.buffer)] {
		return
	}
	m.done[string(m.buffer)] = true
	if m.meta == nil {
		if m.meta, m.err = m.compiler.Compile(jsonschema.DraftURL); m.err != nil {
			return
		}
	}
	if err := m.meta.Validate(shallow.Decoded()); err != nil {
		m.err = fmt.Errorf("%s: %w", m.buffer, err)
	}
}

// withoutInner replaces the schemas inside one by true. The names of properties make no difference.
func withoutInner(s jsonschema.Object) jsonschema.Object {
	shallow := make(jsonschema.Object, len(s))
	for i, m := range s {
		shallow[i] = m
		switch m.Name {
		case "items", "additionalProperties":
			shallow[i].Value = true
		case "properties":
			shallow[i].Value = jsonschema.Object{{Name: "name", Value: true}}
		case "oneOf":
			shallow[i].Value = []any{true}
		}
	}
	return shallow
}
