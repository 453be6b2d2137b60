package crash

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
)

// TestTheCloseBoundHoldsWithAFrozenBroker: F14. Close returns within its bound of 25 s with three topics and with
// thirty, and each callback is called, although the broker answers nothing.
func TestTheCloseBoundHoldsWithAFrozenBroker(t *testing.T) {
	broker := frozenBroker(t)
	// The client's own timeouts are 30 s for each topic, one after the other. A slow machine may take some more than the
	// bound.
	const limit = 28 * time.Second
	type closer struct {
		topics     int
		producers  *bq.Producers
		publishers []*bq.Publisher[task]
		called     chan error
	}
	var all []*closer
	for _, topics := range []int{3, 30} {
		client, err := newClient(broker.ServiceURL(), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { go client.Close() }) // which hangs, too
		c := &closer{
			topics: topics, called: make(chan error, 2*topics),
			producers: bq.NewProducers(client, bq.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil)))),
		}
		for range topics {
			q := bq.Queue{Name: "tasks", Topic: "persistent://public/default/frozen-" + uuid.NewString()}
			publisher := bq.NewPublisher(c.producers, tasks(q))
			if _, err := publisher.Publish(t.Context(), task{0}); err != nil {
				t.Fatal(err)
			}
			c.publishers = append(c.publishers, publisher)
		}
		all = append(all, c)
	}
	if err := broker.Freeze(); err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		for _, publisher := range c.publishers {
			for range 2 {
				publisher.PublishAsync(t.Context(), task{1}, func(_ bq.PublishResult, err error) { c.called <- err })
			}
		}
	}
	type result struct {
		*closer
		took time.Duration
		err  error
	}
	done := make(chan result, len(all))
	for _, c := range all {
		go func() {
			began := time.Now()
			err := c.producers.Close(context.Background())
			done <- result{c, time.Since(began), err}
		}()
	}
	for range all {
		select {
		case r := <-done:
			t.Logf("%d topics: Close returned after %.1f s: %v", r.topics, r.took.Seconds(), r.err)
			if r.took > limit || r.err == nil {
				t.Errorf("F14: %d topics: Close returned after %s with %v", r.topics, r.took, r.err)
			}
			if got := len(r.called); got != 2*r.topics {
				t.Errorf("F14: %d of %d callbacks were called when Close returned", got, 2*r.topics)
			}
		case <-time.After(patience):
			t.Fatal("F14: Close does not return")
		}
	}
}
