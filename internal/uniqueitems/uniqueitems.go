// Package uniqueitems judges uniqueItems in schemas that the JSON Schema library has compiled. The library hashes items
// in a way that whoever writes them can make collide, and compares all items of one hash with each other: an array of a
// megabyte took seconds, one of five megabytes minutes. It judges the format regex, too, which the library does by
// compiling: that can take a millisecond for a few bytes.
package uniqueitems

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/babelqueue/bqgen/internal/format"
)

// A Judge takes uniqueItems, and the format regex, over from the library. The zero value is ready to use, for all
// schemas of one compiler.
type Judge struct{ met map[*jsonschema.Schema]bool }

// TakeOver makes s, and all schemas that it leads to, judge uniqueItems by what items are, and the format regex without
// compiling. Nobody may validate with them meanwhile.
func (j *Judge) TakeOver(s *jsonschema.Schema) {
	if s == nil || j.met[s] {
		return
	}
	if j.met == nil {
		j.met = map[*jsonschema.Schema]bool{}
	}
	j.met[s] = true
	if s.UniqueItems {
		s.UniqueItems = false
		s.Extensions = append(s.Extensions, rule{})
	}
	if s.Format != nil && s.Format.Name == regex.Name {
		s.Format = regex
	}
	for _, part := range []*jsonschema.Schema{
		s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties, s.Contains, s.Items2020,
		s.UnevaluatedItems, s.ContentSchema,
	} {
		j.TakeOver(part)
	}
	if s.DynamicRef != nil {
		j.TakeOver(s.DynamicRef.Ref)
	}
	for _, parts := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		j.all(slices.Values(parts))
	}
	j.all(maps.Values(s.Properties))
	j.all(maps.Values(s.PatternProperties))
	j.all(maps.Values(s.DependentSchemas))
	j.any(s.AdditionalProperties)
	j.any(s.Items)
	j.any(s.AdditionalItems)
	for _, part := range s.Dependencies {
		j.any(part)
	}
}

func (j *Judge) all(parts func(func(*jsonschema.Schema) bool)) {
	for part := range parts {
		j.TakeOver(part)
	}
}

// any takes over a keyword that is a schema, several, or something else.
func (j *Judge) any(keyword any) {
	switch keyword := keyword.(type) {
	case *jsonschema.Schema:
		j.TakeOver(keyword)
	case []*jsonschema.Schema:
		j.all(slices.Values(keyword))
	}
}

var regex = &jsonschema.Format{Name: "regex", Validate: func(v any) error {
	if s, ok := v.(string); ok && !format.Regex(s) {
		return errors.New("not a regular expression")
	}
	return nil
}}

// rule is uniqueItems: true.
type rule struct{}

// Validate implements [jsonschema.SchemaExt].
func (rule) Validate(ctx *jsonschema.ValidatorContext, v any) {
	items, ok := v.([]any)
	if !ok || len(items) < 2 {
		return
	}
	if first, second, equal := equalItems(items); equal {
		ctx.AddError(&kind.UniqueItems{Duplicates: [2]int{first, second}})
	}
}

// equalItems returns the places of the first item that is equal to an earlier one, and of that.
func equalItems(items []any) (first, second int, equal bool) {
	met := make(map[string]int, len(items)) // Go hashes its keys with a secret
	var form []byte
	for i, item := range items {
		form = appendForm(form[:0], item)
		if first, equal := met[string(form)]; equal {
			return first, i, true
		}
		met[string(form)] = i
	}
	return 0, 0, false
}

// appendForm appends bytes that are the same for equal values, and for no others. Each part tells its length before it
// comes.
func appendForm(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, 'n')
	case bool:
		if v {
			return append(dst, 't')
		}
		return append(dst, 'f')
	case string:
		return appendText(append(dst, 's'), v)
	case []any:
		dst = binary.AppendUvarint(append(dst, 'a'), uint64(len(v)))
		for _, item := range v {
			dst = appendForm(dst, item)
		}
		return dst
	case map[string]any:
		dst = binary.AppendUvarint(append(dst, 'o'), uint64(len(v)))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			dst = appendForm(appendText(dst, name), v[name])
		}
		return dst
	default: // a number, as json.Number or a number of Go
		text := fmt.Sprint(v)
		number, ok := new(big.Rat).SetString(text)
		if !ok {
			return appendText(append(dst, '?'), text) // no JSON, which the library reports
		}
		dst = append(dst, '+')
		if number.Sign() < 0 {
			dst[len(dst)-1] = '-'
		}
		return appendText(appendText(dst, string(number.Num().Bytes())), string(number.Denom().Bytes()))
	}
}

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}
