package main

import (
	"fmt"
	"strings"
)

// numberCorpus is catalogs of numbers that are costly to read, to compare or to write.
func numberCorpus(size int) map[string]func() pair {
	half := size / 2
	enum := func(kind, number string) func() pair {
		return func() pair {
			return changed(func(w string) string {
				numbers := list(size, strings.ReplaceAll(number, "W", w))
				return one("e: {type: " + kind + ", enum: [" + numbers + "]}")
			}, "1", "2")
		}
	}
	digits := strings.Repeat("7", 300)
	return map[string]func() pair{
		"changed enum of long integers":   enum("integer", "9223372036W"+"00N"),
		"changed enum of long decimals":   enum("number", "0."+digits+"WN"),
		"changed enum of mixed spellings": enum("number", "WN, WN.5, -WN.25e3"),
		"changed consts of numbers": func() pair {
			return changed(func(w string) string {
				return one(list(half, "pN: {const: "+w+"N.5e1"+w+"}") + ", " +
					list(half, "qN: {type: [number, 'null'], enum: [null, "+w+"N, 1e2"+w+"0]}"))
			}, "1", "2")
		},
		"limits of every size": func() pair {
			return changed(func(w string) string {
				return one(list(size, "aN: {type: number, minimum: -1e30"+w+", exclusiveMaximum: 1.Ne30"+w+", multipleOf: 1e-30"+w+
					"}, bN: {type: number, multipleOf: 0."+strings.Repeat("3", 100)+w+"}, "+
					"cN: {type: integer, multipleOf: "+strings.Repeat("7", 18)+w+", maximum: 9223372036854775807}, "+
					"dN: {type: array, items: {type: integer, minimum: N}, minItems: 214748364"+w+", uniqueItems: true}, "+
					"eN: {type: string, minLength: 214748364"+w+", maxLength: 2147483647, pattern: '^a+$'}"))
			}, "1", "2")
		},
		"numbers that nobody writes": func() pair {
			return same(one(list(size, "aN: {type: number, minimum: 1e999999999, maximum: -1e-999999999, multipleOf: .inf}, "+
				"bN: {type: integer, minimum: 0xffffffffffffffffff, maximum: 0o7777777777777777777777, multipleOf: 1_000_N}, "+
				"cN: {type: array, items: {}, minItems: 1e9, maxItems: 99999999999999999999, default: 190:20:30}, "+
				"dN: {enum: [1e400, .nan, 0b101, +N, -0, 1., .5]}")))
		},
		"bounds that an allOf tightens": func() pair {
			parts := list(size, fmt.Sprintf("{minimum: -N.%s, maximum: N.%s, multipleOf: 0.1N}", digits, digits))
			return same(one("a: {type: number, allOf: [" + parts + "]}"))
		},
	}
}
