package docs

import (
	"errors"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/babelqueue/bqgen/schema"
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

// Paths of a hundred names, with thousands of parts behind them, would take gigabytes.
func TestPathsThatAreTooLargeAreNotKept(t *testing.T) {
	leaf := &schema.Schema{Kind: schema.Object, Properties: []*schema.Property{
		{Name: "x", Schema: &schema.Schema{Kind: schema.String}},
	}}
	s := &schema.Schema{Kind: schema.Object}
	for range 1000 {
		s.Properties = append(s.Properties, &schema.Property{Name: "leaf", Schema: leaf})
	}
	for range 100 {
		s = &schema.Schema{Kind: schema.Object, Properties: []*schema.Property{
			{Name: strings.Repeat("p", 1000), Schema: s},
		}}
	}
	sh := shaper{names: &gonames.Names{}, paths: new(int)}
	size := 0
	for _, r := range sh.shape(s).Rows {
		size += len(r.Parent)
	}
	const names = 1 << 20 // they count too
	if size < fileset.MaxTotal-names || size > fileset.MaxTotal+names {
		t.Errorf("rows with %d bytes of paths, want about %d", size, fileset.MaxTotal)
	}
}

func TestADeepExampleOfManyValuesStaysOnItsLine(t *testing.T) {
	example := func(values int) []byte {
		return []byte(strings.Repeat(`{"a\"]":[`, 100) + strings.Repeat(`"[{\\",`, values) + "1" + strings.Repeat("]}", 100))
	}
	for values, want := range map[int]int{10: 400 + 10, 11_000: 0} {
		e := example(values)
		got := indented(e)
		if lines := strings.Count(got, "\n"); lines != want {
			t.Errorf("%d values: %d line ends, want %d", values, lines, want)
		}
		const colons = 100 // each with a blank behind it
		if size := indentation(e); want > 0 && size+colons != len(got)-len(e) {
			t.Errorf("%d values: %d bytes of indentation, want %d", values, size, len(got)-len(e))
		}
	}
}
