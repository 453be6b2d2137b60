package docs

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// publishSnippet shows how the message is published. What is shown compiles: members whose Go type takes a plain literal
// have the first example's value, and the others are named in a comment.
func publishSnippet(u *schema.URN, names *gonames.Names) string {
	m := names.Messages[u]
	var b strings.Builder
	fmt.Fprintf(&b, "pubs := %s.NewPublishers(client)\ndefer pubs.Close()\n\n", names.Package)
	fields := literals(u, names)
	fmt.Fprintf(&b, "result, err := pubs.%s.Publish(ctx, %s.%s{", m.Publisher, names.Package, m.Type)
	if len(fields) > 0 {
		b.WriteString("\n")
		longest := 0
		for _, f := range fields {
			if f.value != "" {
				longest = max(longest, len(f.name))
			}
		}
		var others []string
		for _, f := range fields {
			if f.value != "" {
				fmt.Fprintf(&b, "\t%s:%s %s,\n", f.name, strings.Repeat(" ", longest-len(f.name)), f.value)
			} else {
				others = append(others, f.name)
			}
		}
		if len(others) > 0 {
			fmt.Fprintf(&b, "\t// %s\n", strings.Join(others, ", "))
		}
	}
	b.WriteString("})\n")
	return b.String()
}

// A member of a literal; without a value when its type takes more than a plain one.
type member struct{ name, value string }

// literals are the members of the payload that have to be set.
func literals(u *schema.URN, names *gonames.Names) []member {
	example := map[string]json.RawMessage{}
	if len(u.Examples) > 0 {
		if err := json.Unmarshal(u.Examples[0].JSON, &example); err != nil {
			panic("docs: an example that was checked is no JSON object: " + err.Error()) // a bug
		}
	}
	var out []member
	for _, p := range u.Data.Resolve().Properties {
		if goName := names.Fields[p]; p.Required && goName != "" && p.Schema.Const == nil {
			out = append(out, member{goName, goLiteral(p.Schema, example[p.Name])})
		}
	}
	return out
}

// goLiteral is a value as an untyped constant of Go, or empty when there is none or the member's type does not take it.
func goLiteral(s *schema.Schema, text json.RawMessage) string {
	if text == nil || s.Nullable || s.GoType != nil || s.Enum != nil {
		return ""
	}
	switch {
	case s.Kind == schema.String && s.Format == schema.NoFormat:
		var v string
		if err := json.Unmarshal(text, &v); err != nil {
			return ""
		}
		return strconv.Quote(v)
	case s.Kind == schema.Integer:
		if _, err := strconv.ParseInt(string(text), 10, 64); err != nil && !isUint(text) {
			return "" // written with a fraction or an exponent
		}
		return string(text)
	case s.Kind == schema.Number && s.Format != schema.Float, s.Kind == schema.Boolean:
		return string(text)
	}
	return ""
}

func isUint(text []byte) bool {
	_, err := strconv.ParseUint(string(text), 10, 64)
	return err == nil
}

// handleSnippet shows how the message is handled.
func handleSnippet(u *schema.URN, names *gonames.Names) string {
	m := names.Messages[u]
	return fmt.Sprintf("func (s *Service) %[1]s(ctx context.Context, m *bq.Message[%[2]s.%[3]s]) error {\n"+
		"\treturn s.store(ctx, m.Data) // nil: it is done; an error: it is delivered again\n}\n",
		m.Method, names.Package, m.Type)
}

// consumeSnippet shows how a whole queue is handled.
func consumeSnippet(names *gonames.Names, q gonames.Queue) string {
	return fmt.Sprintf("var _ %[1]s.%[2]s = (*Service)(nil) // every message of the queue\n\n"+
		"consumer, err := %[1]s.%[3]s(client, service)\nif err != nil {\n\treturn err\n}\nerr = consumer.Run(ctx) // until ctx ends\n",
		names.Package, q.Handler, q.Constructor)
}
