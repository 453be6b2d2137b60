package judge

import (
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/internal/format"
	"github.com/babelqueue/bqgen/internal/uniqueitems"
)

// NewCompiler returns a compiler for JSON Schema 2020-12 that checks formats as generated code does and loads nothing.
func NewCompiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseRegexpEngine(func(s string) (jsonschema.Regexp, error) { return format.CompileRegex(s) })
	for _, f := range formats {
		c.RegisterFormat(f)
	}
	c.UseLoader(noLoader{})
	return c
}

// noLoader keeps the library from reading anything.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errors.New("nothing is loaded") }

// documentURL is absolute: the library would look for a relative one from the working folder, which need not exist.
const documentURL = "https://bqgen.invalid/schema.json"

// Compile compiles one decoded schema.
func Compile(document any) (*jsonschema.Schema, error) {
	c := NewCompiler()
	if err := c.AddResource(documentURL, document); err != nil {
		return nil, err
	}
	s, err := c.Compile(documentURL)
	new(uniqueitems.Judge).TakeOver(s)
	return s, err
}
