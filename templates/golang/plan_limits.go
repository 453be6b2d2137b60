package golang

import (
	"slices"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// limits are what s itself allows of its Go type, in words. A reference has none: they are its target's.
func limits(s *schema.Schema) []string {
	switch {
	case s.Kind == schema.Ref || s.GoType != nil || s.Enum != nil:
		return nil
	case s.Const != nil:
		return []string{"always " + shown(string(s.Const.JSON))}
	}
	return append(kindLimits(s), ruleLimits(s)...)
}

// ruleLimits name the keywords that only a JSON Schema validator checks.
func ruleLimits(s *schema.Schema) []string {
	var all, names []string
	for _, r := range s.Rules {
		for _, m := range r.Schema {
			if m.Name == "type" {
				continue
			}
			if !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	if types, ok := jsonschema.RuleType(s); ok {
		all = append(all, types)
	}
	if names != nil {
		all = append(all, "limited by "+strings.Join(names, ", ")+" of its schema")
	}
	return all
}

func kindLimits(s *schema.Schema) []string {
	switch s.Kind {
	case schema.String:
		return textLimits(s)
	case schema.Integer, schema.Number:
		return numberLimits(s)
	case schema.Array:
		all := countLimits(s.MinItems, s.MaxItems, "item")
		if s.UniqueItems {
			all = append(all, "no duplicates")
		}
		return append(all, limitsInside("each item", s.Items)...)
	case schema.Object:
		all := countLimits(s.MinProperties, s.MaxProperties, "member")
		if s.AdditionalSchema != nil && len(s.Properties) == 0 {
			all = append(all, limitsInside("each value", s.AdditionalSchema)...)
		}
		return all
	}
	return nil
}

// limitsInside are the limits of elements that have no declaration to carry them.
func limitsInside(which string, s *schema.Schema) []string {
	if s == nil || s.Kind == schema.Object && len(s.Properties) > 0 {
		return nil
	}
	all := limits(s)
	if len(all) == 0 {
		return nil
	}
	return []string{which + ": " + strings.Join(all, ", ")}
}

// formatNames are the formats that the Go type does not tell.
var formatNames = map[schema.Format]string{
	schema.Date: "RFC 3339 date", schema.TimeOfDay: "RFC 3339 time", schema.Duration: "ISO 8601 duration",
	schema.URI: "absolute URI", schema.Email: "email address", schema.Hostname: "hostname",
	schema.IPv4: "IPv4 address", schema.IPv6: "IPv6 address",
	schema.URIReference: "URI or relative reference", schema.IRI: "absolute IRI",
	schema.IRIReference: "IRI or relative reference", schema.URITemplate: "URI template",
	schema.IDNEmail: "email address", schema.IDNHostname: "hostname", schema.JSONPointer: "JSON Pointer",
	schema.RelativeJSONPointer: "relative JSON Pointer", schema.Regex: "regular expression",
}

func textLimits(s *schema.Schema) []string {
	var all []string
	if name := formatNames[s.Format]; name != "" {
		all = append(all, name)
	}
	if s.OtherFormat != "" {
		all = append(all, "format "+text.Name(s.OtherFormat)+", not checked")
	}
	noun := "character"
	if s.Format == schema.Byte {
		noun = "base64 character"
	}
	all = append(all, countLimits(s.MinLength, s.MaxLength, noun)...)
	if s.Pattern != "" {
		all = append(all, "matches "+text.Name(text.Shorten(s.Pattern, longestShown)))
	}
	return all
}

// countLimits are those on the number of things that a value consists of.
func countLimits(min, max *int, noun string) []string {
	hasMin := min != nil && *min > 0
	switch {
	case hasMin && max != nil && *min == *max:
		return []string{"exactly " + text.Count(*min, noun)}
	case hasMin && max != nil:
		return []string{strconv.Itoa(*min) + " to " + text.Count(*max, noun)}
	case hasMin:
		return []string{"at least " + text.Count(*min, noun)}
	case max != nil:
		return []string{"at most " + text.Count(*max, noun)}
	}
	return nil
}

func numberLimits(s *schema.Schema) []string {
	var all []string
	add := func(words string, n *schema.Num) {
		if n != nil {
			all = append(all, words+" "+shown(n.Text))
		}
	}
	if s.Minimum != nil && s.Maximum != nil {
		all = append(all, shown(s.Minimum.Text)+" to "+shown(s.Maximum.Text))
	} else {
		add("at least", s.Minimum)
		add("at most", s.Maximum)
	}
	add("greater than", s.ExclusiveMinimum)
	add("less than", s.ExclusiveMaximum)
	add("a multiple of", s.MultipleOf)
	return all
}

func defaultOf(s *schema.Schema) []string {
	if s.Default == nil {
		return nil
	}
	return []string{"default: " + shown(string(s.Default.JSON))}
}

func sensitivity(s *schema.Schema) []string {
	switch s.Sensitive {
	case "":
		return nil
	case "true":
		return []string{"sensitive data"}
	}
	return []string{"sensitive data: " + shown(s.Sensitive)}
}

// sentences puts remarks about a value into one line, or more when it gets long.
func sentences(remarks []string) doc {
	if len(remarks) == 0 {
		return nil
	}
	line := strings.Join(remarks, "; ")
	return wrap(strings.ToUpper(line[:1]) + line[1:])
}

// remark adds remarks to a comment, as a paragraph of their own when the comment ends within a sentence.
func remark(about doc, remarks []string) doc {
	added := sentences(remarks)
	if len(about) > 0 && len(added) > 0 && strings.HasSuffix(about[len(about)-1], ".") {
		return append(about[:len(about):len(about)], added...)
	}
	return paragraphs(about, added)
}
