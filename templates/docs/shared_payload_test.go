package docs

import (
	"errors"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/internal/fileset"
	schemaload "github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// Ten thousand messages with a payload of ten thousand fields are a small catalog, and gigabytes if each has its own.
func TestMessagesShareTheShapeOfTheirPayload(t *testing.T) {
	c, findings := schemaload.Parse("urns.yaml", []byte(`bqgen: 1
package: x
queues: {q: {}}
types:
  T: {type: object, properties: {a: {type: string}, b: {type: string}}, required: [a, b]}
urns:
  urn:a:b:one: {queue: q, data: {$ref: '#/types/T'}}
  urn:a:b:two: {queue: q, data: {$ref: '#/types/T'}}
  urn:a:b:keyed: {queue: q, data: {$ref: '#/types/T'}, key: /b}
`))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	names, _ := gonames.Of(c)
	m := build(c, names).Messages
	if m[0].Payload != m[1].Payload {
		t.Error("two messages have shapes of their own")
	}
	if m[2].Payload.KeyRow == "" || m[0].Payload.KeyRow != "" {
		t.Errorf("the rows of the keys are %q and %q", m[2].Payload.KeyRow, m[0].Payload.KeyRow)
	}
	if words := m[1].Words(); !strings.Contains(words, "urn:a:b:two") || !strings.HasSuffix(words, " a b") {
		t.Errorf("the search looks through %q", words)
	}
}

func TestAPageThatIsTooLargeIsNotWrittenToItsEnd(t *testing.T) {
	var l limited
	for range fileset.MaxTotal >> 20 {
		if _, err := l.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Write([]byte("x")); !errors.Is(err, fileset.ErrTooLarge) || l.Len() != fileset.MaxTotal {
		t.Errorf("error %v after %d bytes", err, l.Len())
	}
}
