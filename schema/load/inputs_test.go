package load

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// schema.Catalog inputs that broke other generators, by their number in the list of those. Findings are given by line,
// column and text; none means that the input is taken, and the text is looked for in what it is read as.
func TestInputsThatBrokeOtherGenerators(t *testing.T) {
	const common = "types: {Money: {type: object, properties: {amount: {type: string}}}}\n$defs: {Money: {type: " +
		"integer}}\n"
	property := func(schema string) string {
		return "    data: {type: object, properties: {\n      p: " + schema + "\n    }}\n"
	}
	tests := []struct {
		number int
		name   string
		body   string // of a URN; its second line is line 7
		want   []string
		read   string
	}{
		{1, "keys that differ by separators", property(`{type: object, properties: {ship-to: {type: string}, ship_to: ` +
			`{type: string}, shipTo: {type: string}}}`), nil, `"ship_to"`},
		{2, "punctuation in an enum", property(`{type: string, enum: ["<", "<=", "==", "!=", "++"]}`), nil,
			`"<" "<=" "==" "!=" "++"`},
		{4, "integers in an enum", property(`{type: integer, enum: [1, 2, -1]}`), nil, "integer 1 2 -1"},
		{4, "digits in an enum of strings", property(`{type: string, enum: ["1", "1a", " a", "_a_"]}`), nil,
			`"1" "1a" " a" "_a_"`},
		{5, "a star in an enum", property(`{type: string, enum: [PUT, "*"]}`), nil, `"PUT" "*"`},
		{7, "an enum without a type", property(`{enum: [OPEN, DONE]}`), nil, `string "OPEN" "DONE"`},
		{14, "odd names", property(`{type: object, properties: {"": {type: string}, " ": {type: string}, größe: {type: ` +
			`string}, 日本: {type: string}, 👍: {type: string}, "\u200b": {type: string}, "é": {type: string}, "e\u0301": {type: ` +
			`string}}}`), nil, `"größe"`},
		{16, "names that end a struct tag", property("{type: object, properties: {\"a`b\": {type: string}, 'a\"b': {type: " +
			"string}, \"a,omitzero\": {type: string}, \"-\": {type: string}, \"a\\\\nb\": {type: string}}}"), nil, "\"a`b\""},
		{17, "a description that leaves its comment", property(`{type: string, description: "ends */ func init() { ` +
			`panic(1) }\r\n//go:build ignore\n\n"}`), nil, `func init()`},
		{18, "a bound and a default that no float holds",
			property(`{type: integer, maximum: 123456789123456789123, default: 9007199254740993}`), nil,
			"default=9007199254740993@7:67 maximum=123456789123456789123"},
		{18, "the same with a format", property(`{type: integer, format: int32, default: 9007199254740993}`),
			[]string{`7:50: default: the number 9007199254740993 does not fit into an integer of 32 bits (default)`}, ""},
		{20, "a number", property(`{type: number}`), nil, "number"},
		{21, "the default of a map", property(`{type: object, additionalProperties: {type: string}, default: {}}`), nil,
			"default={}"},
		{23, "a default of the wrong type", property(`{type: integer, default: "5"}`),
			[]string{`7:35: default: must be of type integer, this is the string "5" (default)`}, ""},
		{23, "a default outside of the enum", property(`{enum: [a], default: b}`),
			[]string{`7:31: default: "b" is not in the enum (default)`, `    hint: one of "a"`}, ""},
		{24, "optional and nullable", property(`{type: [string, "null"]}`), nil, "string nullable"},
		{25, "a nullable enum", property(`{type: [string, "null"], enum: [a, null]}`), nil, `string nullable "a"`},
		{25, "a nullable enum without null", property(`{type: [string, "null"], enum: [a]}`),
			[]string{`7:41: warning: type allows null, enum does not have it: null is not valid (enum)`,
				`    hint: add null to the enum, or take "null" out of the type`}, ""},
		{26, "words that YAML makes something else of", property(`{type: string, enum: [NO, on, y, false, ~, 010, 1.10, ` +
			`2024-01-02]}`), []string{
			`7:32: an enum value must be a string, this is NO, on which YAML parsers disagree (wrong-type)`,
			`    hint: quote it: "NO"`,
			`7:36: an enum value must be a string, this is on, on which YAML parsers disagree (wrong-type)`,
			`    hint: quote it: "on"`,
			`7:40: an enum value must be a string, this is y, on which YAML parsers disagree (wrong-type)`,
			`    hint: quote it: "y"`,
			`7:43: an enum value must be a string, this is false (wrong-type)`, `    hint: quote it: "false"`,
			`7:50: an enum value must be a string, this is ~, which is null in YAML (wrong-type)`, `    hint: quote it: "~"`,
			`7:53: an enum value must be a string, this is 010, on which YAML parsers disagree (wrong-type)`,
			`    hint: quote it: "010"`,
			`7:58: an enum value must be a string, this is the number 1.10 (wrong-type)`, `    hint: quote it: "1.10"`,
			`7:64: an enum value must be a string, this is 2024-01-02, on which YAML parsers disagree (wrong-type)`,
			`    hint: quote it: "2024-01-02"`}, ""},
		{26, "the same without a type", property(`{enum: [NO, 1.10]}`), []string{
			`7:18: the enum has NO, on which YAML parsers disagree (enum)`,
			`    hint: quote it if it is text: "NO"; write numbers in decimal digits, booleans as true and false`}, ""},
		{27, "two merge keys", "    data: {type: object, properties: {\n      a: &a {type: string}, b: &b {description: B}," +
			" c: {<<: *a, <<: *b} }}\n", []string{
			`7:65: duplicate key "<<": the first is on line 7 (duplicate-key)`,
			`    hint: merge several mappings with a list: <<: [*a, *b]`}, ""},
		{27, "a list of merges with an override", "    data: {type: object, properties: {\n      a: &a {type: string, " +
			"description: A}, b: &b {type: string, description: B}, c: {<<: [*a, *b], description: C} }}\n", nil, `string "C"`},
		{28, "three merges that share keys", "    data: {type: object, properties: {\n      a: &a {type: string, title: A}," +
			" b: &b {type: string, title: B, description: B}, d: &d {description: D, deprecated: true}, c: {<<: [*a, *b, *d]} " +
			"}}\n", nil, `string title="A" "B" deprecated`},
		{30, "a type that refers to itself", "    data:\n      $defs: {Node: {properties: {next: {$ref: " +
			"\"#/$defs/Node\"}}}}\n      type: object\n      properties: {node: {$ref: '#/$defs/Node'}}\n", []string{
			`7:21: warning: type "Node" has no type and is taken for an object (implied-type)`, `    hint: add type: object`},
			`$ref -> "Node" of object`},
		{30, "types that refer to each other", "    data:\n      $defs: {A: {$ref: '#/$defs/B'}, B: {$ref: '#/$defs/A'}}\n " +
			"     type: object\n      properties: {a: {$ref: '#/$defs/A'}}\n", []string{
			`7:42: types refer to each other in a circle: "A" -> "B" -> "A" (ref-cycle)`,
			`    hint: give one of them a type of its own`}, ""},
		{30, "an anchor in itself", "    data: {type: object, properties: {\n      p: &a {type: object, properties: {x: " +
			"*a}} }}\n", []string{
			`7:44: anchor "a" contains itself (anchor-cycle)`, `    hint: write the value out where it is needed`}, ""},
		{30, "required recursion", "    data:\n      $defs: {Node: {type: object, required: [next], properties: {next: " +
			"{$ref: \"#/$defs/Node\"}}}}\n      type: object\n      properties: {node: {$ref: '#/$defs/Node'}}\n", []string{
			`7:73: a value of type "Node" could never end: "Node" -> "Node" (no-finite-value)`,
			`    hint: make one of the properties optional, nullable or an array`}, ""},
		{32, "a lookahead", property(`{type: string, pattern: "^(?!tmp).+$"}`), []string{
			`7:34: pattern is not a regular expression that Go can compile: invalid or unsupported Perl syntax: "(?!" (pattern)`,
			`    hint: RE2 has no negative lookahead, (?!...): write what is allowed, use enum, or say it in the description`},
			""},
		{32, "a backtick in a pattern", property("{type: string, pattern: \"a`b\"}"), nil, "pattern=\"a`b\""},
		{33, "allOf that can be merged", property(`{allOf: [{type: object, properties: {a: {type: string}}}, {properties: ` +
			`{a: {maxLength: 3}}}]}`), nil, "string maxLength=3"},
		{33, "the same the other way round", property(`{allOf: [{properties: {a: {maxLength: 3}}}, {type: object, ` +
			`properties: {a: {type: string}}}]}`), nil, "string maxLength=3"},
		{33, "allOf of two types", property(`{allOf: [{type: string}, {type: integer}]}`), []string{
			`7:11: property "p" contradicts itself: a value cannot be of the types "integer", "string" at once (contradiction)`,
			`    hint: give all of them one type`}, ""},
		{33, "the same the other way round", property(`{allOf: [{type: integer}, {type: string}]}`), []string{
			`7:11: property "p" contradicts itself: a value cannot be of the types "integer", "string" at once (contradiction)`,
			`    hint: give all of them one type`}, ""},
		{35, "oneOf that cannot be told apart", property(`{oneOf: [{type: object, properties: {a: {type: string}}}, {type: ` +
			`object, properties: {b: {type: string}}}]}`), nil, "object"},
		{36, "another file", property(`{$ref: "./common.yaml#/$defs/Money"}`), nil,
			`$ref -> "Money" of integer in common.yaml`},
		{36, "its types", property(`{$ref: "common.yaml#/types/Money"}`), nil, `$ref -> "Money" of object in common.yaml`},
		{36, "an absolute path", property(`{$ref: "/abs"}`),
			[]string{`7:17: $ref "/abs" is an absolute path (ref-file)`,
				`    hint: name a file next to the catalog: ./common.yaml#/types/NAME`}, ""},
		{36, "a path of Windows", property(`{$ref: "..\\x.yaml"}`),
			[]string{`7:17: $ref "..\\x.yaml" has a \ in its path (ref-file)`, `    hint: write / instead of \`}, ""},
		{36, "a URL", property(`{$ref: https://example.com/a.json#/types/A}`),
			[]string{`7:17: $ref "https://example.com/a.json#/types/A" is a URL: nothing is read from the network (ref-file)`,
				`    hint: name a file next to the catalog: ./common.yaml#/types/NAME`}, ""},
		{36, "above the folder", property(`{$ref: "../x.yaml#/types/A"}`),
			[]string{`7:17: $ref "../x.yaml#/types/A" leads above the catalog's folder (ref-file)`,
				`    hint: move the file next to the catalog`}, ""},
		{37, "required on a property", property(`{type: object, properties: {id: {type: string, required: true}}}`), []string{
			`7:67: required must be a list, this is true (wrong-type)`,
			`    hint: required is a list on the object that has the property: required: [name]`}, ""},
		{45, "a name of one's own", property(`{type: string, x-go-name: OrderId}`), nil, "go=OrderId"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d %s", tt.number, tt.name), func(t *testing.T) {
			src := "bqgen: 1\npackage: shop\nqueues: {q: {}}\nurns:\n  urn:a:\n" + tt.body + "    queue: q\n"
			fsys := fstest.MapFS{"urns.yaml": {Data: []byte(src)}, "common.yaml": {Data: []byte(common)}}
			c, findings, err := LoadFS(fsys, "urns.yaml")
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, line := range tt.want {
				if !strings.HasPrefix(line, " ") {
					line = "urns.yaml:" + line
				}
				want = append(want, line)
			}
			var got []string
			if len(findings) > 0 {
				got = strings.Split(strings.TrimSuffix(textOf(t, findings), "\n"), "\n")
			}
			diffLines(t, want, got)
			if tt.read != "" && (c == nil || !strings.Contains(dump(c), tt.read)) {
				t.Errorf("not read as %s", tt.read)
			}
		})
	}
}
