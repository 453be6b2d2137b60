package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/lint"
)

// TestHintsForSchemasOfOtherTools checks what somebody is told who brings a schema along: what to write instead, or
// nothing where the catalog takes it.
func TestHintsForSchemasOfOtherTools(t *testing.T) {
	long := strings.Repeat("long/", 40) + "name"
	for _, test := range []struct{ schema, want string }{
		{`{$ref: #/types/X}`, `# starts a comment, quote it: "#/types/X"`},
		{`{$ref: '#/definitions/X'}`, `write "#/types/X"`},
		{`{$ref: '#/components/schemas/X'}`, `write "#/types/X"`},
		{`{$ref: '#/definitions/Y'}`, `rename definitions to $defs, there and here: #/$defs/Y`},
		{`{$ref: '#/definitions/` + long + `'}`, `rename definitions to $defs, there and here: #/$defs/` + long},
		{`{$ref: X}`, `write "#/types/X"`},
		{`{type: string, format: binary}`, `raw bytes cannot stand in JSON: bytes in base64 have the format byte`},
		{`{type: array, items: {}, contain: {}}`, `did you mean "contains"?`},
		{`{contains: {type: string}}`, `add type: array`},
		{`{type: array, items: {}, contains: {type: string}}`, ``},
		{`{enum: [true]}`, ``},
		{`{type: boolean, enum: [true]}`, ``},
	} {
		c, findings := Parse("urns.yaml", fmt.Appendf(nil, `bqgen: 1
package: shop
info: {owner: team}
queues: {q: {}}
types: {X: {type: string}}
urns:
  urn:babel:shop:opened:
    queue: q
    summary: A shop was opened.
    examples: [{}]
    data: {type: object, properties: {x: {$ref: '#/types/X'}, a: %s}}
`, test.schema))
		if c != nil {
			findings = findings.Merge(lint.Check(c, lint.Options{}))
		}
		var hints []string
		for _, f := range findings {
			hints = append(hints, f.Hint)
		}
		if got := strings.Join(hints, "; "); got != test.want {
			t.Errorf("%s\nfindings %s\nhint %s\nwant %s", test.schema, schema.Diagnostics(findings).Error(), got, test.want)
		}
	}
}
