package golang

import (
	"fmt"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// checked adds to t, the type of s itself, what s asks of its values beyond the type.
func (w *walker) checked(s *schema.Schema, t typ) typ {
	checks := w.checks(s, t)
	if rules := w.rules(s); rules != "" {
		checks = append(checks, check{Func: "Conforms", Arg: rules, On: onJSON})
	}
	if len(checks) == 0 {
		return t
	}
	return checked{Of: t, Checks: checks}
}

func (w *walker) checks(s *schema.Schema, t typ) []check {
	if s.Const != nil {
		return []check{{Func: "Equal", Arg: constantOf(s, s.Const)}}
	}
	switch s.Kind {
	case schema.String:
		return w.textChecks(s, t)
	case schema.Integer, schema.Number:
		return numberChecks(s, t)
	case schema.Array:
		all := sizeChecks("MinItems", s.MinItems, "MaxItems", s.MaxItems)
		if s.UniqueItems {
			all = append(all, check{Func: "UniqueItems", On: onEncoder})
		}
		return all
	case schema.Object:
		return sizeChecks("MinProperties", s.MinProperties, "MaxProperties", s.MaxProperties)
	}
	return nil
}

// maxRules is the size of all rules of a catalog as they are generated, in bytes. Each is complete in itself, so that
// rules that refer to each other are large together.
const maxRules = 8 << 20

// rules declares the rules of s, and returns the variable; empty for none.
func (w *walker) rules(s *schema.Schema) goExpr {
	if len(s.Rules) == 0 || s.GoType != nil || w.ruleSize > maxRules {
		return ""
	}
	rules := string(jsonschema.RenderRules(s))
	if w.ruleSize += len(rules); w.ruleSize > maxRules {
		w.findings = append(w.findings, schema.Diagnostic{
			Pos: s.Rules[0].Pos, Rule: schema.RuleTooLarge, Hint: "let fewer rules refer to types with rules",
			Message: fmt.Sprintf("all rules, each with the types that it refers to, are larger than %d MiB together",
				maxRules>>20),
		})
	}
	name := w.names.Schemas[s].Rules
	w.decls = append(w.decls, &ruleDecl{Name: name, Text: goText(rules)})
	return goExpr(name)
}

func sizeChecks(minFunc string, min *int, maxFunc string, max *int) []check {
	var all []check
	if min != nil && *min > 0 {
		all = append(all, check{Func: minFunc, Arg: *min, On: onLength})
	}
	if max != nil {
		all = append(all, check{Func: maxFunc, Arg: *max, On: onLength})
	}
	return all
}

// runtimeFormats are the formats that the runtime checks on strings.
var runtimeFormats = map[schema.Format]runtimeName{
	schema.Date: "FormatDate", schema.TimeOfDay: "FormatTime", schema.Duration: "FormatDuration",
	schema.URI: "FormatURI", schema.Email: "FormatEmail", schema.Hostname: "FormatHostname",
	schema.URIReference: "FormatURIReference", schema.IRI: "FormatIRI", schema.IRIReference: "FormatIRIReference",
	schema.URITemplate: "FormatURITemplate", schema.IDNEmail: "FormatIDNEmail",
	schema.IDNHostname: "FormatIDNHostname", schema.JSONPointer: "FormatJSONPointer",
	schema.RelativeJSONPointer: "FormatRelativeJSONPointer", schema.Regex: "FormatRegex",
}

func (w *walker) textChecks(s *schema.Schema, t typ) []check {
	on := onText
	if b, ok := t.(builtin); ok && (b == stringType || b == decimalType) {
		on = onValue
	}
	var all []check
	if s.MinLength != nil && *s.MinLength > 0 {
		all = append(all, check{Func: "MinLength", Arg: *s.MinLength, On: on})
	}
	if s.MaxLength != nil {
		all = append(all, check{Func: "MaxLength", Arg: *s.MaxLength, On: on})
	}
	if s.Pattern != "" {
		pattern := w.names.Schemas[s].Pattern
		w.decls = append(w.decls, &patternDecl{Name: pattern, Text: goText(s.Pattern)})
		all = append(all, check{Func: "MatchPattern", Arg: goExpr(pattern), On: on})
	}
	if f := runtimeFormats[s.Format]; f != "" && s.Enum == nil {
		all = append(all, check{Func: "CheckFormat", Arg: f})
	}
	return all
}

func numberChecks(s *schema.Schema, t typ) []check {
	of, _ := t.(builtin)
	var all []check
	add := func(n *schema.Num, bound func(*schema.Num, bool, builtin) (check, bool), exclusive bool) {
		if n == nil {
			return
		}
		if c, ok := bound(n, exclusive, of); ok {
			all = append(all, c)
		}
	}
	add(s.Minimum, lowerBound, false)
	add(s.ExclusiveMinimum, lowerBound, true)
	add(s.Maximum, upperBound, false)
	add(s.ExclusiveMaximum, upperBound, true)
	if s.MultipleOf != nil {
		all = append(all, check{Func: "MultipleOf", Arg: goString(s.MultipleOf.Text)})
	}
	return all
}
