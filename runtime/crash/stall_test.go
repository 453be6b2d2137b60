package crash

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
)

// A faltering producer refuses each message twice before it sends it.
type faltering struct {
	pulsar.Producer
	mu    sync.Mutex
	tries map[string]int
}

func (p *faltering) Send(ctx context.Context, m *pulsar.ProducerMessage) (pulsar.MessageID, error) {
	p.mu.Lock()
	p.tries[m.Properties["bq-message-id"]]++
	tries := p.tries[m.Properties["bq-message-id"]]
	p.mu.Unlock()
	if tries <= 2 {
		return nil, errors.New("the topic is not to be had")
	}
	return p.Producer.Send(ctx, m)
}

// On Exclusive and Failover subscriptions Pulsar answers a negative acknowledgement by redelivering everything that is
// not acknowledged. A client that has no room for all of it stops reading from its connection, and so misses the
// confirmations too.
func TestLettersThatCannotBePublishedDoNotStopTheRest(t *testing.T) {
	url := needRealPulsar(t)
	t.Parallel()
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			const messages = 200
			topic := "persistent://public/default/tasks-" + uuid.NewString()
			q := bq.Queue{Name: "tasks", Topic: topic}
			client, err := newClient(url, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(client.Close)
			letters, err := client.CreateProducer(pulsar.ProducerOptions{Topic: topic + ".dlq", DisableBatching: true})
			if err != nil {
				t.Fatal(err)
			}
			published := make(chan struct{}) // closed when there is a backlog
			settled := make(chan string, 100*messages)
			c, err := bq.NewConsumer(client, q,
				bq.Routes(bq.Handle(tasks(q), func(_ context.Context, m *bq.Message[task]) error {
					<-published
					if m.Data.N%2 == 0 {
						return bq.Permanent(errFailed)
					}
					return nil
				})),
				append(v.options, bq.WithConcurrency(4),
					bq.WithRetryBackoff(bq.ExponentialBackoff(20*time.Millisecond, 100*time.Millisecond)),
					bq.WithDeadLetterProducer(&faltering{Producer: letters, tries: map[string]int{}}),
					bq.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))),
					bq.WithObserver(bq.Observer{Settled: func(s bq.Settlement) {
						if s.SettleErr == nil && (s.Action == bq.Acknowledged || s.Action == bq.DeadLettered) {
							settled <- s.Delivery.ID
						}
					}}))...)
			if err != nil {
				t.Fatal(err)
			}
			producers := bq.NewProducers(client)
			defer producers.Close(context.Background())
			publisher := bq.NewPublisher(producers, tasks(q))
			waiting := map[string]bool{}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			defer func() {
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
			}()
			go func() { done <- c.Run(ctx) }()
			select {
			case <-c.Ready():
			case <-time.After(patience):
				t.Fatal("the consumer does not get ready")
			}
			for n := range int64(messages) {
				sent, err := publisher.Publish(ctx, task{n})
				if err != nil {
					t.Fatal(err)
				}
				waiting[sent.ID] = true
			}
			close(published)
			for len(waiting) > 0 {
				select {
				case id := <-settled:
					delete(waiting, id)
				case <-time.After(20 * time.Second): // no send and no acknowledgement takes as long, unless all is stuck
					t.Fatalf("nothing is settled any more, %d of %d messages wait", len(waiting), messages)
				}
			}
		})
	}
}
