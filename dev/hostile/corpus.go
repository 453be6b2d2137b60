package main

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
)

// A pair is a catalog and its earlier version.
type pair struct {
	new, old string
	files    map[string]string // other files, by name
	commands []string          // what to run; nil for the usual commands
}

// all returns all files by name.
func (p pair) all() map[string]string {
	files := maps.Clone(p.files)
	if files == nil {
		files = map[string]string{}
	}
	if p.commands == nil {
		files["urns.yaml"], files["old.yaml"] = p.new, p.old
	}
	return files
}

func (p pair) commandsOr(usual []string) []string {
	if p.commands != nil {
		return p.commands
	}
	return usual
}

const head = "bqgen: 1\npackage: x\nqueues: {q: {}}\n"

// fill repeats a piece of text until it has about so many bytes, or as many messages or queues as a catalog may have.
// The piece is given its number.
func fill(size int, piece string) string {
	most := size
	if n := len(startOfName.FindAllString(piece, -1)); n > 0 {
		most = maxNames / n
	}
	var b strings.Builder
	for i := 0; b.Len() < size && i < most; i++ {
		b.WriteString(strings.ReplaceAll(piece, "N", fmt.Sprint(i)))
	}
	return b.String()
}

// maxNames is the number of messages, queues and services that a catalog may have, of each.
const maxNames = 5000

var startOfName = regexp.MustCompile(`(?m)^  ((\? |\x{feff})?urn:|[a-z]N:)`)

// list is fill for the items of a list or a mapping in brackets.
func list(size int, piece string) string { return strings.TrimSuffix(fill(size, piece+", "), ", ") }

// some are a number of items, at most as many as have about so many bytes.
func some(n, size int, piece string) string {
	items := make([]string, min(n, size/(len(piece)+len("1234, "))))
	for i := range items {
		items[i] = strings.ReplaceAll(piece, "N", fmt.Sprint(i))
	}
	return strings.Join(items, ", ")
}

func object(members string) string { return "{type: object, properties: {" + members + "}}" }

func message(name, data string) string {
	return "  urn:a:b:" + name + ": {queue: q, data: " + data + "}\n"
}

func catalog(sections ...string) string { return head + strings.Join(sections, "") }

func urns(messages ...string) string { return "urns:\n" + strings.Join(messages, "") }

// one is a catalog of one message whose payload has these members.
func one(members string) string { return catalog(urns(message("c", object(members)))) }

func same(text string) pair { return pair{new: text, old: text} }

// withExamples is a catalog of one message with examples.
func withExamples(data, examples string) string {
	return catalog(urns("  urn:a:b:c:\n    queue: q\n    data: " + data + "\n    examples:\n" + examples))
}

// nested puts text between n openings and closings.
func nested(n int, open, middle, closing string) string {
	return strings.Repeat(open, n) + middle + strings.Repeat(closing, n)
}

// changed is a pair that differs in one word.
func changed(build func(word string) string, is, was string) pair {
	return pair{new: build(is), old: build(was)}
}

const costly = "^(a?){900}a{900}$"

