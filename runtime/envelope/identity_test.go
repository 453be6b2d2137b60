package envelope

import (
	"testing"

	"github.com/babelqueue/bqgen/runtime/internal/conformance"
)

func TestIdentityVerdictConformance(t *testing.T) {
	conformance.Run(t, cases, "envelope_verdict.json", func(t *testing.T, c conformance.Verdict) {
		if c.Python.Verdict == "" {
			t.Fatal("the case has no identity verdict")
		}
		e, err := ParseByIdentity(c.Bytes())
		if got := map[bool]string{true: "ok", false: "poison"}[err == nil]; got != c.Python.Verdict {
			t.Fatalf("IDV-1: got %s (%v), want %s", got, err, c.Python.Verdict)
		}
		if err == nil && e.URN() != Trim(c.Python.URN) {
			t.Errorf("IDV-1: got URN %q, want %q", e.URN(), c.Python.URN)
		}
	})
}

func TestIdentityVerdictChecksEveryOccurrence(t *testing.T) {
	for body, ok := range map[string]bool{
		`{"job":"urn:x"}`: true,
		`{"urn":"urn:x"}`: true,
		`{"job":"urn:x","trace_id":null,"data":null,"meta":null,"attempts":null,"dead_letter":null}`:  true,
		`{"job":"urn:x","attempts":9223372036854775807}`:                                              true,
		`{"job":"urn:x","attempts":9223372036854775808}`:                                              false,
		`{"job":"urn:x","attempts":1.0}`:                                                              false,
		`{"job":"urn:x","attempts":"x","attempts":2}`:                                                 false,
		`{"job":"urn:x","meta":{"id":5}}`:                                                             false,
		`{"job":"urn:x","meta":{"id":5},"meta":{}}`:                                                   false,
		`{"job":"urn:x","meta":{"id":"m","queue":"q","lang":"go","schema_version":7,"created_at":1}}`: true,
		`{"job":"urn:x","dead_letter":"x"}`:                                                           false,
		`{"job":"urn:x","dead_letter":{"failed_at":"x"}}`:                                             false,
		`{"job":"urn:x","dead_letter":{"reason":"failed","error":null,"exception":null,"failed_at":1,` +
			`"original_queue":"q","attempts":3,"lang":"go"}}`: true,
		`{"job":"urn:x","data":{"a":[1e308,{"b":1e400}]}}`:       false,
		`{"job":"urn:x","data":{"a":"1e400 -"}}`:                 true,
		`{"job":"urn:x","x":1e400}`:                              true,
		`{"job":" ","urn":5}`:                                    false,
		`{"job":"urn:x","meta/id":5,"dead_letter/attempts":"x"}`: true,
		`not json`: false,
		``:         false,
	} {
		if _, err := ParseByIdentity([]byte(body)); (err == nil) != ok {
			t.Errorf("IDV-1: %s: got %v, want ok %v", body, err, ok)
		}
	}
}
