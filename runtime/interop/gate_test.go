package interop

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	bq "github.com/babelqueue/bqgen/runtime"
)

// gatedVersions are values of bq-schema-version that both sides must gate.
var gatedVersions = []string{"2", "0", "x", "01", " 1", "1\n", "1.0", "+1", "\uff11", "\u00a0", "\ufeff", "\u0085",
	"\u2003"}

// openVersions are values of bq-schema-version that both sides must let through.
var openVersions = []string{"1", "", " ", " \t\n\v\f\r"}

func gatedMessages() []raw {
	var messages []raw
	for i, version := range gatedVersions {
		messages = append(messages, raw{[]byte(canonical), map[string]string{
			"bq-job": " " + orderURN, "bq-schema-version": version, "bq-attempts": "x", "tenant": fmt.Sprint(i),
		}})
	}
	// A body that is not JSON is gated too (GATE-9).
	return append(messages, raw{[]byte("not json"), map[string]string{"bq-schema-version": "2", "tenant": "t"}})
}

func TestBothGateTheSameVersions(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	var open []raw
	for _, version := range openVersions {
		open = append(open, raw{[]byte(canonical), map[string]string{"bq-schema-version": version}})
	}
	gated := gatedMessages()
	ours, theirs := newQueue(), newQueue()
	b.goReads(theirs.DeadLetterTopic)
	b.pythonSends(ours.Topic, append(gated, open...)...)
	b.goSends(theirs.Topic, append(gated, open...)...)

	for i, got := range b.goWorks(ours, len(gated)+len(open), 0) {
		if want := i < len(gated); (got.Reason == bq.Gated) != want || got.handled == want {
			t.Errorf("GATE-1 to GATE-3: Go: version %q: %s %s", got.Delivery.Property("bq-schema-version"), got.Action,
				got.Reason)
		}
	}
	done := b.pythonWorks(theirs, work{deliveries: len(gated) + len(open)})
	if len(done.Handled) != len(open) {
		t.Errorf("GATE-1 to GATE-3: Python handles %d, want %d; it logged %q", len(done.Handled), len(open), done.Log)
	}

	// Python consumes Go's dead letters and gates each again. Go moved them unchanged.
	for i, got := range b.pythonReads(ours.DeadLetterTopic, len(gated)) {
		if diff := cmp.Diff(string(gated[i].Body), string(got.Body)); diff != "" || !got.Gated {
			t.Errorf("GATE-5, RED-6: letter %d by Go: gated again: %v; body (-want +got):\n%s", i, got.Gated, diff)
		}
		if diff := cmp.Diff(gated[i].Properties, got.Properties); diff != "" {
			t.Errorf("GATE-5: letter %d by Go: properties (-want +got):\n%s", i, diff)
		}
	}
	// And the other way round. Python keeps only the properties for version and job and takes the others from a JSON
	// body, although the contract says that a gated body is not read.
	letters := bq.Queue{Name: theirs.Name + ".dlq", Topic: theirs.DeadLetterTopic,
		DeadLetterTopic: theirs.DeadLetterTopic + ".dlq"}
	bodies := b.goReads(letters.DeadLetterTopic)
	for i, got := range b.goWorks(letters, len(gated), 0) {
		want := canonicalProperties(0, map[string]string{"bq-schema-version": gated[i].Properties["bq-schema-version"],
			"bq-job": " " + orderURN})
		if i == len(gated)-1 {
			want = map[string]string{"bq-schema-version": "2"}
		}
		if diff := cmp.Diff(want, got.Delivery.Properties()); diff != "" || got.Reason != bq.Gated {
			t.Errorf("GATE-5, RED-6: letter %d by Python: %s %s; properties (-want +got):\n%s", i, got.Action, got.Reason, diff)
		}
	}
	for i, got := range bodies(len(gated)) {
		if diff := cmp.Diff(string(gated[i].Body), string(got.Payload())); diff != "" {
			t.Errorf("GATE-5: letter %d by Python: body (-want +got):\n%s", i, diff)
		}
	}
}
