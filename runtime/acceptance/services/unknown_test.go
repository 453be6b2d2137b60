package services

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

const urnN = "urn:test:new"

// FS6: what no service knows is dead-lettered by each of them, so that it can be handled after an update.
func TestAURNThatCameBeforeItsConsumers(t *testing.T) {
	onBoth(t, func(t *testing.T, p *place) {
		p.declare()
		for id := range int64(10) {
			p.send(p.queue.Topic, &pulsar.ProducerMessage{
				Payload: []byte(body(urnN, id, "0")), Properties: properties(urnN, nil),
			})
		}
		for _, name := range order {
			r := p.start(name, fine)
			p.expect("FAN-7: "+name, count{Retried: 20, DeadLettered: 10}, r)
			r.stop()
			for _, m := range p.letters(name, 10) {
				if d := blockOf(t, m); d.Reason != "unknown_urn" || d.OriginalQueue != "orders" {
					t.Errorf("the dead letter of %s says %+v", name, d)
				}
			}
		}
		p.drained()
		// Billing is updated, and its dead letters are given back to it.
		p.queue.URNs = append(p.queue.URNs, urnN)
		p.queue.Services[0].URNs = append(p.queue.Services[0].URNs, urnN)
		p.redrive("billing", 10)
		updated := p.start("billing", fine)
		p.expect("FAN-7: billing, updated", count{Runs: 10, Acknowledged: 10}, updated)
		p.drained()
	})
}

// FS6: services that prefer to miss it warn once per URN.
func TestUnknownURNsCanBeSkipped(t *testing.T) {
	p := inMemory(t)
	p.declare()
	for id := range int64(10) {
		p.send(p.queue.Topic, &pulsar.ProducerMessage{
			Payload: []byte(body(urnN, id, "0")), Properties: properties(urnN, nil),
		}, &pulsar.ProducerMessage{
			Payload: []byte(body(urnN+":2", id, "0")), Properties: properties("", nil), // known by its body only
		})
	}
	var log syncBuffer
	r := p.start("billing", fine, bq.SkipUnknownURNs(), bq.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	p.expect("FAN-7", count{Skips: 20}, r)
	if got := r.skips()[envelope.UnknownURN]; got != 20 {
		t.Errorf("FAN-7: %d messages were skipped as unknown, want 20", got)
	}
	if got := strings.Count(log.String(), "level=WARN"); got != 2 {
		t.Errorf("FAN-7: %d warnings, want one per URN:\n%s", got, log.String())
	}
	p.drained("billing")
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(text)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
