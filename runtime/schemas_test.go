package bq

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
)

type versioned struct {
	pulsar.Message
	version []byte
}

func (v versioned) SchemaVersion() []byte { return v.version }
func (versioned) Topic() string           { return "persistent://a/b/c" }

// What producers claim and register is remembered up to a bound, and looked up once within it.
func TestSchemasAreRememberedUpToABound(t *testing.T) {
	large := `{"type":"record","name":"R","fields":[],"doc":"` + strings.Repeat("x", 1<<20) + `"}`
	lookups := 0
	definition := ""
	s := newSchemas(func(context.Context, string, []byte) (*pulsar.SchemaInfo, error) {
		lookups++
		return &pulsar.SchemaInfo{Type: pulsar.AVRO, Schema: definition}, nil
	})
	look := func(version []byte) error {
		_, err := s.of(t.Context(), versioned{version: version})
		return err
	}
	for what, x := range map[string]struct {
		definition     string
		versions, most int // how many are claimed, and remembered
	}{
		"small definitions": {"{}", 2 * maxSchemas, maxSchemas},
		"large definitions": {large, 20, maxDefinitions / len(large)},
	} {
		definition, lookups = x.definition, 0
		clear(s.known)
		s.size = 0
		for i := range x.versions {
			version := binary.BigEndian.AppendUint64(nil, uint64(i))
			for range 2 {
				if err := look(version); err != nil {
					t.Fatal(err)
				}
			}
			if len(s.known) > x.most {
				t.Fatalf("%s: %d are remembered, want at most %d", what, len(s.known), x.most)
			}
		}
		if lookups > x.versions*3/2 {
			t.Errorf("%s: %d look-ups of %d versions", what, lookups, x.versions)
		}
	}
	if err := look(make([]byte, maxVersion)); err != nil {
		t.Error(err)
	}
	if err := look(make([]byte, maxVersion+1)); err == nil {
		t.Error("a version longer than the bound is accepted")
	}
}
