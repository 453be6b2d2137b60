package schema

import (
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A metaJudge holds schemas against the definition of JSON Schema. What it is given has the schemas inside replaced, as
// those are given to it as well: so a catalog of many fields is checked in the time that its different fields take.
type metaJudge struct {
	compiler *jsonschema.Compiler
	meta     *jsonschema.Schema
	done     map[string]bool
	err      error // the first
	text     []byte
}

func (m *metaJudge) check(rendered jsonObject) {
	shallow := withoutInner(rendered)
	m.text = shallow.appendTo(m.text[:0])
	if m.err != nil || m.done[string(m.text)] {
		return
	}
	m.done[string(m.text)] = true
	if m.meta == nil {
		if m.meta, m.err = m.compiler.Compile(draftURL); m.err != nil {
			return
		}
	}
	if err := m.meta.Validate(plain(shallow)); err != nil {
		m.err = fmt.Errorf("%s: %w", m.text, err)
	}
}

// withoutInner puts true where a schema is inside of another. The names of properties make no difference.
func withoutInner(schema jsonObject) jsonObject {
	shallow := make(jsonObject, len(schema))
	for i, m := range schema {
		shallow[i] = m
		switch m.name {
		case "items", "additionalProperties":
			shallow[i].value = true
		case "properties":
			shallow[i].value = jsonObject{{"name", true}}
		case "oneOf":
			shallow[i].value = []any{true}
		}
	}
	return shallow
}
