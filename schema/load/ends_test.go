package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
)

// The end of a finding is the place behind the key or scalar that it is about, as far as YAML tells where that is.
func TestFindingsEndBehindTheKeyOrScalar(t *testing.T) {
	const head = "bqgen: 1\npackage: shop\nqueues: {q: {}}\nurns: {}\n"
	tests := []struct{ name, src, want string }{
		{"a key", head + "größe: 1\n", "5:1-5:6"},
		{"a key in double quotes", head + "\"a\\\"b\": 1\n", "5:1-5:7"},
		{"a key in single quotes", head + "'it''s': 1\n", "5:1-5:8"},
		{"a duplicate key", head + "urns: {}\n", "5:1-5:5"},
		{"a plain scalar", head + "info: {title: 007}\n", "5:15-5:18"},
		{"a scalar in quotes", "bqgen: '2'\npackage: p\nqueues: {}\nurns: {}\n", "1:8-1:11"},
		{"quotes over several lines", head + "lint: {a: \"x\n  y\" }\n", "5:11-6:5"},
		{"quotes that are empty", "bqgen: 1\npackage: ''\nqueues: {}\nurns: {}\n", "2:10-2:12"},
		{"an alias", head + "info: {owner: &a x, title: &b 1, description: *b}\n", "5:28-5:32 5:47-5:49"},
		{"a scalar with a tag and an anchor", head + "lint: {a: !!str &x loud}\n", "5:11-5:24"},
		{"the first key of a block",
			"bqgen: 1\npackage: p\nqueues: {}\nurns:\n  u:\n    queue: q\n    data: {type: object}\n", "6:12-6:13"},
		{"a plain scalar over several lines", head + "lint: {a: b\n  c}\n", "5:11-"},
		{"a block of text", head + "lint:\n  a: |\n    loud\n", "6:6-"},
		{"a mapping in brackets", head + "info: {title: {}}\n", "5:15-"},
		{"a list", head + "info:\n  title:\n    - a\n", "7:5-"},
		{"a value that is left out", head + "info: {title: }\n", "5:15-"},
		{"text that is not YAML", "a: [", "1:5-"},
		{"windows line ends", strings.ReplaceAll(head+"lint: {a: 'x\n  y'}\n", "\n", "\r\n"), "5:11-6:5"},
		{"a missing key, at the start of the file", "package: p\nqueues: {}\nurns: {}\n", "1:1-1:8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, findings := Parse("urns.yaml", []byte(tt.src))
			var got []string
			for _, d := range findings {
				end := ""
				if d.End != (schema.Pos{}) {
					end = fmt.Sprintf("%d:%d", d.End.Line, d.End.Column)
				}
				got = append(got, fmt.Sprintf("%d:%d-%s", d.Pos.Line, d.Pos.Column, end))
			}
			if text := strings.Join(got, " "); text != tt.want {
				t.Errorf("got %s, want %s\n%v", text, tt.want, findings)
			}
		})
	}
}

// A catalog knows where its keys and values end, so that later findings have an end too.
func TestACatalogKnowsEnds(t *testing.T) {
	c, findings := Parse("urns.yaml", []byte("bqgen: 1\npackage: shop\nqueues: {größe: {}}\nurns: {}\n"))
	if c == nil {
		t.Fatal(findings)
	}
	want := schema.Pos{File: "urns.yaml", Line: 3, Column: 15}
	if got := c.End(c.Queues[0].Pos); got != want {
		t.Errorf("the end of the queue's name is %v, want %v", got, want)
	}
	if got := c.End(schema.Pos{File: "elsewhere.yaml", Line: 1, Column: 1}); got != (schema.Pos{}) {
		t.Errorf("a place in another file ends at %v", got)
	}
	if got := new(schema.Catalog).End(c.Queues[0].Pos); got != (schema.Pos{}) {
		t.Errorf("a place of a catalog without places ends at %v", got)
	}
}
