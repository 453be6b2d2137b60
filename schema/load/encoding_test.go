package load

import (
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema/internal/source"
)

const minimal = "bqgen: 1\npackage: shop\nqueues: {}\nurns: {}\n"

func TestTextOfACatalog(t *testing.T) {
	escape := `    hint: remove it, or write it as an escape in a double-quoted string ("\u...")`
	bom := "    hint: save the file as UTF-8 without a byte order mark"
	utf := "    hint: save the file as UTF-8"
	empty := "urns.yaml:1:1: the catalog is empty (empty-file)"
	start := "    hint: `bqgen init` writes one to start from"
	tests := []struct {
		name string
		src  string
		want []string
	}{
		{"minimal", minimal, nil},
		{"CRLF line ends", strings.ReplaceAll(minimal, "\n", "\r\n"), nil},
		{"CR line ends", strings.ReplaceAll(minimal, "\n", "\r"), nil},
		{"no newline at the end", strings.TrimSuffix(minimal, "\n"), nil},
		{"empty file", "", []string{empty, start}},
		{"blanks only", " \n\t\n \r\n", []string{empty, start}},
		{"comments only", "# nothing\n  # here\n", []string{empty, start}},
		{"a document mark only", "---\n", []string{empty, start}},
		{"document marks and a comment", "---\n# nothing\n...\n", []string{empty, start}},
		{"null", "~\n",
			[]string{"urns.yaml:1:1: the catalog must be a mapping, this is ~, which is null in YAML (wrong-type)"}},
		{"byte order mark", "\ufeff" + minimal, []string{"urns.yaml:1:1: the file starts with a byte order mark " +
			"(byte-order-mark)", bom}},
		{"byte order mark and more", "\ufeffbqgen: 2\npackage: shop\nqueues: {}\nurns: {}\n", []string{
			"urns.yaml:1:1: the file starts with a byte order mark (byte-order-mark)", bom,
			`urns.yaml:1:8: catalog format "2" is not supported (format-version)`, "    hint: this bqgen knows format 1 only"}},
		{"byte order mark alone", "\ufeff",
			[]string{"urns.yaml:1:1: the file starts with a byte order mark (byte-order-mark)", bom, empty, start}},
		{"byte order mark inside", "bqgen: 1\npackage: \ufeffshop\n",
			[]string{"urns.yaml:2:10: a byte order mark inside the file (control-character)", escape}},
		{"UTF-16", "\xff\xfeb\x00q\x00", []string{"urns.yaml:1:1: the file is UTF-16, not UTF-8 (encoding)", utf}},
		{"UTF-16, the other way round", "\xfe\xff\x00b", []string{"urns.yaml:1:1: the file is UTF-16, not UTF-8 (encoding)",
			utf}},
		{"invalid UTF-8", "bqgen: 1\n# é \xe9\npackage: \xc3\x28\xff\n", []string{
			"urns.yaml:2:5: byte 0xE9 is not valid UTF-8 (encoding)", utf,
			"urns.yaml:3:10: byte 0xC3 is not valid UTF-8 (encoding)", utf}},
		{"a surrogate in UTF-8", "a: \xed\xa0\x80", []string{"urns.yaml:1:4: byte 0xED is not valid UTF-8 (encoding)", utf}},
		{"cut off in a character", "a: \xe2\x82", []string{"urns.yaml:1:4: byte 0xE2 is not valid UTF-8 (encoding)", utf}},
		{"NUL", "bqgen: 1\r\nab\x00c: 1\n", []string{"urns.yaml:2:3: a NUL character (control-character)", escape}},
		{"escape character", "a: \x1b[31m", []string{"urns.yaml:1:4: control character U+001B (control-character)", escape}},
		{"DEL", "a: \x7f", []string{"urns.yaml:1:4: control character U+007F (control-character)", escape}},
		{"NEL", "a: b\u0085c: d", []string{"urns.yaml:1:5: control character U+0085 (control-character)", escape}},
		{"line separator", "# a\u2028b: 1\n", []string{"urns.yaml:1:4: line separator U+2028 (control-character)", escape}},
		{"noncharacter", "# \uffff", []string{"urns.yaml:1:3: U+FFFF is not a character (control-character)", escape}},
		{"many directives", strings.Repeat("%TAG !a! b\n", 101),
			[]string{"urns.yaml:1:1: not valid YAML: 101 directives (yaml-syntax)",
				"    hint: remove the lines that start with %"}},
		{"too large", minimal + strings.Repeat("#", source.MaxSource),
			[]string{"urns.yaml:1:1: the catalog is larger than 16 MiB (too-large)", "    hint: split the catalog"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { check(t, tt.src, tt.want...) })
	}
}

func TestColumnsCountCharactersWhateverTheLineEnds(t *testing.T) {
	src := "# größe 👍\nbqgen: 1\n# a comment\npackage: shop\nqueues: {größe-👍: {tpic: x}}\nurns: {}\n"
	for name, end := range map[string]string{"LF": "\n", "CRLF": "\r\n", "CR": "\r"} {
		t.Run(name, func(t *testing.T) {
			check(t, strings.ReplaceAll(src, "\n", end),
				`urns.yaml:5:20: unknown key "tpic" in queue "größe-👍" (unknown-key)`,
				`    hint: did you mean "topic"? allowed here: topic, max_attempts, dead_letter, services, description, name`)
		})
	}
}

func TestListOfUnreadableLinesIsCut(t *testing.T) {
	_, findings := Parse("urns.yaml", []byte(strings.Repeat("\x00\x01\n", 1000)))
	if len(findings) != 20 {
		t.Errorf("%d findings, want %d", len(findings), 20)
	}
}
