package gentest

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// documentsPerURN is how many documents are generated for a URN, besides the catalog's examples.
const documentsPerURN = 12

// documents returns payloads of u exactly as bqgen encodes them: in the catalog's member order, without spaces, each
// value in its canonical form. So they must round-trip byte for byte.
func documents(u *schema.URN) []string {
	var all []string
	for _, e := range u.Examples {
		all = append(all, string(e.JSON))
	}
	if hasRules(u.Data, map[*schema.Schema]bool{}) {
		return all // the writer knows nothing of them
	}
	h := fnv.New64a()
	h.Write([]byte(u.URN))
	w := &writer{random: rand.New(rand.NewPCG(h.Sum64(), 1))}
	for range documentsPerURN {
		all = append(all, w.value(u.Data, 0))
	}
	return all
}

// hasRules reports whether a part of a payload has rules.
func hasRules(s *schema.Schema, seen map[*schema.Schema]bool) bool {
	if s == nil || seen[s] {
		return false
	}
	seen[s] = true
	if len(s.Rules) > 0 || s.Kind == schema.Ref && hasRules(s.Target.Schema, seen) {
		return true
	}
	for _, p := range s.Properties {
		if hasRules(p.Schema, seen) {
			return true
		}
	}
	for _, b := range s.Branches {
		if hasRules(b.Schema, seen) {
			return true
		}
	}
	return hasRules(s.Items, seen) || hasRules(s.AdditionalSchema, seen)
}

// A brokenDocument is a payload that is wrong in one place.
type brokenDocument struct{ text, pointer, rule string }

// brokenDocuments returns, for each member of u's payload, a document in which it is null and, if it is required, one
// without it.
func brokenDocuments(u *schema.URN) []brokenDocument {
	if hasRules(u.Data, map[*schema.Schema]bool{}) {
		return nil
	}
	w := &writer{random: rand.New(rand.NewPCG(2, 2))}
	var all []brokenDocument
	properties := u.Data.Resolve().Properties
	for _, broken := range properties {
		target := broken.Schema.Resolve()
		var without, null []string
		for _, p := range properties {
			switch {
			case p == broken:
				null = append(null, quote(p.Name)+":null")
			case p.Required:
				m := quote(p.Name) + ":" + w.value(p.Schema, 1)
				without, null = append(without, m), append(null, m)
			}
		}
		pointer := "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(broken.Name)
		switch {
		case broken.Schema.AllowsNull(), target.GoType != nil:
		case target.Const != nil && broken.Required:
			all = append(all, brokenDocument{"{" + strings.Join(null, ",") + "}", pointer, "const"})
		default:
			all = append(all, brokenDocument{"{" + strings.Join(null, ",") + "}", pointer, "type"})
		}
		if broken.Required {
			all = append(all, brokenDocument{"{" + strings.Join(without, ",") + "}", pointer, "required"})
		}
	}
	return all
}

// A writer generates values.
type writer struct{ random *rand.Rand }

