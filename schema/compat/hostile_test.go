package compat

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

// hostileTypes are types whose documents are endless, or endlessly many, when they are built naively. The data is a T0,
// and the maximum of its n changes.
var hostileTypes = map[string]func() string{
	"a tree of ten branches each": func() string {
		var sides []string
		for i := range 10 {
			sides = append(sides, fmt.Sprintf("a%d", i))
		}
		list := strings.Join(sides, ", ")
		members := strings.Join(sides, ": {$ref: '#/types/Expr'}, ") + ": {$ref: '#/types/Expr'}"
		return "  Expr: {oneOf: [" +
			"{type: object, required: [op, " + list + "], properties: {op: {type: string, const: add}, " + members + "}}, " +
			"{type: object, required: [op], properties: {op: {type: string, const: leaf}}}]}\n" +
			"  T0: {type: object, required: [e], properties: {e: {$ref: '#/types/Expr'}, n: {type: integer, maximum: MAX}}}\n"
	},
	"a billion laughs": func() string {
		var b strings.Builder
		for i := range 12 {
			var members, names []string
			for j := range 10 {
				names = append(names, fmt.Sprintf("m%d", j))
				members = append(members, fmt.Sprintf("m%d: {$ref: '#/types/T%d'}", j, i+1))
			}
			n := ""
			if i == 0 {
				n = ", n: {type: integer, maximum: MAX}"
			}
			fmt.Fprintf(&b, "  T%d: {type: object, required: [%s], properties: {%s%s}}\n",
				i, strings.Join(names, ", "), strings.Join(members, ", "), n)
		}
		return b.String() + "  T12: {type: string}\n"
	},
	"lists of lists without repetition": func() string {
		items := "{type: string}"
		for range 20 {
			items = "{type: array, minItems: 2, uniqueItems: true, items: " + items + "}"
		}
		return "  T0: {type: object, properties: {l: " + items + ", n: {type: integer, maximum: MAX}}}\n"
	},
	"a chain that ends in null": func() string {
		return "  T0: {type: object, required: [next], properties: " +
			"{next: {oneOf: [{$ref: '#/types/T0'}, {type: \"null\"}]}, n: {type: integer, maximum: MAX}}}\n"
	},
	"members of members": func() string {
		const rest = ": {type: object, properties: {n: {type: integer, maximum: MAX}ADDED}, " +
			"additionalProperties: {$ref: '#/types/T1'}}\n"
		return "  T0" + rest + "  T1" + rest
	},
}

func TestHostileTypesComeToAnEnd(t *testing.T) {
	for name, types := range hostileTypes {
		t.Run(name, func(t *testing.T) {
			parse := func(max, added string) *schema.Catalog {
				values := strings.NewReplacer("MAX", max, "ADDED", added)
				text := values.Replace("bqgen: 1\npackage: p\nqueues: {q: {}}\ntypes:\n" + types() +
					"urns:\n  u: {queue: q, data: {$ref: '#/types/T0'}}\n")
				c, findings := load.Parse("urns.yaml", []byte(text))
				if c == nil {
					t.Fatal(findings)
				}
				return c
			}
			old, new := parse("10", ""), parse("9", ", added: {$ref: '#/types/T1'}")
			done := make(chan []*Change, 1)
			go func() { done <- Compare(old, new, Options{}) }()
			select {
			case changes := <-done:
				met := 0
				for _, c := range changes {
					if c.Rule == "maximum-lowered" {
						met++
						if shown := c.Producers.Document != nil; !shown && name != "a billion laughs" {
							t.Errorf("%s: no document", c.Message)
						}
					}
				}
				if met == 0 {
					t.Errorf("%d changes, and not the one that was made", len(changes))
				}
			case <-time.After(60 * time.Second):
				t.Fatal("still comparing after a minute")
			}
		})
	}
}
