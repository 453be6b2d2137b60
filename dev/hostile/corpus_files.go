package main

import "fmt"

// fileCorpus is catalogs of several files.
func fileCorpus(size int) map[string]func() pair {
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
			return same(one(list(size, "pN: {$ref: 'fN.yaml#/types/T'}")))
		},
		"references with escapes": func() pair {
			return same(one(list(size, "pN: {$ref: '#/types/%41~1%7e0N'}")))
		},
	}
}
