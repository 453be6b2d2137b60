package schema

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// violations reports each fault of a value at the member that has it.
func (j *judge) violations(v draftValue, found *jsonschema.ValidationError) {
	if k, ok := found.ErrorKind.(*kind.OneOf); ok {
		j.oneOf(v, found, k)
		return
	}
	if len(found.Causes) > 0 {
		for _, cause := range found.Causes {
			j.violations(v, cause)
		}
		return
	}
	at := locate(v.node, found.InstanceLocation)
	if j.reported[at] {
		return
	}
	if k, ok := found.ErrorKind.(*kind.Required); ok {
		for _, name := range k.Missing {
			j.fault(v, found.InstanceLocation, at, "", "required property "+quote(name)+" is missing")
		}
		return
	}
	message, hint := violation(at, found.ErrorKind)
	j.fault(v, found.InstanceLocation, at, hint, message)
}

// fault reports one.
func (j *judge) fault(v draftValue, path []string, at *node, hint, message string) {
	where := v.what
	if len(path) > 0 {
		where += " at " + quote(pointer(path))
	}
	j.report(at.pos, v.rule, hint, "%s: %s", where, message)
}

func locate(n *node, path []string) *node {
	for _, segment := range path {
		if n.kind == sequenceNode {
			i, _ := strconv.Atoi(segment)
			n = n.items[i]
		} else {
			n = n.get(segment)
		}
	}
	return n
}

// oneOf reports what is wrong with a value of a union: in the branch that its discriminator names, or with the
// discriminator.
func (j *judge) oneOf(v draftValue, found *jsonschema.ValidationError, k *kind.OneOf) {
	depth := len(found.InstanceLocation)
	at := locate(v.node, found.InstanceLocation)
	if len(k.Subschemas) > 1 {
		j.fault(v, found.InstanceLocation, at, "", "is valid in more than one branch of oneOf") // not with a discriminator
		return
	}
	var meant []*jsonschema.ValidationError
	var values []string
	discriminator := ""
	for _, cause := range found.Causes {
		value, name, other := wrongConst(cause, depth)
		switch {
		case !other:
			meant = append(meant, cause)
		case name != "":
			discriminator = name
			values = append(values, value)
		}
	}
	switch {
	case len(meant) == 1:
		j.violations(v, meant[0])
	case discriminator != "" && at.kind == mappingNode && at.get(discriminator) != nil:
		d := at.get(discriminator)
		j.fault(v, append(slices.Clone(found.InstanceLocation), discriminator), d, "one of "+cut(list(sortedSet(values))), d.describe()+" names no branch of oneOf")
	case at.kind == mappingNode && missingInAll(found.Causes, depth) != "":
		j.fault(v, found.InstanceLocation, at, "", "required property "+quote(missingInAll(found.Causes, depth))+" is missing")
	default:
		j.fault(v, found.InstanceLocation, at, "", at.describe()+" is none of the branches of oneOf")
	}
}

// missingInAll is the one property that all branches miss, or "".
func missingInAll(branches []*jsonschema.ValidationError, depth int) string {
	counts := map[string]int{}
	var count func(*jsonschema.ValidationError)
	count = func(e *jsonschema.ValidationError) {
		if k, ok := e.ErrorKind.(*kind.Required); ok && len(e.InstanceLocation) == depth {
			for _, name := range k.Missing {
				counts[name]++
			}
		}
		for _, cause := range e.Causes {
			count(cause)
		}
	}
	objects := 0
	for _, b := range branches {
		if k, ok := b.ErrorKind.(*kind.Type); ok && len(b.InstanceLocation) == depth && slices.Equal(k.Want, []string{"null"}) {
			continue
		}
		objects++
		count(b)
	}
	found := ""
	for name, n := range counts {
		switch {
		case n == objects && found != "":
			return ""
		case n == objects:
			found = name
		}
	}
	return found
}

// wrongConst tells whether a branch was not meant: the value is of another type, or its discriminator is another.
func wrongConst(e *jsonschema.ValidationError, depth int) (value, name string, other bool) {
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		if len(e.InstanceLocation) == depth {
			return "", "", true
		}
	case *kind.Const:
		if len(e.InstanceLocation) == depth+1 {
			return quote(fmt.Sprint(k.Want)), e.InstanceLocation[depth], true
		}
	case *kind.Not:
		if len(e.InstanceLocation) == depth+1 {
			return "", "", true // the branch of unknown values
		}
	}
	for _, cause := range e.Causes {
		if value, name, other = wrongConst(cause, depth); other {
			return value, name, other
		}
	}
	return "", "", false
}

// violation says what is wrong with a value.
func violation(at *node, k jsonschema.ErrorKind) (message, hint string) {
	is := at.describe()
	switch k := k.(type) {
	case *kind.Type:
		if at.kind == scalarNode && at.plain && k.Want[0] == "string" {
			hint = `quote it: "` + cut(at.text) + `"`
		}
		return "must be of type " + strings.Join(k.Want, " or ") + ", this is " + is, hint
	case *kind.Enum:
		var allowed []string
		for _, value := range k.Want {
			allowed = append(allowed, jsonText(value))
		}
		return is + " is not in the enum", "one of " + cut(list(allowed))
	case *kind.Const:
		return "must be " + jsonText(k.Want) + ", this is " + is, ""
	case *kind.Format:
		article := "a "
		if strings.ContainsRune("aei", rune(k.Want[0])) {
			article = "an "
		}
		return is + " is not " + article + k.Want, formatHints[k.Want]
	case *kind.Pattern:
		switch k.Want {
		case bytePattern:
			return is + " is not base64", "the standard alphabet with padding, and no line breaks"
		case decimalPattern:
			return is + " is not a decimal", "such as 99.90"
		}
		return is + " does not match the pattern " + quote(k.Want), ""
	case *kind.AdditionalProperties:
		slices.Sort(k.Properties)
		for i, name := range k.Properties {
			k.Properties[i] = quote(name)
		}
		return "additionalProperties: false does not allow " + list(k.Properties), ""
	case *kind.UniqueItems:
		return fmt.Sprintf("items %d and %d are equal, uniqueItems does not allow that", k.Duplicates[0], k.Duplicates[1]), ""
	}
	return boundViolation(is, k)
}

