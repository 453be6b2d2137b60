package main

import (
	"fmt"
	"strings"
)

// graphCorpus is catalogs whose types, messages and queues refer to one another.
func graphCorpus(size int) map[string]func() pair {
	half := size / 2
	longKey := strings.Repeat("p", size/1100)
	behindAPath := func(leaf string) func() pair {
		return func() pair {
			return changed(func(kind string) string {
				leaves := list(half, "leafN: "+strings.ReplaceAll(leaf, "KIND", kind))
				return one(nested(100, longKey+": {type: object, properties: {", leaves, "}}"))
			}, "string", "integer")
		}
	}
	longName := "? " + strings.Repeat("n", 1000) + "\n    : {type: string}"
	climbed := func(step string) func() pair {
		return func() pair {
			return changed(func(kind string) string {
				last := strings.ReplaceAll("{type: KIND, x-one: {a: KIND}}", "KIND", kind)
				return withTypes(ladder(40, step, last), object("a: {$ref: '#/types/T0'}"), "      - {}\n")
			}, "string", "integer")
		}
	}
	return map[string]func() pair{
		"doubling members": climbed("{type: object, required: [a, b], x-one: {a: [N]}, properties: {a: M, b: M}}"),
		"doubling arrays": climbed("{type: array, minItems: 2, items: {type: object, required: [a], " +
			"properties: {a: M, b: {allOf: [M], x-two: N}}}}"),
		"doubling maps": climbed("{type: object, minProperties: 1, additionalProperties: " +
			"{type: object, properties: {a: M, b: M}}}"),
		"doubling dependentSchemas": climbed("{type: object, dependentSchemas: {a: M, b: M}, " +
			"patternProperties: {'^a': M, b: M}}"),
		"cycles of unlike lengths": func() pair {
			cycle := func(n int) string {
				var b strings.Builder
				for i := range n {
					fmt.Fprintf(&b, "  T%d: {type: object, properties: {n: {$ref: '#/types/T%d'}}}\n", i, (i+1)%n)
				}
				return catalog("types:\n", b.String(), urns(message("c", "{$ref: '#/types/T0'}")))
			}
			n := size/70 + 2
			return pair{new: cycle(n), old: cycle(n - 1)}
		},
		"small objects against a large one": func() pair {
			var small strings.Builder
			n := size/150 + 1
			for i := range n {
				fmt.Fprintf(&small, "  T%d: {type: object, properties: {a: {}, n: {$ref: '#/types/T%d'}}}\n", i, (i+1)%n)
			}
			build := func(types string) string {
				return catalog("types:\n", types, urns(message("c", "{$ref: '#/types/T0'}")))
			}
			large := "  T0: {type: object, properties: {" + list(size, "vN: {}") + ", n: {$ref: '#/types/T0'}}}\n"
			return pair{new: build(small.String()), old: build(large)}
		},
		"an enum that many allOf share": shared("{type: string, enum: ["+list(half, "vN")+"]}", "minLength: N", half, half),
		"a oneOf that many allOf share": shared("{oneOf: ["+
			list(half, "{type: object, required: [k], properties: {k: {const: cN}}}")+"]}", "minProperties: 1", half, half),
		"a text that many allOf share": shared("{type: string, description: "+strings.Repeat("word ", half/5)+"}",
			"minLength: 1", half, half),
		"a text that some allOf write out": writtenOut(size/3, 200,
			"a: {description: "+strings.Repeat("word ", size/15)+"}"),
		"an enum that some allOf write out":     writtenOut(size/3, 4, "a: {enum: ["+list(half, "vN")+"]}"),
		"a long name that many allOf write out": writtenOut(size, size, longName),
		"a long name that some allOf write out": writtenOut(size, 1000, longName),
		"patterns that ignore case": func() pair {
			ranges := nested(size/2500, `[\x{100}-\x{10000}]`, "", "")
			return same(one(list(size, "pN: {type: string, pattern: '(?i:"+ranges+")N'}")))
		},
		"fields of a long path":  behindAPath("{type: KIND}"),
		"objects of a long path": behindAPath("{type: object, properties: {x: {type: KIND}}}"),
		"unions of a long path": behindAPath("{oneOf: [{type: object, required: [k], properties: {k: {const: a}}}, " +
			"{type: object, required: [k], properties: {k: {const: b}, x: {type: KIND}}}]}"),
		"enums of a long path": func() pair {
			return same(one(nested(100, longKey+": {type: object, properties: {", list(half, "eN: {enum: [a, b]}"), "}}")))
		},
		"a long Go name": func() pair {
			return same(catalog(urns("  urn:a:b:c:\n    queue: q\n    name: N" + strings.Repeat("n", 250) + "\n    data: " +
				object(list(size, "pN: {type: object, properties: {x: {}}}")) + "\n")))
		},
		"every type with every type": func() pair {
			return changed(func(kind string) string {
				n := 2
				for n*n*40 < size {
					n++
				}
				var b strings.Builder
				for i := range n {
					fmt.Fprintf(&b, "  T%d: {type: object, properties: {k: {type: %s}", i, kind)
					for j := range n {
						fmt.Fprintf(&b, ", p%d: {$ref: '#/types/T%d'}", j, j)
					}
					b.WriteString("}}\n")
				}
				var messages strings.Builder
				for i := range n {
					messages.WriteString(message(fmt.Sprint("u", i), fmt.Sprintf("{$ref: '#/types/T%d'}", i)))
				}
				return catalog("types:\n", b.String(), urns(messages.String()))
			}, "string", "integer")
		},
		"messages along a chain of types": func() pair {
			return changed(func(kind string) string {
				var types, messages strings.Builder
				n := min(size/150, maxNames)
				for i := range n {
					fmt.Fprintf(&types, "  T%d: {type: object, properties: {n: {$ref: '#/types/T%d'}}}\n", i, i+1)
					messages.WriteString(message(fmt.Sprint("u", i), fmt.Sprintf("{$ref: '#/types/T%d'}", i)))
				}
				fmt.Fprintf(&types, "  T%d: {type: object, properties: {k: {type: %s}}}\n", n, kind)
				return catalog("types:\n", types.String(), urns(messages.String()))
			}, "string", "integer")
		},
		"unions of unions": func() pair {
			return changed(func(w string) string {
				branches := func(of string, n int) string {
					return list(n, "{type: object, required: [k, "+w+"N], properties: {k: {const: cN}, "+w+"N: "+of+"}}")
				}
				return catalog("types:\n  T: {oneOf: ["+branches("{type: string}", half)+"], x-unknown-branch: keep}\n",
					urns(message("c", object("a: {oneOf: ["+branches("{$ref: '#/types/T'}", half)+"]}"))))
			}, "a", "b")
		},
		"chain of if": func() pair {
			return changed(func(w string) string {
				chain := nested(60, "{if: {required: ["+w+"]}, then: {not: {const: 1}}, else: ", "true", "}")
				return withExamples(object("a: {anyOf: ["+list(size, chain)+"]}"), "      - {a: {}}\n")
			}, "x", "y")
		},
		"dependentSchemas": func() pair {
			inside := "pN: {dependentRequired: {qN: [pN]}, properties: {pN: {}, qN: {type: integer}}}"
			return same(withExamples("{type: object, properties: {}, dependentSchemas: {"+list(half, inside)+
				"}, unevaluatedProperties: false}", "      - {"+list(half/8, "pN: 1, qN: 1")+"}\n"))
		},
		"queues of one topic": func() pair {
			return changed(func(w string) string {
				return "bqgen: 1\npackage: x\nqueues:\n" + fill(half, "  qN: {topic: "+w+", services: [a]}\n") +
					urns(fill(half, "  urn:a:b:uN: {queue: qN, consumers: [a, b], data: {type: object}}\n"))
			}, "t", "s")
		},
		"chain of deprecations": func() pair {
			return changed(func(w string) string {
				var b strings.Builder
				n := min(size/80, maxNames-1)
				for i := range n {
					fmt.Fprintf(&b, "  urn:a:b:u%d: {queue: q, deprecated: {use: urn:a:b:u%d, reason: %s}, "+
						"data: {type: object}}\n", i, i+1, w)
				}
				return catalog(urns(b.String(), message(fmt.Sprint("u", n), "{type: object}")))
			}, "one", "two")
		},
		"removals that comments name": func() pair {
			comments := fill(size, "  # bqgen:ignore required-property-removed of=pN until=2099-01-01 x\n")
			return pair{
				new: catalog("urns:\n", comments, message("c", "{type: object}")),
				old: catalog(urns(message("c", "{type: object, required: ["+list(half/2, "pN")+"], properties: {"+
					list(half, "pN: {}")+"}}"))),
			}
		},
		"pointers into pointers": func() pair {
			return same(catalog(urns("  urn:a:b:c: {queue: q, key: /" + strings.Repeat("a/", half) + "a, data: " +
				object("a: {$ref: '#/types/"+strings.Repeat("a/", half)+"a'}") + "}\n")))
		},
	}
}

// shared is a catalog of a type and a payload with at most n members that are an allOf of it and another keyword.
func shared(typ, other string, n, size int) func() pair {
	return func() pair {
		return same(catalog("types:\n  T: ", typ, "\n", urns(message("c",
			object(some(n, size, "pN: {allOf: [{$ref: '#/types/T'}, {"+other+"}]}"))))))
	}
}

// writtenOut is a catalog whose payload writes the same members out at most n times.
func writtenOut(size, n int, members string) func() pair {
	return shared("{type: object, properties: {"+members+"}}", "minProperties: 1", n, size)
}
