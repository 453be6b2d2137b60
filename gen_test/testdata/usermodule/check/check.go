// Package check tests generated payload types with documents.
package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/payload"
)

// A Payload is a pointer to a generated struct.
type Payload[T any] interface {
	*T
	json.Marshaler
	json.Unmarshaler
	payload.Value
	DecodeJSON(*payload.Decoder)
}

// RoundTrip checks that documents, written as bqgen writes them, come back byte for byte, also through encoding/json.
func RoundTrip[T any, P Payload[T]](t *testing.T, documents ...string) {
	t.Helper()
	for _, document := range documents {
		var v T
		if err := payload.Unmarshal([]byte(document), P(&v).DecodeJSON); err != nil {
			t.Errorf("decode %s: %v", document, err)
			continue
		}
		encoded, err := payload.Marshal(P(&v).EncodeJSON)
		if err != nil {
			t.Errorf("encode %s: %v", document, err)
			continue
		}
		if diff := cmp.Diff(document, string(encoded)); diff != "" {
			t.Errorf("after decoding and encoding (-want +got):\n%s", diff)
		}
		standard(t, document, v)
	}
}

// standard checks that encoding/json turns document into v, and v into document.
func standard[T any](t *testing.T, document string, v T) {
	t.Helper()
	var w T
	if err := json.Unmarshal([]byte(document), &w); err != nil {
		t.Errorf("json.Unmarshal %s: %v", document, err)
	}
	everything := cmp.Exporter(func(reflect.Type) bool { return true })
	if diff := cmp.Diff(v, w, everything); diff != "" {
		t.Errorf("json.Unmarshal %s (-want +got):\n%s", document, diff)
	}
	var encoded bytes.Buffer
	e := json.NewEncoder(&encoded)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Errorf("json.Encode %s: %v", document, err)
	}
	if diff := cmp.Diff(document+"\n", encoded.String()); diff != "" {
		t.Errorf("json.Encode (-want +got):\n%s", diff)
	}
}

// Broken checks that document is refused because of rule at pointer.
func Broken[T any, P Payload[T]](t *testing.T, document, pointer, rule string) {
	t.Helper()
	var v T
	err := json.Unmarshal([]byte(document), P(&v))
	var broken *bq.PayloadError
	if !errors.As(err, &broken) {
		t.Errorf("decode %s: got %v, want a *bq.PayloadError", document, err)
		return
	}
	for _, violation := range broken.Violations {
		if violation.Pointer == pointer && violation.Rule == rule {
			return
		}
	}
	t.Errorf("decode %s: got %v, want %s at %s", document, err, rule, pointer)
}