// corpus returns the catalogs, each of about so many bytes.
func corpus(size int) map[string]func() pair {
	half := size / 2
	shared := func(data string) func() pair {
		return func() pair {
			return changed(func(kind string) string {
				return catalog("types:\n  T: ", object(list(half, "pN: {type: "+kind+"}")), "\n",
					urns(fill(half, message("uN", data))))
			}, "string", "integer")
		}
	}
	texts := func(build func(text string) string) func() pair {
		return func() pair { return same(build(strings.Repeat("x", size))) }
	}
	all := map[string]func() pair{
		"many urns": func() pair {
			data := object(list(120, "pN: {type: string}"))
			return same(catalog(urns(fill(size, message("uN", data)))))
		},
		"too many urns": func() pair {
			var b strings.Builder
			for i := range size / 50 {
				b.WriteString(message(fmt.Sprint("u", i), "{type: object}"))
			}
			return same(catalog(urns(b.String())))
		},
		"renamed urns": func() pair {
			return changed(func(w string) string {
				return catalog(urns(fill(size, message(w+"N", "{type: object}"))))
			}, "u", "v")
		},
		"urns of one summary": func() pair {
			return changed(func(w string) string {
				return catalog(urns(fill(size, "  urn:a:b:"+w+"N: {queue: q, summary: s, data: "+
					object("a: {type: string, title: "+w+"}")+"}\n")))
			}, "u", "v")
		},
		"queues": func() pair {
			return changed(func(w string) string {
				return "bqgen: 1\npackage: x\nqueues:\n" + fill(size, "  "+w+"N: {}\n") + "urns: {}\n"
			}, "q", "r")
		},
		"many properties": func() pair { return same(one(list(size, "pN: {type: string}"))) },
		"renamed properties": func() pair {
			return changed(func(w string) string { return one(list(size, w+"N: {type: string}")) }, "p", "r")
		},
		"changed types": func() pair {
			return changed(func(w string) string { return one(list(size, "pN: {type: "+w+"}")) }, "string", "integer")
		},
		"changed enum": func() pair {
			return changed(func(w string) string {
				return one("e: {type: string, enum: [" + list(size, w+"N") + "]}")
			}, "a", "b")
		},
		"changed enum of integers": func() pair {
			return changed(func(w string) string {
				return one("e: {type: integer, enum: [" + list(size, w+"N") + "]}")
			}, "1", "2")
		},
		"long enum": func() pair { return same(one("e: {type: string, enum: [" + list(size, "aN") + "]}")) },
		"changed pattern": func() pair {
			return pair{new: one("e: {type: string, minLength: 90000, pattern: '([a-z]?){900}x'}"),
				old: one("e: {type: string}")}
		},
		"many patterns": func() pair {
			return pair{new: one(list(size, "pN: {type: string, pattern: '([a-z]?){500}x'}")),
				old: one(list(size, "pN: {type: string}"))}
		},
		"examples of a costly pattern": func() pair {
			return same(withExamples(object("e: {type: string, pattern: '"+costly+"'}"),
				fill(size, "      - {e: "+strings.Repeat("a", 900)+"}\n")))
		},
		"long example of a costly pattern": func() pair {
			return same(withExamples(object("e: {type: string, pattern: '"+costly+"'}"),
				"      - {e: "+strings.Repeat("a", size)+"}\n"))
		},
		"nested unions": func() pair {
			var branches []string
			for i := range 10 {
				branches = append(branches, fmt.Sprintf("{type: object, required: [op], properties: "+
					"{op: {const: o%d}, a: {$ref: '#/types/E'}}}", i))
			}
			return same(catalog("types:\n  E: {oneOf: [", strings.Join(branches, ", "), "]}\n") +
				strings.TrimPrefix(withExamples(object("e: {$ref: '#/types/E'}"),
					"      - {e: "+nested(60, "{op: o1, a: ", "{op: o1}", "}")+"}\n"), head))
		},
		"wrong examples": func() pair {
			return same(withExamples(object("a: {type: integer}"), fill(size, "      - {a: x}\n")))
		},
		"examples of a long enum": func() pair {
			return same(withExamples(object("e: {type: string, enum: ["+list(half, "aN")+"]}"), fill(half, "      - {e: xN}\n")))
		},
		"examples without what is required": func() pair {
			return same(withExamples("{type: object, required: ["+list(size/3, "pN")+"], properties: {"+
				list(size/2, "pN: {}")+"}}", fill(size/6, "      - {}\n")))
		},
		"example with undeclared members": func() pair {
			return same(withExamples("{type: object, additionalProperties: false, properties: {}}",
				"      - {"+list(size, "pN: 1")+"}\n"))
		},
		"example of unique items": func() pair {
			return same(withExamples(object("e: {type: array, items: {type: integer}, uniqueItems: true}"),
				"      - {e: ["+list(size, "N")+"]}\n"))
		},
		"unknown references": func() pair {
			return same(catalog("types: {", list(half, "TypeN: {type: string}"), "}\n",
				urns(message("c", object(list(half, "pN: {$ref: '#/types/TipeN'}"))))))
		},
		"unknown keys": func() pair {
			return same(catalog(urns(fill(size, message("uN", "{type: object, propertieN: 1}")))))
		},
		"unknown top-level keys": func() pair { return same(catalog("urns: {}\n", fill(size, "queesN: 1\n"))) },
		"unknown queues": func() pair {
			return same("bqgen: 1\npackage: x\nqueues: {" + list(half, "queueN: {}") + "}\n" +
				urns(fill(half, "  urn:a:b:cN: {queue: quueN, data: {type: object}}\n")))
		},
		"repeated keys": func() pair { return same(catalog(urns(fill(size, message("same", "{type: object}"))))) },
		"ignore comments": func() pair {
			return same(catalog(urns(message("c", "{type: object}")), fill(size, "# bqgen:ignore missing-summary x\n")))
		},
		"ignore comments on one line": func() pair {
			return same(catalog(urns(message("c", "{type: object}")), "# ", fill(size, "x # bqgen:ignore a b "), "\n"))
		},
		"ignore comments on all lines": func() pair {
			return same(catalog(urns(fill(size, "  urn:a:b:uN: {queue: q, data: {type: object}} # bqgen:ignore urn-added x\n"))))
		},
		"number signs": func() pair {
			return same(catalog(urns(message("c", "{type: object}")), strings.Repeat(" #", half), "\n"))
		},
		"many types": func() pair {
			return same(catalog("types:\n", fill(size, "  TN: {type: string}\n"), urns(message("c", "{type: object}"))))
		},
		"cycle of types": func() pair {
			var b strings.Builder
			n := size / 80
			for i := range n {
				fmt.Fprintf(&b, "  T%d: {type: object, required: [n], properties: {n: {$ref: '#/types/T%d'}}}\n", i, (i+1)%n)
			}
			return same(catalog("types:\n", b.String(), urns(message("c", "{$ref: '#/types/T0'}"))))
		},
		"chain of types": func() pair {
			return changed(func(kind string) string {
				var b strings.Builder
				n := half / 70
				for i := range n {
					fmt.Fprintf(&b, "  T%d: {type: object, properties: {n: {$ref: '#/types/T%d'}}}\n", i, i+1)
				}
				fmt.Fprintf(&b, "  T%d: {type: %s}\n", n, kind)
				return catalog("types:\n", b.String(), urns(fill(half, message("uN", "{$ref: '#/types/T0'}"))))
			}, "string", "integer")
		},
		"payload that all share": shared("{$ref: '#/types/T'}"),
		"member that all share":  shared(object("a: {$ref: '#/types/T'}")),
		"required payload that all share": func() pair {
			return same(catalog("types:\n  T: {type: object, required: [", list(half/9, "pN"), "], properties: {",
				list(half/2, "pN: {type: string}"), "}}\n", urns(fill(half, message("uN", "{$ref: '#/types/T'}")))))
		},
		"deep example of one line for each value": func() pair {
			depth := min(190, size/20)
			return same(withExamples("{type: object}", "    - {a: "+nested(depth, "[", list(size-2*depth, "1"), "]")+"}\n"))
		},
		"undeclared members": func() pair {
			build := func(members string) string {
				return catalog(urns(message("c", "{type: object, additionalProperties: "+
					object(list(half, "pN: {type: string}"))+", properties: {"+members+"}}")))
			}
			return pair{new: build(""), old: build(list(half, "qN: {type: object, properties: {}}"))}
		},
		"deep payload":  func() pair { return same(one("a: " + nested(250, "{type: object, properties: {a: ", "{}", "}}"))) },
		"deep brackets": func() pair { return same(catalog("urns:\n  x: ", nested(half, "[", "", "]"), "\n")) },
		"deep arrays": func() pair {
			return changed(func(kind string) string {
				return one("a: " + nested(60, "{type: array, minItems: 100, items: ", "{type: "+kind+"}", "}"))
			}, "string", "integer")
		},
		"deep arrays of unique items": func() pair {
			return changed(func(kind string) string {
				return one("a: " + nested(20, "{type: array, minItems: 2, uniqueItems: true, items: ", "{type: "+kind+"}", "}"))
			}, "string", "integer")
		},
		"aliases of aliases": func() pair {
			var b strings.Builder
			b.WriteString("x: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n")
			for i := range 12 {
				fmt.Fprintf(&b, "y%d: &a%d [%s]\n", i, i+1, strings.Repeat(fmt.Sprintf("*a%d , ", i), 9))
			}
			return same(catalog(b.String(), "urns: {}\n"))
		},
		"aliases of text": func() pair {
			return same(catalog("types:\n  A: {type: string, description: &x \"", strings.Repeat("y ", half/2), "\"}\n",
				urns(fill(half, "  urn:a:b:uN: {queue: q, description: *x , data: {type: object}}\n"))))
		},
		"large limits": func() pair {
			return pair{
				new: one("a: {type: array, items: {type: integer}, uniqueItems: true, minItems: 100000000}, " +
					"b: {type: string, minLength: 2000000000}, c: {type: object, additionalProperties: true, " +
					"minProperties: 1000000000}"),
				old: one("a: {type: array, items: {type: string}}, b: {type: string}, " +
					"c: {type: object, additionalProperties: true}"),
			}
		},
		"long numbers": func() pair {
			return pair{new: one("a: {type: number, multipleOf: 1e-300, minimum: 1e300, maximum: " +
				strings.Repeat("9", half) + "}"), old: one("a: {type: number}")}
		},
		"many parts of allOf": func() pair {
			parts := list(size, "{properties: {aN: {type: string}}}")
			return same(catalog(urns(message("c", "{type: object, allOf: ["+parts+"]}"))))
		},
		"allOf of one member": func() pair {
			parts := list(size, "{properties: {a: {minLength: N}}}")
			return same(catalog(urns(message("c", "{type: object, allOf: ["+parts+"]}"))))
		},
		"doubling allOf": func() pair {
			var b strings.Builder
			b.WriteString("  T0: {type: object, properties: {a: {type: string}}}\n")
			for i := range 40 {
				ref := fmt.Sprintf("{$ref: '#/types/T%d'}", i)
				fmt.Fprintf(&b, "  T%d: {allOf: [%s, {properties: {p%d: {allOf: [%s]}, q%d: {allOf: [%s]}}}]}\n",
					i+1, ref, i, ref, i, ref)
			}
			return same(catalog("types:\n", b.String(), urns(message("c", "{$ref: '#/types/T40'}"))))
		},
		"many branches": func() pair {
			return changed(func(w string) string {
				return one("u: {oneOf: [" + list(size, "{type: object, required: [k], properties: {k: {const: "+w+"N}}}") + "]}")
			}, "k", "j")
		},
		"unknown required properties": func() pair {
			return same(catalog(urns(message("c", "{type: object, required: ["+list(size, "aN")+"], properties: {}}"))))
		},
		"required properties": func() pair {
			return pair{new: catalog(urns(message("c", "{type: object, required: ["+list(size/3, "aN")+"], properties: {"+
				list(size, "aN: {type: string}")+"}}"))), old: one("a0: {type: string}")}
		},
		"colliding names": func() pair {
			return same(catalog(urns(fill(size, "  urn:a:b:xN: {queue: q, name: Xx, data: {type: object}}\n"))))
		},
		"faults of style": func() pair {
			return same(catalog(urns(fill(size, message("UN", object("fooBar: {type: string}, foo_bar2: {type: number}"))))))
		},
		"comments": func() pair {
			return same(catalog(urns(fill(size, "  # c\n  urn:a:b:cN: # d\n    queue: q # e\n    data: {type: object} # f\n"))))
		},
		"services": func() pair {
			const one = "  urn:a:b:uN: {queue: q, publishers: [sN], consumers: [s0], data: {type: object}}\n"
			return same(catalog(urns(fill(size, one))))
		},
		"many services": func() pair {
			return same(catalog(urns("  urn:a:b:c: {queue: q, publishers: [" + some(maxNames/2, half, "sN") + "], consumers: [" +
				some(maxNames/2, half, "tN") + "], data: {type: object}}\n")))
		},
		"too many services": func() pair {
			return same(catalog(urns("  urn:a:b:c: {queue: q, publishers: [" + list(half, "sN") + "], consumers: [" +
				list(half, "tN") + "], data: {type: object}}\n")))
		},
		"services of a queue": func() pair {
			return changed(func(w string) string {
				services := some(maxNames, half, w+"N")
				return "bqgen: 1\npackage: x\nqueues: {q: {services: [" + services + "]}}\n" +
					urns("  urn:a:b:c: {queue: q, consumers: ["+services+"], data: {type: object}}\n")
			}, "s", "t")
		},
		"messages of services": func() pair {
			return changed(func(w string) string {
				return "bqgen: 1\npackage: x\nqueues: {q: {services: [a, b]}}\n" +
					urns(fill(size, "  urn:a:b:"+w+"N: {queue: q, consumers: [a, b], data: {type: object}}\n"))
			}, "u", "v")
		},
		"all messages of all services": func() pair {
			return changed(func(w string) string {
				return "bqgen: 1\npackage: x\nqueues: {q: {services: &s [" + list(size/700, w+"N") + "]}}\n" +
					urns(fill(size/30, "  urn:a:b:uN: {queue: q, consumers: *s , data: {type: object}}\n"))
			}, "s", "t")
		},
		"long path": func() pair {
			return changed(func(kind string) string {
				return one(strings.Repeat("c", half) + ": " + object(list(half, "pN: {type: "+kind+"}")))
			}, "string", "integer")
		},
		"long urn":    texts(func(s string) string { return catalog(urns(message(s, "{type: object}"))) }),
		"long name":   texts(func(s string) string { return one(s + ": {type: string}") }),
		"long word":   texts(func(s string) string { return one("a: {type: string, description: " + s + "}") }),
		"long const":  texts(func(s string) string { return one("a: {const: " + s + "}") }),
		"blank lines": texts(func(s string) string { return catalog("urns: {}", strings.Repeat("\n", len(s))) }),
		"tabs":        texts(func(s string) string { return strings.Repeat("\t", len(s)) }),
		"old Mac":     texts(func(s string) string { return strings.Repeat("urns: {}\r", len(s)/9) }),
	}
	maps.Copy(all, rulesCorpus(size))
	maps.Copy(all, textCorpus(size))
	maps.Copy(all, numberCorpus(size))
	maps.Copy(all, graphCorpus(size))
	maps.Copy(all, fileCorpus(size))
	maps.Copy(all, importCorpus(size))
	return all
}
