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
	conformance.Run(t, cases, "envelope_verdict.json", func(t *testing.T, c conformance.Verdict) {
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
	conformance.Run(t, cases, "property_projection.json", func(t *testing.T, c conformance.Projection) {
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
	conformance.Run(t, cases, "poison_record.json", func(t *testing.T, c conformance.PoisonRecord) {
		body := c.Bytes()
		before := bytes.Clone(body)
		got := PoisonRecord(body, DeadLetter{
			Reason:        Reason(c.Block.Reason),
			Error:         c.Block.Error,
			Exception:     c.Block.Exception,
			FailedAt:      time.UnixMilli(c.Block.FailedAt),
			OriginalQueue: c.Block.OriginalQueue,
			Attempts:      c.Block.Attempts,
		})
		if diff := cmp.Diff(string(c.Expect.Record), string(got)); diff != "" {
			t.Errorf("record (-want +got):\n%s", diff)
		}
		if c.Expect.Text != string(c.Expect.Record) || c.Block.Lang != Lang {
			t.Errorf("the case contradicts itself: %q, %q", c.Expect.Text, c.Block.Lang)
		}
		if !bytes.Equal(before, body) {
			t.Error("the body was changed")
		}
	})
}
