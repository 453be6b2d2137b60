package crash

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
)

// TestTheCloseBoundHoldsWithAFrozenBroker: F14, L66, L67. Close returns within its bound of 25 s with three topics and
// with thirty, and each callback is called, although the broker answers nothing. With a short send timeout it does not
// take that long; what it does not know it says, and what was confirmed is on the topic.
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
	half := newHalfConfirmed(t, broker.ServiceURL())
	if err := broker.Freeze(); err != nil {
		t.Fatal(err)
	}
	halfClosed := make(chan struct{})
	go func() { defer close(halfClosed); half.close(t) }()
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
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := all[0].producers.Flush(short); err == nil {
		t.Error("L66: Flush is done although the broker answers nothing")
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
	<-halfClosed
	if err := broker.Thaw(); err != nil {
		t.Fatal(err)
	}
	half.check(t, broker.ServiceURL())
}

// halfConfirmed are a thousand messages, of which the first half was confirmed.
type halfConfirmed struct {
	q         bq.Queue
	producers *bq.Producers
	publisher *bq.Publisher[task]

	mu    sync.Mutex
	calls map[int]int
	good  map[string]bool // the ids of those that were published
}

const (
	messagesToClose = 1000
	shortTimeout    = 10 * time.Second
)

func newHalfConfirmed(t *testing.T, url string) *halfConfirmed {
	t.Helper()
	client, err := newClient(url, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { go client.Close() })
	h := &halfConfirmed{
		q:     bq.Queue{Name: "tasks", Topic: "persistent://public/default/half-" + uuid.NewString()},
		calls: map[int]int{}, good: map[string]bool{},
	}
	h.producers = bq.NewProducers(client, bq.WithLogger(slog.New(slog.DiscardHandler)), bq.WithSendTimeout(shortTimeout))
	h.publisher = bq.NewPublisher(h.producers, tasks(h.q))
	if _, err := h.publisher.Publish(t.Context(), task{}); err != nil { // which creates the producer
		t.Fatal(err)
	}
	h.publish(t, 0, messagesToClose/2)
	if err := h.producers.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *halfConfirmed) publish(t *testing.T, from, to int) {
	for i := from; i < to; i++ {
		h.publisher.PublishAsync(t.Context(), task{int64(i)}, func(r bq.PublishResult, err error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			if h.calls[i]++; err == nil {
				h.good[r.ID] = true
			}
		})
	}
}

// close publishes the second half to a broker that does not answer, and closes the publishers while others publish.
func (h *halfConfirmed) close(t *testing.T) {
	h.publish(t, messagesToClose/2, messagesToClose)
	var others sync.WaitGroup
	for range 50 {
		others.Go(func() {
			if _, err := h.publisher.Publish(t.Context(), task{}); err == nil {
				t.Error("L67: a message is published, and the broker is frozen")
			}
		})
	}
	began := time.Now()
	err := h.producers.Close(context.Background())
	took := time.Since(began)
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.calls) != messagesToClose {
		t.Errorf("L67: %d of %d callbacks were called when Close returned", len(h.calls), messagesToClose)
	}
	if err == nil || !strings.Contains(err.Error(), "not confirmed") {
		t.Errorf("L67: Close returned %v", err)
	}
	if took > shortTimeout+10*time.Second { // on a slow machine; Close's own bound is 25 s
		t.Errorf("L67: Close took %s", took)
	}
	t.Logf("Close returned after %.1f s: %v", took.Seconds(), err)
	others.Wait()
}

// check fails unless each callback was called once and what it was told is on the topic is there.
func (h *halfConfirmed) check(t *testing.T, url string) {
	t.Helper()
	for i, n := range h.calls {
		if n != 1 {
			t.Errorf("L67: the callback of message %d was called %d times", i, n)
		}
	}
	if len(h.good) < messagesToClose/2 {
		t.Errorf("L67: %d messages were published, want the first %d", len(h.good), messagesToClose/2)
	}
	client, err := newClient(url, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for m, err := range bq.Read(ctx, client, h.q, bq.Decodings(bq.Decode(tasks(h.q), func(v *task) any { return v }))) {
		if err != nil {
			t.Fatal(err)
		}
		delete(h.good, m.ID)
	}
	if len(h.good) > 0 {
		t.Errorf("L67: %d messages that were confirmed are not on the topic", len(h.good))
	}
}
