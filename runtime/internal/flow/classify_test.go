package flow

import (
	"testing"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// FuzzClassify: whatever comes, there is a verdict that can be settled, and what it is settled with can be made.
func FuzzClassify(f *testing.F) {
	f.Add([]byte(`{"job":"urn:x","trace_id":"t","data":{},"meta":{"schema_version":1}}`), "urn:x", "1", "0", uint32(0))
	f.Add([]byte(`{"urn":"urn:y","attempts":"x"}`), "", "", "x", uint32(5))
	f.Add([]byte("\xff"), "\u00a0", "2", "", uint32(1))
	routes := routesFor("urn:x")
	f.Fuzz(func(t *testing.T, body []byte, job, version, attempts string, redeliveries uint32) {
		properties := map[string]string{"bq-job": job, "bq-schema-version": version, "bq-attempts": attempts}
		for _, accept := range []Accept{envelope.Parse, envelope.ParseByIdentity} {
			v := classify(body, properties, redeliveries, routes, accept)
			if v.Attempts < int64(redeliveries) || v.Kind == 0 || (v.Kind == IsRouted) != (v.Err == nil) {
				t.Fatalf("got %+v", v)
			}
			for _, hasDeadLetter := range []bool{true, false} {
				s := decide(v, failure(errNope), Policy{MaxAttempts: 3, HasDeadLetter: hasDeadLetter})
				msg := fakeMessage{body: body, properties: properties}
				switch s.action {
				case Retried:
					if len(body) > 0 && len(retryOf(msg, v, s).Payload) == 0 {
						t.Fatalf("the retry of %q has no body", body)
					}
				case DeadLettered:
					if s.reason != Gated && len(deadLetterOf(msg, "orders", v, s, someTime, false).Payload) == 0 {
						t.Fatalf("the dead letter of %q has no body", body)
					}
				case Dropped:
				default:
					t.Fatalf("a failed delivery is %s", s.action)
				}
			}
		}
	})
}
