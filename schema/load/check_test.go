package load

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/schema/internal/judge"
)

// check parses a catalog and compares its findings with the lines wanted.
func check(t *testing.T, src string, want ...string) {
	t.Helper()
	c, findings := Parse("urns.yaml", []byte(src))
	if (c == nil) != (len(findings) > 0) {
		t.Fatalf("catalog %v with %d findings", c != nil, len(findings))
	}
	got := strings.Split(strings.TrimSuffix(textOf(t, findings), "\n"), "\n")
	if len(findings) == 0 {
		got = nil
	}
	diffLines(t, want, got)
}

func diffLines(t *testing.T, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// compileSchema compiles the text of a schema.
func compileSchema(schema []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	return judge.Compile(doc)
}
