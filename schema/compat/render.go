package compat

import (
	"bytes"
	"encoding/json"
	"math/big"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// renderSchema returns a schema as JSON Schema for the judge. Values that do not fit the Go types are invalid.
func renderSchema(s *schema.Schema) any { return decode(renderText(s)) }

func renderText(s *schema.Schema) []byte {
	return jsonschema.Render(s, jsonschema.Options{GoLimits: true})
}

// formatRange returns the range of the Go type. For floating-point numbers, it ends where they round to infinity.
func formatRange(s *schema.Schema) (low, high limit) {
	whole := func(low, high string) (limit, limit) { return limitAt(low), limitAt(high) }
	switch {
	case s.Format == schema.Int32:
		return whole("-2147483648", "2147483647")
	case s.Format == schema.Uint64:
		return whole("0", "18446744073709551615")
	case s.Kind == schema.Integer:
		return whole("-9223372036854775808", "9223372036854775807")
	case s.Format == schema.Float:
		return roundingLimits(128, 103)
	}
	return roundingLimits(1024, 970)
}

// roundingLimits returns the numbers half a step below the least and above the greatest one.
func roundingLimits(exponent, half uint) (low, high limit) {
	one := big.NewInt(1)
	top := new(big.Rat).SetInt(new(big.Int).Sub(new(big.Int).Lsh(one, exponent), new(big.Int).Lsh(one, half)))
	return limit{new(big.Rat).Neg(top), true}, limit{top, true}
}

// validValues returns the values of const or enum. It is nil without either.
func validValues(s *schema.Schema) []any {
	if s.Const != nil {
		return []any{decode(s.Const.JSON)}
	}
	var values []any
	for _, v := range s.Enum {
		if v.Integer {
			values = append(values, json.Number(v.Value))
		} else {
			values = append(values, v.Value)
		}
	}
	return values
}

// decode decodes JSON for the judge, with numbers as they are written.
func decode(text []byte) any {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil
	}
	return v
}
