package envelope

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/internal/conformance"
)

const cases = "../testdata/conformance"

func TestEnvelopeVerdictConformance(t *testing.T) {
	type verdict struct {
		conformance.Case
		Expect struct {
			Verdict  string  `json:"verdict"`
			URN      *string `json:"body_urn"`
			Attempts *int64  `json:"body_attempts"`
		} `json:"expect"`
	}
	base := func(c verdict) conformance.Case { return c.Case }
	conformance.Run(t, cases, "envelope_verdict.json", base, func(t *testing.T, c verdict) {
		e, err := Parse(c.Bytes())
		if got := map[bool]string{true: "accept", false: "poison"}[err == nil]; got != c.Expect.Verdict {
			t.Fatalf("got %s (%v), want %s", got, err, c.Expect.Verdict)
		}
		if c.Expect.URN != nil && e.URN() != *c.Expect.URN {
			t.Errorf("got URN %q, want %q", e.URN(), *c.Expect.URN)
		}
		if c.Expect.Attempts != nil && e.Attempts != *c.Expect.Attempts {
			t.Errorf("got attempts %d, want %d", e.Attempts, *c.Expect.Attempts)
		}
	})
}

func TestPropertyProjectionConformance(t *testing.T) {
	type projection struct {
		conformance.Case
		Expect struct {
			Properties map[string]string `json:"properties"`
		} `json:"expect"`
	}
	base := func(c projection) conformance.Case { return c.Case }
	conformance.Run(t, cases, "property_projection.json", base, func(t *testing.T, c projection) {
		got := map[string]string{}
		if e, _ := Parse(c.Bytes()); e != nil {
			got = e.Properties()
		}
		if diff := cmp.Diff(c.Expect.Properties, got); diff != "" {
			t.Errorf("properties (-want +got):\n%s", diff)
		}
	})
}

func TestPoisonRecordConformance(t *testing.T) {
	type record struct {
		conformance.Case
		Block struct {
			Reason        Reason `json:"reason"`
			Error         string `json:"error"`
			Exception     string `json:"exception"`
			FailedAt      int64  `json:"failed_at"`
			OriginalQueue string `json:"original_queue"`
			Attempts      int64  `json:"attempts"`
		} `json:"dead_letter_block"`
		Expect struct {
			Record []byte `json:"record_base64"`
		} `json:"expect"`
	}
	base := func(c record) conformance.Case { return c.Case }
	conformance.Run(t, cases, "poison_record.json", base, func(t *testing.T, c record) {
		body := c.Bytes()
		before := bytes.Clone(body)
		got := PoisonRecord(body, DeadLetter{
			Reason:        c.Block.Reason,
			Error:         c.Block.Error,
			Exception:     c.Block.Exception,
			FailedAt:      time.UnixMilli(c.Block.FailedAt),
			OriginalQueue: c.Block.OriginalQueue,
			Attempts:      c.Block.Attempts,
		})
		if diff := cmp.Diff(string(c.Expect.Record), string(got)); diff != "" {
			t.Errorf("record (-want +got):\n%s", diff)
		}
		if !bytes.Equal(before, body) {
			t.Error("the body was changed")
		}
	})
}