var formatHints = map[string]string{
	"date-time": "such as 2026-03-01T09:30:00Z", "date": "such as 2026-03-01", "time": "such as 09:30:00Z", "duration": "such as P1DT12H",
	"uuid": "such as 0190163d-8694-739b-aea5-966c26f8ad91", "uri": "such as https://example.com/a", "email": "such as ada@example.com",
}

func boundViolation(is string, k jsonschema.ErrorKind) (message, hint string) {
	switch k := k.(type) {
	case *kind.Minimum:
		return is + outside("is less than minimum ", k.Want), holdHint(k.Want)
	case *kind.Maximum:
		return is + outside("is more than maximum ", k.Want), holdHint(k.Want)
	case *kind.ExclusiveMinimum:
		return is + outside("is not more than exclusiveMinimum ", k.Want), ""
	case *kind.ExclusiveMaximum:
		return is + outside("is not less than exclusiveMaximum ", k.Want), ""
	case *kind.MultipleOf:
		return is + " is not a multiple of " + cut(decimalText(k.Want)), ""
	case *kind.MinLength:
		return fmt.Sprintf("%s has %s, minLength is %d", is, counted(k.Got, "character"), k.Want), ""
	case *kind.MaxLength:
		return fmt.Sprintf("%s has %s, maxLength is %d", is, counted(k.Got, "character"), k.Want), ""
	case *kind.MinItems:
		return fmt.Sprintf("has %s, minItems is %d", counted(k.Got, "item"), k.Want), ""
	case *kind.MaxItems:
		return fmt.Sprintf("has %s, maxItems is %d", counted(k.Got, "item"), k.Want), ""
	case *kind.MinProperties:
		return fmt.Sprintf("has %s, minProperties is %d", counted(k.Got, "member"), k.Want), ""
	case *kind.MaxProperties:
		return fmt.Sprintf("has %s, maxProperties is %d", counted(k.Got, "member"), k.Want), ""
	}
	return "breaks the schema at " + strings.Join(k.KeywordPath(), "/"), ""
}

// outside says that a number is out of its bounds, or of those of its Go type.
func outside(relation string, want *big.Rat) string {
	for _, l := range integerLimits {
		if want.Cmp(l.min) == 0 && want.Sign() != 0 || want.Cmp(l.max) == 0 {
			return " does not fit into " + l.what
		}
	}
	for _, n := range []*Num{tooMuchForFloat, tooMuchForDouble} {
		if want.Cmp(n.Rat()) == 0 || want.Cmp(new(big.Rat).Neg(n.Rat())) == 0 {
			return " is out of range"
		}
	}
	return " " + relation + cut(decimalText(want))
}

func holdHint(want *big.Rat) string {
	if l := integerLimits[NoFormat]; want.Cmp(l.min) == 0 || want.Cmp(l.max) == 0 {
		return "make it a string, with format: decimal"
	}
	return ""
}

// jsonText shows a value of the judge.
func jsonText(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return quote(v)
	}
	return cut(fmt.Sprint(value))
}

// pointer writes a JSON Pointer (RFC 6901).
func pointer(segments []string) string {
	var b strings.Builder
	for _, s := range segments {
		b.WriteByte('/')
		b.WriteString(pointerEscape.Replace(s))
	}
	return b.String()
}

// leapSeconds reports a date-time that JSON Schema allows and time.Time cannot hold.
func (j *judge) leapSeconds(s *Schema, v draftValue, n *node, where string) {
	s = s.Resolve()
	switch {
	case s.Kind == Object && n.kind == mappingNode:
		for _, p := range n.pairs {
			inner := s.AdditionalSchema
			if property := propertyOf(s, p.key.text); property != nil {
				inner = property.Schema
			}
			if inner != nil {
				j.leapSeconds(inner, v, p.value, where+pointer([]string{p.key.text}))
			}
		}
	case s.Kind == Array && n.kind == sequenceNode:
		for i, item := range n.items {
			j.leapSeconds(s.Items, v, item, fmt.Sprintf("%s/%d", where, i))
		}
	case s.Kind == Union && n.kind == mappingNode:
		for _, b := range s.Branches {
			if d := n.get(s.Discriminator); d != nil && d.text == b.Value {
				j.leapSeconds(b.Schema, v, n, where)
			}
		}
	case s.Format == DateTime && s.GoType == nil && n.kind == scalarNode && len(n.text) > 19 && n.text[17] == '6':
		what := v.what
		if where != "" {
			what += " at " + quote(where)
		}
		j.report(n.pos, v.rule, "a second earlier or later", "%s: %s is a leap second, which time.Time cannot hold", what, n.describe())
	}
}
