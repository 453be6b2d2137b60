package main

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// textCorpus is catalogs of YAML and text that are costly to read, to write or to quote.
func textCorpus(size int) map[string]func() pair {
	half := size / 2
	all := map[string]func() pair{
		"anchors": func() pair {
			return same(catalog("x: ["+list(half, "&aN 1")+"]\ny: ["+list(half, "*aN ")+"]\n", "urns: {}\n"))
		},
		"aliases of a schema": func() pair {
			return same(catalog("types:\n  A: &x " + object(list(1000, "pN: {type: string}")) + "\n" +
				fill(size, "  BN: *x\n") + "urns: {}\n"))
		},
		"merge keys": func() pair {
			return same(catalog("types:\n  A: &x " + object(list(200, "pN: {type: string}")) + "\n" +
				fill(size, "  BN: {<<: *x, description: N}\n") + "urns: {}\n"))
		},
		"chain of merge keys": func() pair {
			var b strings.Builder
			b.WriteString("x0: &a0 {k0: 1}\n")
			for i := range size / 40 {
				fmt.Fprintf(&b, "x%d: &a%d {<<: *a%d , k%d: 1}\n", i+1, i+1, i, i+1)
			}
			return same(catalog(b.String(), "urns: {}\n"))
		},
		"deep mappings": func() pair { return same(catalog("urns:\n  x: " + nested(size/4, "{a: ", "1", "}") + "\n")) },
		"deep dashes":   func() pair { return same(catalog("urns:\n  " + strings.Repeat("- ", half) + "1\n")) },
		"deep indentation": func() pair {
			var b strings.Builder
			for i := range 1300 {
				b.WriteString(strings.Repeat(" ", i) + "a:\n")
			}
			return same(catalog("x:\n", b.String(), "urns: {}\n"))
		},
		"question marks": func() pair { return same(catalog(strings.Repeat("? ", half) + "\n")) },
		"colons":         func() pair { return same(catalog(strings.Repeat("a: ", size/3) + "\n")) },
		"documents":      func() pair { return same(strings.Repeat("---\n", size/4)) },
		"directives":     func() pair { return same(strings.Repeat("%TAG !a! b\n", size/11) + "---\n{}\n") },
		"tags":           func() pair { return same(catalog("x: [" + list(size, "!!str N") + "]\nurns: {}\n")) },
		"lists in a column": func() pair {
			return same(catalog("urns: {}\nx: !\n", fill(size, "- a\n")))
		},
		"comments in a list": func() pair {
			return same(catalog("urns: {}\nx:\n", fill(size, "# c\n- # d\n  a: 1 # e\n")))
		},
		"a long comment": func() pair { return same(catalog("# " + strings.Repeat("x", size) + "\nurns: {}\n")) },
		"a folded text": func() pair {
			return same(catalog("info:\n  title: >\n" + fill(size, "    word\n") +
				"urns: {}\n"))
		},
		"a text in many lines": func() pair {
			return same(catalog("info:\n  title: a\n" + fill(size, "    b\n") +
				"urns: {}\n"))
		},
		"quotes": func() pair {
			return same(catalog("info: {title: '" + strings.Repeat("''", half) +
				"'}\nurns: {}\n"))
		},
		"escapes": func() pair {
			return same(catalog(`info: {title: "`, strings.Repeat(`\u0001`, size/6), "\"}\nurns: {}\n"))
		},
		"control characters": func() pair { return same(catalog("urns: {}\n", strings.Repeat("\x01\n", half))) },
		"invalid characters": func() pair { return same(catalog("urns: {}\n", strings.Repeat("\xff\n", half))) },
		"nothing":            func() pair { return same("") },
		"zeros":              func() pair { return same(strings.Repeat("\x00", size)) },
		"many numbers": func() pair {
			digits := strings.Repeat("7", 390)
			return same(one(list(size, "pN: {type: integer, multipleOf: "+digits+", minimum: -"+digits+"}")))
		},
		"many small numbers": func() pair {
			return changed(func(w string) string {
				return one(list(size, "pN: {type: number, multipleOf: 1e-30"+w+", minimum: -1e30"+w+", maximum: 1e30"+w+"}"))
			}, "0", "1")
		},
		"numbers that differ in digits": func() pair {
			return changed(func(w string) string {
				return one(list(size, "pN: {type: integer, format: uint64, multipleOf: 18446744073709551"+w+", minimum: N}"))
			}, "557", "533")
		},
		"examples of numbers": func() pair {
			return same(withExamples(object("a: {type: number, multipleOf: 1e-300}"), fill(size, "      - {a: 1e30N}\n")))
		},
		"unicode names": func() pair {
			return same(one(list(size, "größeN日本𝒳: {type: string, enum: [ß, ẞ, ſ, 日]}")))
		},
		"names of one spelling": func() pair {
			return same(one(list(size, "a_-_"+"bN: {type: string}, aB_N: {type: string}")))
		},
		"names of keywords": func() pair {
			return same(one(list(size, "typeN: {type: object, properties: {type: {}, func: {}, Validate: {}, _: {}}}")))
		},
		"urns of one file name": func() pair {
			return same(catalog(urns(fill(size, "  urn:a:b:c.N: {queue: q, data: {type: object}}\n"+
				"  urn:A:B:C-N: {queue: q, data: {type: object}}\n"))))
		},
		"topics": func() pair {
			return changed(func(w string) string {
				return "bqgen: 1\npackage: x\nqueues:\n" + fill(size, "  qN: {topic: persistent://"+w+"/b/tN, dead_letter: dN}\n") +
					"urns: {}\n"
			}, "a", "c")
		},
		"lint rules": func() pair { return same(catalog("lint: {" + list(size, "ruleN: off") + "}\nurns: {}\n")) },
		"deprecations": func() pair {
			return same(catalog(urns(fill(size, "  urn:a:b:uN: {queue: q, deprecated: {use: urn:a:b:u0, reason: N}, "+
				"data: {type: object}}\n"))))
		},
		"message keys": func() pair {
			return same(catalog(urns(fill(size, "  urn:a:b:uN: {queue: q, key: /a/b, data: "+
				object("a: "+object("b: {type: string}"))+"}\n"))))
		},
		"types of one payload": func() pair {
			return same(catalog(urns("  urn:a:b:c:\n    queue: q\n    data: {type: object, $defs: {" +
				list(half, "TN: {type: string}") + "}, properties: {" + list(half, "pN: {$ref: '#/$defs/TN'}") + "}}\n")))
		},
		"merges of lists of merges": func() pair {
			var b strings.Builder
			b.WriteString("        x0: &a0 {k0: 1, k1: 2, k2: 3}\n")
			for i := range 20 {
				nine := strings.Repeat(fmt.Sprintf("*a%d , ", i), 9)
				fmt.Fprintf(&b, "        x%d: &a%d {<<: [%s{}], m%d: 1}\n", i+1, i+1, nine, i)
			}
			return same(catalog("types:\n  T:\n    type: string\n    x-one:\n", b.String(),
				fill(size-b.Len(), "        yN: {<<: [*a20 , *a19 , {kN: 1}]}\n"), "urns: {}\n"))
		},
		"aliases of themselves": func() pair {
			return same(catalog(fill(size, "xN: &aN {k: [*aN , {<<: *aN }, &bN [*bN ]]}\n"), "urns: {}\n"))
		},
		"UTF-16": func() pair {
			units := utf16.Encode([]rune("\ufeff" + catalog(urns(fill(half, message("uN", "{type: object}"))))))
			var new, old strings.Builder
			for _, u := range units {
				new.WriteString(string([]byte{byte(u), byte(u >> 8)}))
				old.WriteString(string([]byte{byte(u >> 8), byte(u)}))
			}
			return pair{new: new.String() + "\x00", old: old.String()}
		},
		"byte order marks": func() pair {
			return same(strings.Repeat("\ufeff", size/6) + catalog(urns(fill(half, "  \ufeffurn:a:b:uN: {queue: q}\n"))))
		},
		"long names that are nearly the same": func() pair {
			long := strings.Repeat("ab", 99)
			return same(catalog("types: {", list(half, long+"N: {type: string}"), "}\n",
				urns(message("c", object(list(half, "pN: {$ref: '#/types/"+strings.Repeat("ba", 99)+"N'}"))))))
		},
		"lines that YAML joins": func() pair {
			return same(catalog("info:\n  title: \"a\n"+fill(half/2, "    b \\\n\n")+"    \"\n  description: |2+\n"+
				fill(half/2, "     \t\n\n    # c\n"), urns(fill(half, "  ? urn:a:b:uN\n  : {queue: q,\n # c\n\n"+
				"   data: {type: object}}\n"))))
		},
		"comments between everything": func() pair {
			return same(catalog("urns: # a\n", fill(size, "  # b\n  urn:a:b:uN: { # c\n    # d\n    queue: q # e\n    , # f\n"+
				"    data: { type: # g\n      object, # h\n      enum: [ # i\n      {}, # j\n      ] } }\n")))
		},
		"Markdown": func() pair {
			var b strings.Builder
			for i := range 200 { // nested lists and quotations
				b.WriteString("      " + strings.Repeat("  ", i) + "- " + strings.Repeat("> ", i) +
					"1. *a **b _c __d `e [f](g [h][i ![j](<k\n")
			}
			b.WriteString(fill(half, "      [N]: http://a.example/N 'b'\n      <a N='\n      &#N;\n      | N | - |\n"+
				"      |---|\n      ```N\n      ---\n"))
			return changed(func(w string) string {
				return catalog("types:\n  T:\n    type: object\n    description: |\n", b.String(),
					urns("  urn:a:b:c:\n    queue: q\n    summary: "+w+"\n    description: |\n"+b.String()+
						"    data: {$ref: '#/types/T'}\n"))
			}, "one", "two")
		},
		"x-go-type": func() pair {
			return same(one(list(size, "pN: {type: string, x-go-type: example.com/aN.T}")))
		},
		"x-go-type of one package": func() pair {
			return same(one(list(size, "pN: {type: string, x-go-type: example.com/a.TN}")))
		},
		"x-go-type in all messages": func() pair {
			data := object(list(120, "pN: {type: string, x-go-type: example.com/aN.T}"))
			return same(catalog(urns(fill(size, message("uN", data)))))
		},
		"sensitive": func() pair { return same(one(list(size, "pN: {type: string, x-gdpr-sensitive: cN}"))) },
	}
	for _, mark := range []string{"[", "<", "`", "*", "|", "&", "_", "![](", "<!--", "\\\\", "# ", "> "} {
		all["text of "+mark] = func() pair {
			text := strings.Repeat(mark, size/4/len(mark))
			return same(catalog("info: {title: '" + text + "', description: '" + text + "'}\n" +
				urns("  urn:a:b:c: {queue: q, summary: '"+text+"', description: '"+text+"', data: {type: object}}\n")))
		}
	}
	return all
}
