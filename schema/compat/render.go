package compat

import (
	"bytes"
	"encoding/json"
	"math/big"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// renderSchema writes a schema as JSON Schema, for the judge: what generated code cannot hold is not valid.
func renderSchema(s *schema.Schema) any {
	return decode(jsonschema.Render(s, jsonschema.Options{GoLimits: true}))
}

// formatRange is what the Go type can hold. Of floating-point numbers that is what does not round to infinity.
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

// roundingLimits are half a step above the largest number, and below the least.
func roundingLimits(exponent, half uint) (low, high limit) {
	one := big.NewInt(1)
	top := new(big.Rat).SetInt(new(big.Int).Sub(new(big.Int).Lsh(one, exponent), new(big.Int).Lsh(one, half)))
	return limit{new(big.Rat).Neg(top), true}, limit{top, true}
}

// validValues are those of const or enum; nil is no such limit.
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

// decode reads JSON as the judge wants it, with numbers digit by digit.
func decode(text []byte) any {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil
	}
	return v
}
