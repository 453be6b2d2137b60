package services

import (
	"context"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// odd are messages that are no notes: poison, gated, unknown, blank, and one whose property and body differ.
func odd() []*pulsar.ProducerMessage {
	mismatch := properties(urnB, nil)
	return []*pulsar.ProducerMessage{
		{Payload: []byte("not json"), Properties: properties(urnS, nil)},
		{Payload: []byte("\xff\xfe"), Properties: map[string]string{"bq-schema-version": "2", "bq-job": urnS}},
		{Payload: []byte(body(urnN, 3, "0")), Properties: properties(urnN, nil)},
		{Payload: []byte(body(urnB, 4, "0")), Properties: properties(" ", nil)},
		{Payload: []byte(body(urnS, 5, "0")), Properties: mismatch},
	}
}

// FS12: every service has its own copy of what is poison, gated or unknown. A message that is not for a service is
// skipped without a look at its payload.
func TestPoisonAndGatedAreEachServices(t *testing.T) {
	onBoth(t, func(t *testing.T, p *place) {
		shipping := &p.queue.Services[1]
		drops := shipping.DeadLetterTopic
		shipping.DeadLetterTopic = ""
		p.declare()
		p.send(p.queue.Topic, odd()...)
		// An invalid payload that is another service's is none of this service's business.
		p.send(p.queue.Topic, &pulsar.ProducerMessage{
			Payload:    []byte(`{"job":"urn:test:s","trace_id":"t","data":{"id":"no"},"meta":{"schema_version":1}}`),
			Properties: properties(urnS, nil),
		})
		var mismatches [3]int
		observed := func(i int) bq.ConsumerOption {
			return bq.WithObserver(bq.Observer{Mismatch: func(context.Context, bq.Mismatch) { mismatches[i]++ }})
		}
		billing := p.start("billing", fine, observed(0))
		// Poison, gated and unknown are dead letters; blank and mismatch are B; the invalid S is skipped.
		p.expect("billing", count{Runs: 2, Acknowledged: 2, Skips: 1, Retried: 2, DeadLettered: 3}, billing)
		// The invalid S is retried and dropped; the mismatch is routed as B, which is not shipping's.
		s := p.start("shipping", fine, observed(1))
		p.expect("shipping", count{Skips: 2, Retried: 2 + 2 + 2, Dropped: 4}, s)
		audit := p.start("audit", fine, observed(2))
		p.expect("audit", count{Runs: 2, Acknowledged: 2, Retried: 4, DeadLettered: 4}, audit)
		for _, r := range []*replica{billing, s, audit} {
			r.stop()
		}
		if mismatches != [3]int{1, 0, 1} {
			t.Errorf("RTE-2: %v mismatches were told, want those of the services that handle it", mismatches)
		}
		for _, name := range []string{"billing", "audit"} {
			for _, m := range p.read(p.service(name).DeadLetterTopic, 3) {
				switch {
				case m.Properties()["bq-schema-version"] == "2":
					if string(m.Payload()) != "\xff\xfe" || len(m.Properties()) != 2 {
						t.Errorf("GATE-5: %s has %q with %v", name, m.Payload(), m.Properties())
					}
				case blockOf(t, m).Reason == "poison":
					if got := blockOf(t, m).OriginalQueue; got != lastSegment(p.queue.Topic) {
						t.Errorf("DLQ-5, FAN-3: original_queue is %s", got)
					}
				}
			}
		}
		if got := p.published(drops); got != 0 {
			t.Errorf("%d messages are on a dead-letter topic that shipping does not have", got)
		}
		p.drained()
	})
}

// POI-4, FAN-3: poison on a retry topic is recorded with the queue's name, and its retries change bq-attempts only.
func TestPoisonOnARetryTopicNamesTheQueue(t *testing.T) {
	p := inMemory(t)
	p.declare()
	p.send(p.service("billing").RetryTopic, &pulsar.ProducerMessage{
		Payload: []byte("[1]"), Properties: map[string]string{"bq-attempts": "1", "x": "y"},
	})
	r := p.start("billing", fine)
	p.expect("billing", count{DeadLettered: 1}, r)
	m := p.letters("billing", 1)[0]
	want := block{Reason: "poison", Attempts: 2, OriginalQueue: lastSegment(p.queue.Topic)}
	if got := blockOf(t, m); got != want {
		t.Errorf("the record says %+v", got)
	}
}
