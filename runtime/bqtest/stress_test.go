package bqtest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// TestManyAtOnce has producers, consumers, readers and mishaps meet on one topic, for the race detector and for what
// must hold in the end.
func TestManyAtOnce(t *testing.T) {
	for name, typ := range types {
		t.Run(name, func(t *testing.T) {
			broker := bqtest.NewBroker(t)
			if err := broker.CreatePartitioned("orders", 3); err != nil {
				t.Fatal(err)
			}
			const producers, each = 4, 100
			consumers := 3
			if typ == pulsar.Exclusive {
				consumers = 1
			}
			ctx, cancel := context.WithCancel(t.Context())
			var wg sync.WaitGroup
			var mu sync.Mutex
			handled := map[string]int{}
			for i := range consumers {
				c := subscribe(t, broker.Client(), pulsar.ConsumerOptions{
					Type: typ, NackRedeliveryDelay: time.Millisecond, ReceiverQueueSize: 5 + i,
				})
				wg.Go(func() {
					defer c.Close()
					for n := 0; ; n++ {
						m, err := c.Receive(ctx)
						if err != nil {
							return
						}
						if n%7 == 3 {
							c.Nack(m)
							continue
						}
						mu.Lock()
						handled[string(m.Payload())]++
						mu.Unlock()
						if err := c.Ack(m); err != nil {
							t.Errorf("Ack: %v", err)
						}
					}
				})
			}
			r := reader(t, broker.Client(), pulsar.ReaderOptions{})
			wg.Go(func() {
				for range producers * each {
					if _, err := r.Next(ctx); err != nil {
						t.Errorf("Next: %v", err)
						return
					}
				}
			})
			var sending sync.WaitGroup
			for i := range producers {
				p := produce(t, broker.Client(), pulsar.ProducerOptions{})
				sending.Go(func() {
					for n := range each {
						m := pulsar.ProducerMessage{Key: fmt.Sprint(n % 10), Payload: fmt.Appendf(nil, "%d.%d", i, n)}
						if n%2 == 0 {
							p.SendAsync(ctx, &m, nil)
							continue
						}
						if _, err := p.Send(ctx, &m); err != nil {
							t.Errorf("Send: %v", err)
						}
					}
				})
			}
			for range 5 {
				broker.Drop("orders", "sub")
				broker.Down()
				broker.Up()
			}
			sending.Wait()
			until(t, broker, func() bool {
				return broker.SendCount("orders") == producers*each && broker.Backlog("orders", "sub") == 0 && !r.HasNext()
			})
			cancel()
			wg.Wait()
			if len(handled) != producers*each {
				t.Errorf("%d different messages handled, want %d", len(handled), producers*each)
			}
		})
	}
}
