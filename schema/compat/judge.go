package compat

import (
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/schema"
	opinion "github.com/babelqueue/bqgen/schema/internal/judge"
)

const (
	// maxWork is what the search for documents may cost in one comparison, about two seconds. After that, changes are
	// reported without a document.
	maxWork = 200_000_000

	// maxCompiled is the number of schemas up to which a payload is compiled: the library takes time that grows with
	// the square.
	maxCompiled = 5_000
	compileCost = 6_000 // of one schema
)

// A verdict is what JSON Schema says about a value.
type verdict int

const (
	unknown verdict = iota // the budget is used up, or the schema is too large
	accepted
	refused
)

// A judge decides what is valid, by the definition of JSON Schema.
type judge struct {
	budget   *opinion.Budget
	compiled map[*schema.Schema]*jsonschema.Schema
	scalars  map[string]*jsonschema.Schema // by their text: catalogs repeat them
}

func newJudge() *judge {
	return &judge{
		budget: opinion.NewBudget(maxWork), compiled: map[*schema.Schema]*jsonschema.Schema{},
		scalars: map[string]*jsonschema.Schema{},
	}
}

// accepts reports whether it is known that a schema accepts a value.
func (j *judge) accepts(s *schema.Schema, value any) bool { return j.verdict(s, value) == accepted }

func (j *judge) verdict(s *schema.Schema, value any) verdict {
	if j.budget.IsSpent() {
		return unknown
	}
	compiled, met := j.compiled[s]
	if !met {
		compiled = j.compile(s)
		j.compiled[s] = compiled
	}
	switch {
	case compiled == nil || !j.budget.Validation(s, value):
		return unknown
	case compiled.Validate(value) == nil:
		return accepted
	}
	return refused
}

// compile returns nil for a schema that is too large.
func (j *judge) compile(s *schema.Schema) *jsonschema.Schema {
	n := reach(s, maxCompiled)
	if n >= maxCompiled || !j.budget.Spend(n*compileCost) {
		return nil
	}
	text := ""
	if n == 1 {
		text = string(renderText(s))
		if known := j.scalars[text]; known != nil {
			return known
		}
	}
	compiled, err := opinion.Compile(renderSchema(s))
	if err != nil {
		return nil
	}
	if n == 1 {
		j.scalars[text] = compiled
	}
	return compiled
}

// reach counts the schemas of a schema and of all types that it refers to, up to a limit.
func reach(s *schema.Schema, limit int) int {
	met := map[*schema.Type]bool{}
	count := 0
	var visit func(*schema.Schema)
	visit = func(s *schema.Schema) {
		if s == nil || count >= limit {
			return
		}
		count += 1 + len(s.Enum)/10
		if s.Kind == schema.Ref && !met[s.Target] {
			met[s.Target] = true
			visit(s.Target.Schema)
		}
		for _, p := range s.Properties {
			visit(p.Schema)
		}
		for _, b := range s.Branches {
			visit(b.Schema)
		}
		visit(s.Items)
		visit(s.AdditionalSchema)
		inRules, types := opinion.RuleReach(s)
		count += inRules
		for _, t := range types {
			if !met[t] {
				met[t] = true
				visit(t.Schema)
			}
		}
	}
	visit(s)
	return count
}
