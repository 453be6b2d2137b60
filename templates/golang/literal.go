package golang

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// goString is s as a string of Go.
func goString(s string) goExpr { return goExpr(strconv.Quote(s)) }

// goText is s as a string of Go that a reader can compare with the catalog: without escapes if it can do without.
func goText(s string) goExpr {
	isOdd := func(r rune) bool { return r == '`' || r < ' ' || r > '~' }
	if strings.ContainsAny(s, `"\`) && !strings.ContainsFunc(s, isOdd) {
		return goExpr("`" + s + "`")
	}
	return goString(s)
}

// textOf is the string that l is.
func textOf(l *schema.Literal) string {
	var s string
	if json.Unmarshal(l.JSON, &s) != nil {
		return string(l.JSON)
	}
	return s
}

// constantOf is the value l of s, a scalar, as a constant of Go.
func constantOf(s *schema.Schema, l *schema.Literal) goExpr {
	switch of := scalarOf(s); of {
	case stringType:
		return goString(textOf(l))
	case float64Type, float32Type:
		return nearest(string(l.JSON), of).text
	}
	return goExpr(l.JSON)
}

// constFieldOf is how the only value l of s is encoded and decoded.
func constFieldOf(s *schema.Schema, l *schema.Literal) *constField {
	c := &constField{Encode: "Literal", Value: goString(string(l.JSON)), JSON: goText(string(l.JSON))}
	switch scalarOf(s) {
	case stringType:
		c.Encode, c.Value = "String", goString(textOf(l))
	case boolType:
		c.Encode, c.Value = "Bool", goExpr(l.JSON)
	}
	return c
}

// keyOf is the only value l of s as the text of a message key.
func keyOf(s *schema.Schema, l *schema.Literal) goExpr {
	if scalarOf(s) == stringType {
		return goString(textOf(l))
	}
	return goString(string(l.JSON))
}
