package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"
)

// A syntax error is reported on the line that has it, at the column where YAML stops making sense.
func TestSyntaxErrorsHaveLineAndColumn(t *testing.T) {
	const unclosed = "did not find expected ',' or "
	tests := []struct{ name, src, want string }{
		{"flow sequence goes on as a block", "a: [1, 2\nb: 3", "2:2: " + unclosed + "']'"},
		{"flow sequence not closed at the end", "x: 1\na: [1, 2\n\n", "2:4: " + unclosed + "']'"},
		{"flow mapping not closed at the end", "a: {b: 1\n", "1:4: " + unclosed + "'}'"},
		{"flow mapping not closed, more below", "a: 1\nb:\n  c: {queue: a, data: {type: object}\nfoo: 1\nbar: 1",
			"4:1: " + unclosed + "'}'"},
		{"flow sequence cut by a document mark", "a: [1\n---\n", "2:1: " + unclosed + "']'"},
		{"closing bracket in a comment", "a: 1\nb: {$ref: #/types/X}\nc: 1\n", "2:11: " + unclosed + "'}'"},
		{"bracket in a comment at the end", "a: {é: {$ref: #/types/X}}\r\n", "1:15: did not find expected node content"},
		{"closing bracket too many", "a: 1\nkey: [a, b]]\n", "2:12: did not find expected key"},
		{"closing bracket alone", "a: ]\n", "1:4: did not find expected node content"},
		{"second colon", "a: b: c\n", "1:5: mapping values are not allowed in this context"},
		{"second colon further down", "x: 1\ny: 2\na: b: c\n", "3:5: mapping values are not allowed in this context"},
		{"indented after a scalar", "a: 1\n b: 2\n", "2:3: mapping values are not allowed in this context"},
		{"bad indent on line 3", "a:\n    b: 1\n  c: 2\n", "3:3: did not find expected key"},
		{"bad indent on line 3, CRLF", "a:\r\n    b: 1\r\n  c: 2\r\n", "3:3: did not find expected key"},
		{"block text less indented", "a: |\n  x\n y\nb: 1\n", "3:2: did not find expected key"},
		{"single quote not closed", "q: 1\na: 'x\nb: 1\n", "2:4: found unexpected end of stream"},
		{"double quote not closed", "q: 1\nä: \"x\nb: 1\n", "2:4: found unexpected end of stream"},
		{"text after a quoted string", "a: 1\nb: 'it's'\n", "2:8: did not find expected key"},
		{"unknown anchor", "b: 1\na:  *x\nc: 2", "2:5: unknown anchor 'x' referenced"},
		{"unknown anchor on the first line", "<<: *a", "1:5: unknown anchor 'a' referenced"},
		{"key without a colon", "a: 1\nfoo\nb: 2\n", "2:1: could not find expected ':'"},
		{"no blank after the colon", "a: 1\na:1\n", "2:1: could not find expected ':'"},
		{"tab for indentation", "a:\n\tb: 1\n", "2:1: found character that cannot start any token"},
		{"tab for indentation, further down", "a:\n  b:\n  \tc: 1\n", "3:3: found character that cannot start any token"},
		{"reserved character", "z: 1\na: `x\n", "2:4: found character that cannot start any token"},
		{"at sign", "z: 1\nüü: @x\n", "2:5: found character that cannot start any token"},
		{"unknown tag handle", "a: !x!y 1\n", "1:4: found undefined tag handle"},
		{"unknown escape", "a: \"b\\q\"\n", "1:6: found unknown escape character"},
		{"surrogate escape", "a: \"\\ud800\"", "1:7: found invalid Unicode character escape code"},
		{"mapping in a sequence", "x:\n  - a\n  b: 1\n", "3:3: did not find expected '-' indicator"},
		{"sequence in a mapping", "x:\n  a: 1\n  - b\n", "3:3: did not find expected key"},
		{"bad block header", "a: |3x\n", "1:6: did not find expected comment or line break"},
		{"wrong YAML version", "%YAML 2.0\n---\na: 1", "1:1: found incompatible YAML document"},
		{"error in what follows the catalog", minimal + "...\n]\n", "6:1: did not find expected <document start>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, findings := Parse("urns.yaml", []byte(tt.src))
			if c != nil || len(findings) != 1 {
				t.Fatalf("catalog %v, findings:\n%s", c != nil, textOf(t, findings))
			}
			place, message, _ := strings.Cut(tt.want, ": ")
			want := "urns.yaml:" + place + ": not valid YAML: " + message + " (yaml-syntax)"
			if got, _, _ := strings.Cut(textOf(t, findings), "\n"); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestSyntaxHints(t *testing.T) {
	tests := []struct{ src, hint string }{
		{"a:\n\tb: 1\n", "indent with spaces: YAML does not allow tabs"},
		{"a: `x`", "quote the value"},
		{"a: b: c", `quote text that contains ": ", and indent the keys of a mapping alike`},
		{"a: 'b", "the quoted text that starts here is not closed"},
		{"b: 1\na: [1\nc: 2\nd: 3", "the bracket opened at line 2, column 4 is not closed"},
		{"a: [1", "this bracket is not closed"},
		{"a: {$ref: #/types/X}\nb: 1", `# starts a comment, quote it: "#/types/X"`},
		{"a: {b: {$ref: #/types/X}, c: 1}\nb: 1", `# starts a comment, quote it: "#/types/X"`},
		{"a: {$ref: '#/types/X'\nb: 1", "the bracket opened at line 1, column 4 is not closed"},
		{"a: *b", "an anchor (&name) has to stand before its aliases; quote text that starts with *"},
		{"a: !b!c d", "quote text that starts with !"},
		{"%YAML 1.2\n---\na: 1", "remove the %YAML line"},
	}
	for _, tt := range tests {
		_, findings := Parse("urns.yaml", []byte(tt.src))
		if len(findings) != 1 || findings[0].Hint != tt.hint {
			t.Errorf("%q:\n%swant hint %s", tt.src, textOf(t, findings), tt.hint)
		}
	}
}

func TestOneDocumentOnly(t *testing.T) {
	hint := "    hint: a catalog is one document: move this one to a file of its own"
	tests := []struct {
		name, src string
		want      []string
	}{
		{"one, marked", "---\n" + minimal + "...\n# end\n", nil},
		{"a second", minimal + "---\na: 1\n", []string{"urns.yaml:5:1: a second YAML document starts here (second-document)",
			hint}},
		{"a second, empty", minimal + "---\n", []string{"urns.yaml:5:1: a second YAML document starts here (second-document)",
			hint}},
		{"a second after the end of the first", minimal + "...\n# more\n---\n- 1\n",
			[]string{"urns.yaml:7:1: a second YAML document starts here (second-document)", hint}},
		{"an empty first", "---\n---\n" + minimal, []string{
			"urns.yaml:1:1: the first YAML document is empty and another follows (second-document)",
			"    hint: remove the first ---"}},
		{"findings in the first count too", "---\nbqgen: 3\npackage: p\nqueues: {}\nurns: {}\n---\n", []string{
			`urns.yaml:2:8: catalog format "3" is not supported (format-version)`, "    hint: this bqgen knows format 1 only",
			"urns.yaml:6:1: a second YAML document starts here (second-document)", hint}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { check(t, tt.src, tt.want...) })
	}
}

func TestAnchorsThatContainThemselves(t *testing.T) {
	for name, value := range map[string]string{
		"sequence":       "&x [*x]",
		"mapping":        "&x {a: *x}",
		"merge":          "&x {<<: *x}",
		"further down":   "&x {topic: [{a: *x}]}",
		"in a merge too": "&x {<<: [{a: 1}, *x]}",
	} {
		t.Run(name, func(t *testing.T) {
			_, findings := Parse("urns.yaml", []byte("bqgen: 1\npackage: p\nqueues: {q: "+value+"}\nurns: {}\n"))
			cycles := 0
			for _, d := range findings {
				if d.Rule == schema.RuleCycle {
					cycles++
					if want := "*x"; !strings.HasPrefix(("queues: {q: " + value)[d.Pos.Column-1:], want) || d.Pos.Line != 3 {
						t.Errorf("reported at %v, not at the alias", d.Pos)
					}
				}
			}
			if cycles != 1 {
				t.Errorf("%d cycles in:\n%s", cycles, textOf(t, findings))
			}
		})
	}
}

// Hostile text is answered in time, with a finding of the rule that stops it.
func TestHostileYAMLIsStopped(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine reads large catalogs")
	repeat := func(s string, n int) string { return strings.Repeat(s, n) }
	bomb := func() string {
		var b strings.Builder
		b.WriteString("a0: &a0 [x, x]\n")
		for i := 1; i < 60; i++ {
			fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
		}
		return b.String()
	}
	schemaBomb := func() string {
		var b strings.Builder
		b.WriteString("bqgen: 1\npackage: p\nqueues: {q: {}}\ntypes:\n  T0: &t0 {type: string}\n")
		for i := 1; i < 60; i++ {
			fmt.Fprintf(&b, "  T%d: &t%d {type: object, properties: {a: *t%d, b: *t%d}}\n", i, i, i-1, i-1)
		}
		return b.String() + "urns: {}\n"
	}
	mergeBomb := func() string {
		var b strings.Builder
		b.WriteString("m0: &m0 {k: v}\n")
		for i := 1; i < 3000; i++ {
			fmt.Fprintf(&b, "m%d: &m%d {<<: *m%d, k%d: v}\n", i, i, i-1, i)
		}
		return b.String()
	}
	chain := func() string {
		var b strings.Builder
		b.WriteString("a0: &a0 [x]\n")
		for i := 1; i < 300; i++ {
			fmt.Fprintf(&b, "a%d: &a%d [*a%d]\n", i, i, i-1)
		}
		return b.String()
	}
	deepTypes := func() string {
		var b strings.Builder
		b.WriteString("bqgen: 1\npackage: p\nqueues: {q: {}}\nurns: {}\ntypes:\n")
		for i := range 20000 {
			fmt.Fprintf(&b, "  T%d: {type: object, required: [n], properties: {n: {$ref: '#/types/T%d'}}}\n", i, (i+1)%20000)
		}
		return b.String()
	}
	tests := []struct {
		name, src, rule string
	}{
		{"a million open brackets", repeat("[", 1<<18), schema.RuleTooDeep},
		{"a million open braces", repeat("{a: ", 1<<18), schema.RuleTooDeep},
		{"a million dashes", repeat("- ", 1<<18), schema.RuleTooDeep},
		{"a million question marks", repeat("? ", 1<<18), schema.RuleTooDeep},
		{"deep but well-formed", repeat("[", 5000) + repeat("]", 5000), schema.RuleTooDeep},
		{"deep by indentation", func() string {
			var b strings.Builder
			for i := range 400 {
				b.WriteString(repeat(" ", i) + "a:\n")
			}
			return b.String()
		}(), schema.RuleTooDeep},
		{"deep by aliases", chain(), schema.RuleTooDeep},
		{"alias bomb", bomb(), schema.RuleAliases},
		{"alias bomb of schemas", schemaBomb(), schema.RuleAliases},
		{"merges of merges", mergeBomb(), schema.RuleAliases},
		{"many items", "[" + repeat("a,", 1<<17) + "]", schema.RuleWrongType},
		{"many keys", "{" + repeat("a: b,", 1<<14) + "}", schema.RuleDuplicate},
		{"many unknown keys", func() string {
			var b strings.Builder
			for i := range 1 << 13 {
				fmt.Fprintf(&b, "queue%d: x\n", i)
			}
			return b.String()
		}(), schema.RuleUnknownKey},
		{"a long scalar", "a: " + repeat("x ", 1<<19), schema.RuleUnknownKey},
		{"a long number", "bqgen: " + repeat("1", 1<<20), schema.RuleVersion},
		{"long blank lines", "a: |\n" + repeat("\n", 1<<19), schema.RuleUnknownKey},
		{"many comments", minimal + repeat("# x\n", 1<<17) + "x: 1", schema.RuleUnknownKey},
		{"an open quote", "a: \"" + repeat("b\n", 1<<18), schema.RuleSyntax},
		{"a long ring of types", deepTypes(), schema.RuleNoFiniteValue},
		{"many misspelt references", func() string {
			var types, refs strings.Builder
			for i := range 4000 {
				fmt.Fprintf(&types, "  OrderLineNumber%d: {type: string}\n", i)
				fmt.Fprintf(&refs, "        p%d: {$ref: '#/types/OrderLnieNumber%d'}\n", i, i)
			}
			return "bqgen: 1\npackage: p\nqueues: {q: {}}\ntypes:\n" + types.String() +
				"urns:\n  urn:a:\n    queue: q\n    data:\n      type: object\n      properties:\n" + refs.String()
		}(), schema.RuleNoType},
		{"many anchors to near names", func() string {
			var b strings.Builder
			b.WriteString("bqgen: 1\npackage: p\nqueues: {q: {}}\nurns:\n")
			for i := range 2000 {
				fmt.Fprintf(&b, "  urn:babel:orders:created%d: {queue: q, data: {type: object}, deprecated: {use: "+
					"'urn:babel:orders:creatde%d'}}\n", i, i)
			}
			return b.String()
		}(), schema.RuleSuccessor},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var findings schema.Diagnostics
			checkAllocations(t, len(tt.src), func() { _, findings = Parse("urns.yaml", []byte(tt.src)) })
			met := false
			for _, d := range findings {
				met = met || d.Rule == tt.rule
			}
			if !met {
				t.Errorf("no %s among %d findings, first: %+v", tt.rule, len(findings), findings[:min(1, len(findings))])
			}
		})
	}
}
