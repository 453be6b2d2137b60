package jsonschema

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/jsonobj"
)

// standardFormats are those of JSON Schema 2020-12. Strict validators refuse a schema with any other.
var standardFormats = []string{
	"date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6",
	"uri", "uri-reference", "iri", "iri-reference", "uuid", "uri-template", "json-pointer", "relative-json-pointer",
	"regex",
}

// insteadOf has keywords that say what a format of bqgen means, as far as any can.
var insteadOf = map[string]Object{
	"decimal": {{Name: "pattern", Value: `^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`}},
	"byte":    {{Name: "contentEncoding", Value: "base64"}},
	"int32":   {{Name: "minimum", Value: -1 << 31}, {Name: "maximum", Value: 1<<31 - 1}},
	"uint64":  {{Name: "minimum", Value: 0}},
}

// portable replaces what strict validators such as Ajv refuse: formats that JSON Schema does not have and x- keywords,
// which are told in a comment, and regular expressions that only Go can compile.
func portable(s Object) Object {
	var out, instead Object
	var comments []string
	for _, m := range s {
		text, isText := textOf(m.Value)
		switch {
		case m.Name == "format" && isText && !slices.Contains(standardFormats, text):
			comments = append(comments, "format: "+text)
			instead = insteadOf[text]
		case m.Name == "$comment":
			comments = append([]string{commentText(m.Value)}, comments...)
		case m.Name == "pattern" && isText:
			out = append(out, member(m.Name, portablePattern(text)))
		case m.Name == "patternProperties":
			out = append(out, member(m.Name, portableNames(m.Value)))
		case strings.HasPrefix(m.Name, "x-"):
			comments = append(comments, m.Name+": "+commentText(m.Value))
		default:
			out = append(out, m)
		}
	}
	for _, m := range instead {
		if out.Get(m.Name) == nil {
			out = append(out, m)
		} else if m.Name == "pattern" { // bounds of the schema's own are within those of the format
			out = append(out, member("not", Object{member("not", Object{m})}))
		}
	}
	if comments != nil {
		out = append(out, member("$comment", strings.Join(comments, "; ")))
	}
	return out
}

// portableNames replaces the regular expressions of patternProperties.
func portableNames(v any) any {
	schemas, ok := v.(Object)
	if !ok {
		return v
	}
	out := make(Object, len(schemas))
	for i, m := range schemas {
		out[i] = member(portablePattern(m.Name), m.Value)
	}
	return out
}

// textOf returns the text of a value, which a rule has as JSON.
func textOf(v any) (text string, ok bool) {
	if compact, isRaw := v.(json.RawMessage); isRaw {
		return text, json.Unmarshal(compact, &text) == nil
	}
	text, ok = v.(string)
	return text, ok
}

func commentText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	compact := string(jsonobj.Object{{Name: "v", Value: v}}.AppendCompact(nil))
	return strings.Trim(strings.TrimSuffix(strings.TrimPrefix(compact, `{"v":`), "}"), `"`)
}
