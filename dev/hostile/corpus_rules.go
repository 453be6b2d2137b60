package main

import (
	"fmt"
	"strings"
)

// ladder is types of which each uses the next one twice. N is the type itself, M the next one.
func ladder(steps int, step, last string) string {
	var b strings.Builder
	for i := range steps {
		b.WriteString(strings.NewReplacer("N", fmt.Sprint("T", i), "M", fmt.Sprintf("{$ref: '#/types/T%d'}", i+1)).
			Replace("  N: " + step + "\n"))
	}
	return fmt.Sprintf("types:\n%s  T%d: %s\n", b.String(), steps, last)
}

// withTypes is a catalog of types and one message with examples.
func withTypes(types, data, examples string) string {
	return head + types + strings.TrimPrefix(withExamples(data, examples), head)
}

// rulesCorpus is catalogs of what no Go type expresses, and JSON Schema validators try out.
func rulesCorpus(size int) map[string]func() pair {
	half := size / 2
	climbed := func(step, last, example string) func() pair {
		return func() pair {
			return changed(func(kind string) string {
				return withTypes(ladder(40, step, strings.ReplaceAll(last, "KIND", kind)), object("a: {$ref: '#/types/T0'}"),
					"      - "+example+"\n")
			}, "string", "integer")
		}
	}
	rule := func(schema string) func() pair {
		return func() pair {
			return changed(func(kind string) string {
				return one(list(size, strings.ReplaceAll("pN: "+schema, "KIND", kind)))
			}, "string", "integer")
		}
	}
	return map[string]func() pair{
		"doubling anyOf":                       climbed("{anyOf: [M, M]}", "{type: KIND}", "{}"),
		"doubling oneOf":                       climbed("{oneOf: [M, {allOf: [M], minLength: 3}]}", "{type: KIND}", "{}"),
		"doubling not":                         climbed("{not: {anyOf: [M, {not: M}]}}", "{type: KIND}", "{}"),
		"doubling if":                          climbed("{if: M, then: M, else: M}", "{type: KIND}", "{}"),
		"doubling anyOf that an example tries": climbed("{anyOf: [M, M]}", "{type: KIND, enum: [b]}", "{a: true}"),
		"doubling if that an example tries":    climbed("{if: M, then: M, else: M}", "{}", "{a: true}"),
		"doubling members that an example tries": func() pair {
			step := "{type: object, properties: {n: {}}, anyOf: [{properties: {n: M}, required: [n]}, {properties: {n: M}}]}"
			return same(withTypes(ladder(40, step, "{type: string}"), object("a: {$ref: '#/types/T0'}"),
				"      - {a: "+nested(40, "{n: ", "1", "}")+"}\n"))
		},
		"deep not": func() pair { return same(one("a: " + nested(120, "{not: ", "{type: string}", "}"))) },
		"deep contains": func() pair {
			return same(one("a: " +
				nested(120, "{type: array, contains: ", "{type: string}", "}")))
		},
		"many not":           rule("{not: {type: KIND}}"),
		"many anyOf":         rule("{anyOf: [{type: KIND}, {type: boolean}]}"),
		"many if":            rule("{if: {type: KIND}, then: {minLength: 3}, else: false}"),
		"many contains":      rule("{type: array, contains: {type: KIND}, minContains: 2, maxContains: 3}"),
		"many prefixItems":   rule("{type: array, prefixItems: [{type: KIND}, true], unevaluatedItems: false}"),
		"many propertyNames": rule("{type: object, propertyNames: {pattern: '^KIND'}, dependentRequired: {a: [b]}}"),
		"many dependentSchemas": rule("{type: object, dependentSchemas: {a: {required: [KIND]}}, " +
			"unevaluatedProperties: false}"),
		"many values of any kind": rule("{enum: [{a: KIND}, [N], null]}"),
		"one anyOf": func() pair {
			return changed(func(w string) string {
				return one("a: {anyOf: [" + list(size, "{type: string, pattern: '^"+w+"N'}") + "]}")
			}, "a", "b")
		},
		"one oneOf that an example tries": func() pair {
			return same(withExamples(object("a: {oneOf: ["+list(half, "{type: object, required: [kN]}")+"]}"),
				fill(half, "      - {a: {kN: 1}}\n")))
		},
		"branches of a large type": func() pair {
			return same(catalog("types:\n  T: "+object(list(half, "pN: {type: string}"))+"\n",
				urns(message("c", object("a: {oneOf: ["+list(half, "{$ref: '#/types/T'}")+"]}")))))
		},
		"patternProperties": func() pair {
			return same(withExamples("{type: object, patternProperties: {"+list(half, "^pN: {type: integer}")+"}}",
				"      - {"+list(half, "pN: 1")+"}\n"))
		},
		"costly patternProperties": func() pair {
			return same(withExamples("{type: object, patternProperties: {'"+costly+"': {type: integer}}}",
				"      - {"+list(size, strings.Repeat("a", 900)+"N: 1")+"}\n"))
		},
		"changed patternProperties": func() pair {
			return changed(func(w string) string {
				return catalog(urns(message("c", "{type: object, patternProperties: {"+list(size, "^"+w+"N: {type: string}")+"}}")))
			}, "p", "q")
		},
		"contains that an example tries": func() pair {
			return same(withExamples(object("a: {type: array, contains: {anyOf: ["+list(half, "{const: xN}")+"]}}"),
				"      - {a: ["+list(half, "N")+"]}\n"))
		},
		"enum of numbers that an example tries": func() pair {
			return same(withExamples(object("a: {not: {enum: ["+list(half, "N.5")+"]}}"), fill(half, "      - {a: N}\n")))
		},
		"enum of long numbers that an example tries": func() pair {
			digits := "0." + strings.Repeat("7", 300)
			return same(withExamples(object("a: {not: {enum: ["+list(half, digits+"N")+"]}}"),
				fill(half, "      - {a: "+digits+"N}\n")))
		},
		"types of long numbers": func() pair {
			return same(withExamples(object("a: {anyOf: ["+list(half, "{type: integer}")+"]}"),
				fill(half, "      - {a: 0."+strings.Repeat("7", 300)+"N}\n")))
		},
		"lists of few unique numbers": func() pair {
			return same(withExamples(object("a: {type: array, items: {type: number}, uniqueItems: true}"),
				fill(size, "      - {a: [N.0, N.1, N.2, N.3, N.4, N.5, N.6, N.7, N.8, N.9, 1.0, 1.1, 1.2, 1.3, 1.4]}\n")))
		},
		"dependentRequired": func() pair {
			return same(withExamples("{type: object, properties: {}, dependentRequired: {"+list(half, "pN: [qN]")+"}}",
				"      - {"+list(half, "pN: 1, qN: 1")+"}\n"))
		},
		"unevaluatedProperties": func() pair {
			return same(withExamples("{type: object, anyOf: ["+list(half, "{properties: {pN: {}}}")+
				"], unevaluatedProperties: false}", "      - {"+list(half, "pN: 1")+"}\n"))
		},
		"unevaluatedItems": func() pair {
			return same(withExamples(object("a: {type: array, contains: {type: integer}, unevaluatedItems: {type: string}}"),
				"      - {a: ["+list(size, "N")+"]}\n"))
		},
		"rules that all messages share": func() pair {
			return changed(func(kind string) string {
				return catalog("types:\n  T: {type: object, properties: {a: {not: {enum: ["+list(half, "vN")+
					"]}}}, not: {required: ["+
					kind+"]}}\n", urns(fill(half, message("uN", "{$ref: '#/types/T'}"))))
			}, "string", "integer")
		},
		"members with rules that all messages share": func() pair {
			return changed(func(kind string) string {
				return catalog("types:\n  T: {not: {anyOf: ["+list(half, "{const: vN}")+", {type: "+kind+"}]}}\n",
					urns(fill(half, message("uN", object("a: {$ref: '#/types/T'}")))))
			}, "string", "integer")
		},
		"rules of a cycle of types": func() pair {
			return changed(func(kind string) string {
				var b strings.Builder
				n := size / 90
				for i := range n {
					fmt.Fprintf(&b, "  T%d: {type: object, not: {properties: {n: {$ref: '#/types/T%d'}}, required: [%s]}}\n",
						i, (i+1)%n, kind)
				}
				return catalog("types:\n", b.String(), urns(message("c", "{$ref: '#/types/T0'}")))
			}, "string", "integer")
		},
		"const of a large value": func() pair {
			return changed(func(w string) string {
				return one("a: {const: {" + list(size, w+"N: [N, {x: null}]") + "}}")
			}, "a", "b")
		},
		"enum of objects": func() pair {
			return changed(func(w string) string {
				return one("a: {enum: [" + list(size, "{"+w+": N, b: [N]}") + "]}")
			}, "a", "c")
		},
		"enum of nearly equal objects": func() pair {
			text := strings.Repeat("x", 1000)
			return same(one("a: {enum: [" + list(size, "{a: "+text+", b: N}") + "]}"))
		},
		"example of unique objects": func() pair {
			return same(withExamples(object("e: {type: array, items: {type: object}, uniqueItems: true}"),
				"      - {e: ["+list(size, "{a: N, b: [N]}")+"]}\n"))
		},
		"example of unique lists of lists": func() pair { // as many lists in each, which simple hashes confuse
			return same(withExamples(object("e: {type: array, uniqueItems: true, items: {}}"),
				"      - {e: ["+strings.Join(listsOfLists(size), ", ")+"]}\n"))
		},
		"chain of allOf": func() pair {
			var b strings.Builder
			n := size / 100
			for i := range n {
				fmt.Fprintf(&b, "  T%d: {type: object, allOf: [{$ref: '#/types/T%d'}, {properties: {p%d: {type: string}}}]}\n",
					i, i+1, i)
			}
			fmt.Fprintf(&b, "  T%d: %s\n", n, object("a: {type: string}"))
			return same(catalog("types:\n", b.String(), urns(message("c", "{$ref: '#/types/T0'}"))))
		},
		"ignored changes": func() pair {
			build := func(members string) string {
				return catalog(urns(fill(size, "  urn:a:b:uN: {queue: q, data: "+object(members)+
					"} # bqgen:ignore property-removed until=2099-01-01 x\n")))
			}
			return pair{new: build(""), old: build("p: {type: string}")}
		},
		"defaults":             rule("{type: array, items: {not: {type: KIND}}, default: [{a: N}], examples: [[{a: N}]]}"),
		"keywords of others":   rule("{type: string, x-one: {a: [N, KIND]}, $comment: KIND}"),
		"a large keyword":      func() pair { return same(one("a: {x-one: {" + list(size, "kN: [N]") + "}}")) },
		"patterns of an allOf": rule("{type: string, allOf: [{pattern: a}, {pattern: KIND}, {pattern: N}]}"),
		"required but undeclared": func() pair {
			return changed(func(w string) string {
				return catalog(urns(message("c", "{type: object, required: ["+list(size, w+"N")+"]}")))
			}, "a", "b")
		},
	}
}

// listsOfLists returns different lists with as many lists inside each, of about so many bytes.
func listsOfLists(size int) []string {
	all := []string{""}
	inside := [][]string{{""}} // by number of lists
	for n := 1; len(all)*2*n < size; n++ {
		all = nil
		for i := range n {
			for _, first := range inside[i] {
				for _, rest := range inside[n-1-i] {
					if all = append(all, strings.TrimSuffix("["+first+"], "+rest, ", ")); len(all)*4*n > size {
						return bracketed(all)
					}
				}
			}
		}
		inside = append(inside, all)
	}
	return bracketed(all)
}

func bracketed(texts []string) []string {
	all := make([]string, len(texts))
	for i, s := range texts {
		all[i] = "[" + s + "]"
	}
	return all
}
