package jsonvalue

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/internal/format"
	"github.com/babelqueue/bqgen/internal/uniqueitems"
)

// A Schema is JSON Schema 2020-12. It is compiled when it is first used.
type Schema struct {
	compile func() compiled
}

// A compiled schema can be used.
type compiled struct {
	schema   *jsonschema.Schema
	branches int // see branchesOf
}

// New returns a schema. If text is not one, [Schema.Check] panics.
func New(text string) *Schema {
	return &Schema{compile: sync.OnceValue(func() compiled {
		s, err := compile(text)
		if err != nil {
			panic("jsonvalue: not a JSON Schema: " + err.Error())
		}
		return s
	})}
}

const url = "https://bqgen.invalid/schema.json"

func compile(text string) (compiled, error) {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return compiled{}, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseRegexpEngine(func(s string) (jsonschema.Regexp, error) { return format.CompileRegex(s) })
	for name, valid := range format.ByName {
		c.RegisterFormat(formatOf(name, valid))
	}
	for _, name := range []string{"period", "semver"} { // the library knows them, and a catalog does not
		c.RegisterFormat(formatOf(name, func(string) bool { return true }))
	}
	c.UseLoader(noLoader{})
	if err := c.AddResource(url, document); err != nil {
		return compiled{}, err
	}
	s, err := c.Compile(url)
	new(uniqueitems.Judge).TakeOver(s)
	return compiled{s, branchesOf(document)}, err
}

// formatOf makes the check of a format that of all other payloads.
func formatOf(name string, valid func(string) bool) *jsonschema.Format {
	invalid := errors.New("not of the format " + name)
	return &jsonschema.Format{Name: name, Validate: func(v any) error {
		if s, ok := v.(string); ok && !valid(s) {
			return invalid
		}
		return nil
	}}
}

// noLoader keeps the library from reading anything.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errors.New("nothing is loaded") }

// decode decodes a value with numbers as they were sent.
func decode(text []byte) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}
