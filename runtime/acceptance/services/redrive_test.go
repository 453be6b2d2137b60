package services

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// FS17: a dead letter that is given back to a service is run by it alone. One that a foreign tool publishes to
// original_queue is run by every service.
func TestARedriveIsForOneService(t *testing.T) {
	onBoth(t, func(t *testing.T, p *place) {
		p.declare()
		p.publish(urnA, 0, 1)
		var mended atomic.Bool
		handle := func(context.Context, *bq.Message[note]) error {
			if mended.Load() {
				return nil
			}
			return bq.Permanent(errors.New("no"))
		}
		billing, shipping := p.start("billing", handle), p.start("shipping", handle)
		audit := p.start("audit", fine)
		p.expect("billing", count{Runs: 1, DeadLettered: 1}, billing)
		p.expect("shipping", count{Runs: 1, DeadLettered: 1}, shipping)
		p.expect("audit", count{Runs: 1, Acknowledged: 1}, audit)
		mended.Store(true)
		p.redrive("billing", 1)
		p.expect("FAN-11: billing", count{Runs: 2, Acknowledged: 1, DeadLettered: 1}, billing)
		p.drained()
		if got := sum(shipping, audit).Runs; got != 2 {
			t.Errorf("FAN-11: the others have %d runs, want 2", got)
		}
		letter := p.letters("shipping", 1)[0]
		// A foreign tool that follows original_queue.
		p.send(p.queue.Topic, &pulsar.ProducerMessage{
			Payload: []byte(body(urnA, 0, "0")), Properties: properties(urnA, nil), Key: letter.Key(),
		})
		p.expect("billing", count{Runs: 3, Acknowledged: 2, DeadLettered: 1}, billing)
		p.expect("shipping", count{Runs: 2, Acknowledged: 1, DeadLettered: 1}, shipping)
		p.expect("audit", count{Runs: 2, Acknowledged: 2}, audit)
	})
}
