package jsonvalue

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
	"github.com/babelqueue/bqgen/runtime/payload"
)

// Check implements [payload.Checker].
func (s *Schema) Check(text []byte) []payload.Problem {
	v, err := decode(text)
	if err != nil {
		return nil // whoever reads the text reports it
	}
	var p problems
	if p.numbers(v, nil); len(p) > 0 {
		return p // nobody should compute with them
	}
	c := s.compile()
	if grows(v, c.branches) {
		p.add(nil, payload.RuleDepth, "is nested too deeply to be checked")
		return p
	}
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](c.schema.Validate(v)); ok {
		p.collect(invalid)
	}
	slices.SortStableFunc(p, func(a, b payload.Problem) int { // the library walks maps in any order
		if c := slices.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return strings.Compare(a.Rule, b.Rule)
	})
	return p
}

type problems []payload.Problem

func (p *problems) add(path []string, rule, message string) {
	*p = append(*p, payload.Problem{Path: slices.Clone(path), Rule: rule, Message: message})
}

const (
	maxDigits   = 1000
	maxExponent = 1000
)

// numbers reports numbers that take too long to compute with: their exponent is far beyond that of a float.
func (p *problems) numbers(v any, path []string) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			p.numbers(member, append(path, name))
		}
	case []any:
		for i, item := range v {
			p.numbers(item, append(path, strconv.Itoa(i)))
		}
	case json.Number:
		_, digits, exponent := jsonwire.SplitDecimal(nil, []byte(v))
		if len(digits) > maxDigits || len(digits) > 0 && (exponent > maxExponent || exponent < -maxExponent-maxDigits) {
			p.add(path, payload.RuleRange, "want a number of a size that a float64 can hold")
		}
	}
}

// collect adds what is wrong, at the place where it is. Of alternatives it names the keyword: which one was meant, the
// schema does not say.
func (p *problems) collect(e *jsonschema.ValidationError) {
	at := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			p.add(append(slices.Clone(at), name), payload.RuleRequired, "is required but missing")
		}
		return
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			p.add(append(slices.Clone(at), name), payload.RuleAdditional, "is not a member of this object")
		}
		return
	case *kind.Type:
		p.add(at, payload.RuleType, "want "+strings.Join(k.Want, " or "))
		return
	case *kind.PropertyNames:
		p.add(append(slices.Clone(at), k.Property), "propertyNames", "has a name that this object does not allow")
		return
	case *kind.AnyOf:
		p.add(at, "anyOf", "want a value of at least one of the schemas of anyOf")
		return
	case *kind.OneOf:
		p.add(at, "oneOf", "want a value of exactly one of the schemas of oneOf: "+listed(k.Subschemas))
		return
	case *kind.FalseSchema:
		p.add(at, "not", "must not be there")
		return
	case *kind.Not:
		p.add(at, "not", "is what not of its schema refuses")
		return
	}
	isGroup := len(e.Causes) > 0
	switch e.ErrorKind.(type) {
	case *kind.Contains, *kind.MinContains, *kind.MaxContains:
		isGroup = false
	}
	if isGroup {
		for _, cause := range e.Causes {
			p.collect(cause)
		}
		return
	}
	rule := "schema"
	if path := e.ErrorKind.KeywordPath(); len(path) > 0 {
		rule = path[0]
	}
	p.add(at, rule, wanted(e.ErrorKind, rule))
}

// listed names the schemas of a oneOf that hold, counted from 1.
func listed(indexes []int) string {
	if len(indexes) == 0 {
		return "none holds"
	}
	var numbers []string
	for _, i := range indexes {
		numbers = append(numbers, strconv.Itoa(i+1))
	}
	return strings.Join(numbers, " and ") + " hold"
}

// wanted says what a keyword asks for.
func wanted(k jsonschema.ErrorKind, rule string) string {
	limit := func(format string, n any) string { return fmt.Sprintf("want "+format, n) }
	number := func(r *big.Rat) string {
		text := r.FloatString(maxDigitsShown)
		if strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		if len(text) > maxLimitShown {
			text = text[:maxLimitShown] + "..."
		}
		return text
	}
	switch k := k.(type) {
	case *kind.Format:
		return limit("text of the format %s", k.Want)
	case *kind.Pattern:
		return limit("text with the pattern %q", k.Want)
	case *kind.MinLength:
		return limit("at least %d characters", k.Want)
	case *kind.MaxLength:
		return limit("at most %d characters", k.Want)
	case *kind.MinItems:
		return limit("at least %d items", k.Want)
	case *kind.MaxItems:
		return limit("at most %d items", k.Want)
	case *kind.MinProperties:
		return limit("at least %d members", k.Want)
	case *kind.MaxProperties:
		return limit("at most %d members", k.Want)
	case *kind.UniqueItems:
		return fmt.Sprintf("has the same item at %d and %d", k.Duplicates[0], k.Duplicates[1])
	case *kind.AdditionalItems:
		return fmt.Sprintf("has %d items more than are valid", k.Count)
	case *kind.Minimum:
		return limit("a number of at least %s", number(k.Want))
	case *kind.Maximum:
		return limit("a number of at most %s", number(k.Want))
	case *kind.ExclusiveMinimum:
		return limit("a number above %s", number(k.Want))
	case *kind.ExclusiveMaximum:
		return limit("a number below %s", number(k.Want))
	case *kind.MultipleOf:
		return limit("a multiple of %s", number(k.Want))
	case *kind.DependentRequired:
		return fmt.Sprintf("with the member %q, also wants %q", k.Prop, k.Missing)
	case *kind.Contains:
		return "want an item of the schema of contains"
	case *kind.MinContains:
		return limit("at least %d items of the schema of contains", k.Want)
	case *kind.MaxContains:
		return limit("at most %d items of the schema of contains", k.Want)
	case *kind.Enum, *kind.Const:
		return "want a value that " + rule + " lists"
	}
	return "is not what " + rule + " of its schema asks for"
}

const (
	maxDigitsShown = 12 // behind the point of a limit in a message
	maxLimitShown  = 40 // of a limit in a message, in bytes
)
