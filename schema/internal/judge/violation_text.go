package judge

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// violation returns what is wrong with a value, and a hint.
func violation(at *source.Node, k validator.ErrorKind) (message, hint string) {
	is := at.Describe()
	switch k := k.(type) {
	case *kind.Type:
		if at.Kind == source.Scalar && at.Plain && k.Want[0] == "string" {
			hint = `quote it: "` + text.Short(at.Text) + `"`
		}
		return "must be of type " + strings.Join(k.Want, " or ") + ", this is " + is, hint
	case *kind.Enum:
		return is + " is not in the enum", "one of " + text.Short(text.List(jsonTexts(k.Want)))
	case *kind.Const:
		return "must be " + jsonText(k.Want) + ", this is " + is, ""
	case *kind.Format:
		if k.Want == "byte" {
			return is + " is not base64", formatHints[k.Want]
		}
		article := "a "
		if strings.ContainsRune("aei", rune(k.Want[0])) {
			article = "an "
		}
		return is + " is not " + article + k.Want, formatHints[k.Want]
	case *kind.Pattern:
		return is + " does not match the pattern " + text.Quote(k.Want), ""
	case *kind.AdditionalProperties:
		slices.Sort(k.Properties)
		for i, name := range k.Properties {
			k.Properties[i] = text.Quote(name)
		}
		return "additionalProperties: false does not allow " + text.List(k.Properties), ""
	case *kind.UniqueItems:
		first, second := k.Duplicates[0], k.Duplicates[1]
		return fmt.Sprintf("items %d and %d are equal, uniqueItems does not allow that", first, second), ""
	case *kind.FalseSchema, *kind.Not:
		return "its schema excludes such values, with false or not", ""
	}
	return boundViolation(is, k)
}

var formatHints = map[string]string{
	"date-time": "such as 2026-03-01T09:30:00Z", "date": "such as 2026-03-01", "time": "such as 09:30:00Z",
	"duration": "such as P1DT12H", "uuid": "such as 0190163d-8694-739b-aea5-966c26f8ad91",
	"byte": "the standard alphabet with padding, and no line breaks", "decimal": "such as 99.90",
	"uri": "such as https://example.com/a", "email": "such as ada@example.com",
}

func boundViolation(is string, k validator.ErrorKind) (message, hint string) {
	switch k := k.(type) {
	case *kind.Minimum:
		return is + outside("is less than minimum ", k.Want), decimalHint(k.Want)
	case *kind.Maximum:
		return is + outside("is more than maximum ", k.Want), decimalHint(k.Want)
	case *kind.ExclusiveMinimum:
		return is + outside("is not more than exclusiveMinimum ", k.Want), ""
	case *kind.ExclusiveMaximum:
		return is + outside("is not less than exclusiveMaximum ", k.Want), ""
	case *kind.MultipleOf:
		return is + " is not a multiple of " + text.Short(schema.DecimalText(k.Want)), ""
	case *kind.MinLength:
		return fmt.Sprintf("%s has %s, minLength is %d", is, text.Count(k.Got, "character"), k.Want), ""
	case *kind.MaxLength:
		return fmt.Sprintf("%s has %s, maxLength is %d", is, text.Count(k.Got, "character"), k.Want), ""
	case *kind.MinItems:
		return fmt.Sprintf("has %s, minItems is %d", text.Count(k.Got, "item"), k.Want), ""
	case *kind.MaxItems:
		return fmt.Sprintf("has %s, maxItems is %d", text.Count(k.Got, "item"), k.Want), ""
	case *kind.MinProperties:
		return fmt.Sprintf("has %s, minProperties is %d", text.Count(k.Got, "member"), k.Want), ""
	case *kind.MaxProperties:
		return fmt.Sprintf("has %s, maxProperties is %d", text.Count(k.Got, "member"), k.Want), ""
	}
	return "breaks the schema at " + strings.Join(k.KeywordPath(), "/"), ""
}

// outside describes a number that is out of its bounds, or out of the range of its Go type.
func outside(relation string, want *big.Rat) string {
	for _, f := range []schema.Format{schema.Int64, schema.Int32, schema.Uint64} {
		l := schema.IntegerLimits(f)
		if want.Cmp(l.Min) == 0 && want.Sign() != 0 || want.Cmp(l.Max) == 0 {
			return " does not fit into " + l.Type
		}
	}
	for _, f := range []schema.Format{schema.Float, schema.Double} {
		if overflow := schema.Overflow(f).Rat(); want.Cmp(overflow) == 0 || want.Cmp(overflow.Neg(overflow)) == 0 {
			return " is out of range"
		}
	}
	return " " + relation + text.Short(schema.DecimalText(want))
}

// decimalHint suggests another type for an integer that does not fit into an int64.
func decimalHint(want *big.Rat) string {
	if l := schema.IntegerLimits(schema.Int64); want.Cmp(l.Min) == 0 || want.Cmp(l.Max) == 0 {
		return "make it a string, with format: decimal"
	}
	return ""
}

// jsonTexts shows the first decoded values of a list, as many as a message may repeat: each value that is not in a long
// enum has a message.
func jsonTexts(values []any) []string {
	var all []string
	for _, value := range values[:min(len(values), 40)] {
		all = append(all, jsonText(value))
	}
	return all
}

// jsonText shows a decoded value in a message.
func jsonText(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return text.Quote(v)
	}
	return text.Short(fmt.Sprint(value))
}
