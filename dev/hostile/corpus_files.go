package main

import (
	"fmt"
	"strings"
)

// fileCorpus is catalogs of several files.
func fileCorpus(size int) map[string]func() pair {
	half := size / 2
	return map[string]func() pair{
		"many files": func() pair {
			p := pair{files: map[string]string{}}
			n := size / 200
			for i := range n {
				p.files[fmt.Sprintf("f%d.yaml", i)] = "$defs: {T: {type: object, properties: {a: {type: string}}}}\n"
			}
			p.new = catalog(urns(fill(n*45, "  urn:a:b:uN: {queue: q, data: {$ref: 'fN.yaml#/$defs/T'}}\n")))
			p.old = p.new
			return p
		},
		"chain of files": func() pair {
			p := pair{files: map[string]string{}}
			n := size / 200
			for i := range n {
				p.files[fmt.Sprintf("f%d.json", i)] = fmt.Sprintf(`{"type": "object", "properties": {"n": {"$ref": "f%d.json"}}}`,
					(i+1)%n)
			}
			p.new = catalog(urns(message("c", "{$ref: f0.json}")))
			p.old = p.new
			return p
		},
		"references to one file": func() pair {
			p := same(catalog(urns(fill(size/2, "  urn:a:b:uN: {queue: q, data: {$ref: 'f.json#/$defs/T'}}\n"))))
			p.files = map[string]string{"f.json": `{"$defs": {"T": {"type": "object", "properties": {` +
				list(size/2, `"pN": {"type": "string"}`) + `}}}}`}
			return p
		},
		"references to missing files": func() pair {
			p := same(one(list(size, "pN: {$ref: 'fN.yaml#/types/T'}")))
			p.files = map[string]string{} // they are missing in git, too
			return p
		},
		"references with long paths": func() pair {
			return same(one("a: {$ref: '" + strings.Repeat("a/../", size/20) + "f.json'}, b: {$ref: '" +
				strings.Repeat("a/", size/8) + "f.yaml#/types/T'}, c: {$ref: '" + strings.Repeat("x", size/4) + ".json'}, " +
				list(size/4, "pN: {$ref: 'a/N/./b//c/../f.json#/$defs/T'}")))
		},
		"small files": func() pair { // of one size, and made at one time
			p := pair{files: map[string]string{}}
			n := size / 100
			for i := range n {
				p.files[fmt.Sprint(i)] = "{}"
			}
			p.new = one(list(n*18, "pN: {$ref: 'N'}"))
			p.old = p.new
			return p
		},
		"names of files and folders": func() pair {
			names := []string{"CON", "nul", "AUX.x", "com1", "a.", "a-", "..", ".", "-", "a/b", `a\b`, "a:b", "ß", "\u1e9e",
				"K", "\u212a", "\u00e9", "e\u0301", "~", "*"}
			return changed(func(w string) string {
				var messages, queues strings.Builder
				for i := 0; messages.Len() < half; i++ {
					name := names[i%len(names)] + fmt.Sprint(i/len(names))
					fmt.Fprintf(&queues, "  %q: {topic: t%d, services: [con, s%d]}\n", name, i, i)
					fmt.Fprintf(&messages, "  %q: {queue: %q, consumers: [con, s%d], data: {type: object, title: %s}}\n",
						"urn:a:"+name, name, i, w)
				}
				return "bqgen: 1\npackage: x\nqueues:\n" + queues.String() + "urns:\n" + messages.String()
			}, "a", "b")
		},
		"references with escapes": func() pair {
			return same(one(list(size, "pN: {$ref: '#/types/%41~1%7e0N'}")))
		},
	}
}