func (w *writer) value(s *schema.Schema, depth int) string {
	if s.Kind == schema.Ref {
		if s.Nullable && (depth > 3 || w.random.IntN(3) == 0) {
			return "null"
		}
		return w.value(s.Target.Schema, depth)
	}
	switch {
	case s.Nullable && (depth > 3 || w.random.IntN(3) == 0):
		return "null"
	case s.GoType != nil:
		return map[string]string{"Int": "123456789012345678901234567890", "Time": `"2026-02-03T04:05:06Z"`,
			"RawMessage": `{"a":1.50}`}[s.GoType.Name]
	case s.Const != nil:
		return string(s.Const.JSON)
	case s.Enum != nil:
		v := s.Enum[w.random.IntN(len(s.Enum))]
		if v.Integer {
			return v.Value
		}
		return quote(v.Value)
	}
	switch s.Kind {
	case schema.Object:
		return w.object(s, depth)
	case schema.Union:
		branches := s.Branches
		if depth > 3 {
			branches = branches[:1]
		}
		return w.value(branches[w.random.IntN(len(branches))].Schema, depth+1)
	case schema.Array:
		var elements []string
		for range w.elements(s, depth) {
			elements = append(elements, w.value(s.Items, depth+1))
		}
		return "[" + strings.Join(elements, ",") + "]"
	case schema.Integer:
		switch s.Format {
		case schema.Int32:
			return pick(w, "0", "-2147483648", "2147483647")
		case schema.Uint64:
			return pick(w, "0", "18446744073709551615")
		}
		return pick(w, "0", "-1", "42", "9007199254740993", "9223372036854775807", "-9223372036854775808")
	case schema.Number:
		if s.Format == schema.Float {
			return pick(w, "0", "-1.5", "0.1", "16777216", "1e-45", "3.4028235e+38")
		}
		return pick(w, "0", "-1.5", "0.1", "16777217", "1e-7", "1e+21", "123456.789", "5e-324", "-0")
	case schema.Boolean:
		return strconv.FormatBool(w.random.IntN(2) == 0)
	case schema.Any:
		return pick(w, "null", `{"a":[1.50,{"b":null}]}`, "1e400", `"text"`, "[]", "true")
	}
	return w.text(s)
}

// elements returns the number of elements for an array.
func (w *writer) elements(s *schema.Schema, depth int) int {
	switch {
	case depth >= 5:
		return 0
	case s.UniqueItems:
		return w.random.IntN(2)
	}
	return w.random.IntN(4)
}

func (w *writer) object(s *schema.Schema, depth int) string {
	var members []string
	for _, p := range s.Properties {
		needed := s.MinProperties != nil && len(members) < *s.MinProperties
		if p.Required || needed || depth < 4 && w.random.IntN(2) == 0 {
			members = append(members, quote(p.Name)+":"+w.value(p.Schema, depth+1))
		}
	}
	if s.Additional == schema.AdditionalKept && depth < 4 {
		for _, name := range []string{"", "a\"b", "größe"}[:w.random.IntN(4)] {
			value := "null"
			if s.AdditionalSchema != nil {
				value = w.value(s.AdditionalSchema, depth+1)
			}
			members = append(members, quote(name)+":"+value)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// texts are one or more texts of each format, in the form that bqgen writes.
var texts = map[schema.Format][]string{
	schema.DateTime: {"2026-02-03T04:05:06Z", "2026-02-03T04:05:06.789012345+02:00", "9999-12-31T23:59:59.9Z",
		"0000-01-01T00:00:00-23:59", "0001-01-01T00:00:00Z"},
	schema.UUID:    {"0f8fad5b-d9cb-469f-a165-70867728950e", "00000000-0000-0000-0000-000000000000"},
	schema.Byte:    {"", "AA==", "AQID", "//79"},
	schema.Decimal: {"0", "-0.00", "1.50", "99999999999999999999.9"},
	schema.IPv4:    {"0.0.0.0", "127.0.0.1"},
	schema.IPv6:    {"::", "::1", "2001:db8::8a2e:370:7334", "::ffff:1.2.3.4"},
}

func (w *writer) text(s *schema.Schema) string {
	if known := texts[s.Format]; known != nil {
		return quote(pick(w, known...))
	}
	return quote(pick(w, "", "plain", "größe 👍\u200d", `"\/`, "\x00\b\t\n\v\f\r\x1f\x7f", "<a href='&'>",
		"\u2028\u2029\ufeff\ufffd", strings.Repeat("long ", 30)))
}

func pick(w *writer, from ...string) string { return from[w.random.IntN(len(from))] }

// quote returns a JSON string that is escaped only where necessary.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch short := strings.IndexRune("\b\f\n\r\t", r); {
		case r == '"' || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case short >= 0:
			b.WriteByte('\\')
			b.WriteByte("bfnrt"[short])
		case r < 0x20:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
