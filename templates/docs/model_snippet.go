package docs

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// publishSnippet shows how to publish the message. It compiles: required fields whose Go type accepts a plain literal
// have the value of the first example, and a comment names the others.
func publishSnippet(u *schema.URN, names *gonames.Names) string {
	m := names.Messages[u]
	var b strings.Builder
	fmt.Fprintf(&b, "pubs := %s.NewPublishers(client)\ndefer pubs.Close(context.Background())\n\n", names.Package)
	fmt.Fprintf(&b, "result, err := pubs.%s.Publish(ctx, %s.%s{", m.Publisher, names.Package, m.Type)
	writeFields(&b, requiredFields(u, names))
	b.WriteString("})\n")
	return b.String()
}

// A structField is a field of a struct literal. It has no value when its type accepts no plain literal.
type structField struct{ name, value string }

// writeFields writes the fields of a struct literal as gofmt does, and those without a value as a comment.
func writeFields(b *strings.Builder, fields []structField) {
	if len(fields) == 0 {
		return
	}
	longest := 0
	var others []string
	for _, f := range fields {
		if f.value == "" {
			others = append(others, f.name)
		} else {
			longest = max(longest, len(f.name))
		}
	}
	b.WriteString("\n")
	for _, f := range fields {
		if f.value != "" {
			fmt.Fprintf(b, "\t%-*s %s,\n", longest+1, f.name+":", f.value)
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(b, "\t// %s\n", strings.Join(others, ", "))
	}
}

// requiredFields returns the fields of the payload that have to be set.
func requiredFields(u *schema.URN, names *gonames.Names) []structField {
	example := map[string]json.RawMessage{}
	if len(u.Examples) > 0 {
		if err := json.Unmarshal(u.Examples[0].JSON, &example); err != nil {
			panic("docs: a checked example is not a JSON object: " + err.Error()) // a bug
		}
	}
	var fields []structField
	for _, p := range u.Data.Resolve().Properties {
		if !p.Required {
			continue
		}
		if goName := names.Fields[p]; goName != "" && p.Schema.Const == nil {
			fields = append(fields, structField{goName, goLiteral(p.Schema, example[p.Name])})
		}
	}
	return fields
}

// goLiteral returns a value as an untyped Go constant, or "" when there is none or the field's type does not accept it.
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

// handleSnippet shows how to handle the message.
func handleSnippet(u *schema.URN, names *gonames.Names) string {
	m := names.Messages[u]
	return fmt.Sprintf("func (s *Service) %s(ctx context.Context, m *bq.Message[%s.%s]) error {\n"+
		"\treturn s.store(ctx, m.Data) // nil acknowledges the message, an error retries the delivery\n"+
		"}\n",
		m.Method, names.Package, m.Type)
}

// consumeSnippet shows how to consume a whole queue, or everything that a service receives from one.
func consumeSnippet(packageName string, names gonames.Service) string {
	return fmt.Sprintf("var _ %[1]s.%[2]s = (*Service)(nil) // it handles every message\n\n"+
		"consumer, err := %[1]s.%[3]s(client, service)\n"+
		"if err != nil {\n\treturn err\n}\n"+
		"err = consumer.Run(ctx) // runs until ctx is done\n",
		packageName, names.Handler, names.Constructor)
}
