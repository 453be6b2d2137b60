package flow

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/conformance"
)

const cases = "../../testdata/conformance"

// routesFor returns routes that lead each URN to a handler that does nothing.
func routesFor(urns ...string) Routes {
	return func(urn string) Handler {
		if !slices.Contains(urns, urn) {
			return nil
		}
		return func(context.Context, *Verdict, pulsar.Message) error { return nil }
	}
}

func TestGateConformance(t *testing.T) {
	conformance.Run(t, cases, "gate.json", func(t *testing.T, c conformance.Gate) {
		// The body is poison, so that a delivery which is gated shows that the gate comes first (GATE-9).
		v := classify([]byte("not json"), c.Properties, 0, routesFor("urn:x"), envelope.Parse)
		want := IsPoison
		if c.Expect.Gated {
			want = IsGated
		}
		if v.Kind != want {
			t.Fatalf("%v: got verdict %d (%v), want %d", c.Properties, v.Kind, v.Err, want)
		}
		if !c.Expect.Gated {
			return
		}
		for dlq, action := range map[bool]Action{true: DeadLettered, false: Dropped} {
			s := decide(v, outcome{}, Policy{MaxAttempts: 3, HasDeadLetter: dlq})
			if s.action != action || s.reason != Gated || v.Envelope != nil {
				t.Errorf("dead letter %v: got %s, %s with envelope %v, want %s, gated without", dlq, s.action,
					s.reason, v.Envelope, action)
			}
		}
	})
}

func TestRoutingConformance(t *testing.T) {
	conformance.Run(t, cases, "routing.json", func(t *testing.T, c conformance.Routing) {
		v := classify(c.Bytes(), c.Properties, 0, routesFor("urn:babel:orders:created"), envelope.Parse)
		got := map[Kind]string{IsGated: "gated", IsPoison: "poison", IsUnhandled: "accept", IsRouted: "accept"}[v.Kind]
		if got != c.Expect.Verdict {
			t.Fatalf("got %s (%v), want %s", got, v.Err, c.Expect.Verdict)
		}
		if got == "accept" && v.URN != c.Expect.RouteURN {
			t.Errorf("routed by %q, want %q", v.URN, c.Expect.RouteURN)
		}
		if want := c.Expect.Mismatch; v.Mismatch != (want != nil) || want != nil && (v.URN != want.Property ||
			v.Envelope.URN() != want.Body) {
			t.Errorf("mismatch %v: property %q, envelope %+v, want %+v", v.Mismatch, v.URN, v.Envelope, want)
		}
		if handled := c.Expect.RouteURN == "urn:babel:orders:created"; got == "accept" && (v.Kind == IsRouted) != handled {
			t.Errorf("handled: %v, want %v", !handled, handled)
		}
	})
}

func TestAttemptsConformance(t *testing.T) {
	conformance.Run(t, cases, "attempts.json", func(t *testing.T, c conformance.Attempts) {
		if c.Literal != nil && !bytes.Contains(c.Bytes(), []byte(`"attempts":`+*c.Literal)) {
			t.Errorf("the body %s does not have the attempts %s", c.Bytes(), *c.Literal)
		}
		v := classify(c.Bytes(), c.Properties, c.Redelivery, routesFor(), envelope.Parse)
		s := decide(v, outcome{}, Policy{MaxAttempts: 3})
		if v.Attempts != c.Expect.Reconciled || s.counted != c.Expect.Counted {
			t.Errorf("got reconciled %d, counted %d, want %d, %d", v.Attempts, s.counted, c.Expect.Reconciled, c.Expect.Counted)
		}
	})
}

func TestMaxAttemptsConformance(t *testing.T) {
	conformance.Run(t, cases, "max_attempts.json", func(t *testing.T, c conformance.MaxAttempts) {
		if c.Expect != nil {
			return // on construction: TestBuildConformance
		}
		if len(c.Deliveries) == 0 {
			t.Fatal("the case says nothing")
		}
		for i, d := range c.Deliveries {
			body := "poison"
			if d.Body != nil {
				body = fmt.Sprintf(`{"job":"urn:x","trace_id":"t","data":{},"meta":{"schema_version":1},"attempts":%d}`, *d.Body)
			}
			v := classify([]byte(body), map[string]string{"bq-attempts": d.Property}, d.Redelivery,
				routesFor("urn:x"), envelope.Parse)
			s := decide(v, failure(context.DeadlineExceeded), Policy{MaxAttempts: int64(c.MaxAttempts),
				HasDeadLetter: true})
			wantAction := DeadLettered
			if d.Expect.Action == "republish+ack" || d.Expect.Action == "nack" {
				wantAction = Retried
			}
			type result struct {
				Reconciled, Counted int64
				Action              Action
			}
			want := result{d.Expect.Reconciled, d.Expect.Counted, wantAction}
			if diff := cmp.Diff(want, result{v.Attempts, s.counted, s.action}); diff != "" {
				t.Errorf("delivery %d (-want +got):\n%s", i+1, diff)
			}
			if want := d.Expect.Republished; want != nil {
				again, err := envelope.Parse(v.Envelope.WithAttempts(s.counted))
				if err != nil || again.Attempts != want.Body || fmt.Sprint(s.counted) != want.Property {
					t.Errorf("delivery %d: republished with %d attempts (%v), want %d", i+1, again.Attempts, err, want.Body)
				}
			}
			if d.Expect.DeadLetter != 0 && s.counted != d.Expect.DeadLetter {
				t.Errorf("delivery %d: dead-lettered with %d attempts, want %d", i+1, s.counted, d.Expect.DeadLetter)
			}
		}
	})
}

// TestPublicAttemptsReconciliation runs the public suite's cases on attempts, whose messages have no property.
func TestPublicAttemptsReconciliation(t *testing.T) {
	data, err := os.ReadFile("../../../../shared/conformance/public/manifest.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("left out, the public conformance suite is not beside the project")
	} else if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Pulsar struct {
			Reconciliation struct {
				Cases []struct {
					Name       string
					Body       int64  `json:"body_attempts"`
					Redelivery uint32 `json:"redelivery_count"`
					Want       int64  `json:"expected_attempts"`
				}
			} `json:"attempts_reconciliation"`
		}
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Pulsar.Reconciliation.Cases) == 0 {
		t.Fatal("the manifest holds no cases")
	}
	for _, c := range manifest.Pulsar.Reconciliation.Cases {
		if got := reconcile("", c.Body, c.Redelivery); got != c.Want {
			t.Errorf("%s: got %d, want %d", c.Name, got, c.Want)
		}
	}
}
