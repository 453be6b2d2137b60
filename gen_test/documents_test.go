package gentest

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// documentsPerURN is how many documents are made up for a URN, beside the catalog's examples.
const documentsPerURN = 12

// documents are payloads of u in the text that bqgen writes: the catalog's member order, no spaces, each value in its
// one spelling. So they have to come back byte for byte.
func documents(u *schema.URN) []string {
	var all []string
	for _, e := range u.Examples {
		all = append(all, string(e.JSON))
	}
	h := fnv.New64a()
	h.Write([]byte(u.URN))
	w := &writer{random: rand.New(rand.NewPCG(h.Sum64(), 1))}
	for range documentsPerURN {
		all = append(all, w.value(u.Data, 0))
	}
	return all
}

// A brokenDocument is a payload that is wrong in one place.
type brokenDocument struct{ text, pointer, rule string }

// brokenDocuments have, for each member of u's payload, a document with null in its place and, for those it must have,
// one without it.
func brokenDocuments(u *schema.URN) []brokenDocument {
	w := &writer{random: rand.New(rand.NewPCG(2, 2))}
	var all []brokenDocument
	properties := u.Data.Resolve().Properties
	for _, broken := range properties {
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
		all = append(all, brokenDocument{"{" + strings.Join(null, ",") + "}", pointer, "type"})
		if broken.Required {
			all = append(all, brokenDocument{"{" + strings.Join(without, ",") + "}", pointer, "required"})
		}
	}
	return all
}

// A writer makes up values.
type writer struct{ random *rand.Rand }

func (w *writer) value(s *schema.Schema, depth int) string {
	s = s.Resolve()
	switch s.Kind {
	case schema.Object:
		var members []string
		for _, p := range s.Properties {
			if p.Required || depth < 4 && w.random.IntN(2) == 0 {
				members = append(members, quote(p.Name)+":"+w.value(p.Schema, depth+1))
			}
		}
		return "{" + strings.Join(members, ",") + "}"
	case schema.Array:
		var elements []string
		if depth < 5 {
			for range w.random.IntN(4) {
				elements = append(elements, w.value(s.Items, depth+1))
			}
		}
		return "[" + strings.Join(elements, ",") + "]"
	case schema.Integer:
		return pick(w, "0", "-1", "42", "9007199254740993", "9223372036854775807", "-9223372036854775808")
	case schema.Number:
		return pick(w, "0", "-1.5", "0.1", "16777217", "1e-7", "1e+21", "123456.789", "5e-324", "-0")
	case schema.Boolean:
		return strconv.FormatBool(w.random.IntN(2) == 0)
	}
	return w.text(s)
}

func (w *writer) text(s *schema.Schema) string {
	switch {
	case s.Enum != nil:
		return quote(s.Enum[w.random.IntN(len(s.Enum))].Value)
	case s.Format == schema.DateTime:
		return pick(w, `"2026-02-03T04:05:06Z"`, `"2026-02-03T04:05:06.789012345+02:00"`, `"9999-12-31T23:59:59.9Z"`, `"0000-01-01T00:00:00-23:59"`)
	case s.Format == schema.UUID:
		return pick(w, `"0f8fad5b-d9cb-469f-a165-70867728950e"`, `"00000000-0000-0000-0000-000000000000"`)
	}
	return quote(pick(w, "", "plain", "größe 👍\u200d", `"\/`, "\x00\b\t\n\v\f\r\x1f\x7f", "<a href='&'>", "\u2028\u2029\ufeff\ufffd", strings.Repeat("long ", 30)))
}

func pick(w *writer, from ...string) string { return from[w.random.IntN(len(from))] }

// quote is a JSON string that is escaped only where it has to be.
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
