package interop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// shippedURN is for the service shipping only, orderURN for the others.
const shippedURN = "urn:babel:orders:shipped"

// A service is a running service of a queue, and what it has done.
type service struct {
	mu      sync.Mutex
	runs    map[int64][]int64 // the attempts that the runs of each order saw
	actions map[bq.Action]int
	foreign int // skipped as another consumer's retry
}

// did returns how often the service did what, with a count of runs and of skipped retries.
func (s *service) did() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	runs := 0
	for _, seen := range s.runs {
		runs += len(seen)
	}
	return fmt.Sprintf("%d runs: %d acknowledged, %d retried, %d dead-lettered, %d skipped of which %d retries", runs,
		s.actions[bq.Acknowledged], s.actions[bq.Retried], s.actions[bq.DeadLettered], s.actions[bq.Skipped], s.foreign)
}

// serves runs a service of a queue until the test ends.
func (b *bench) serves(q bq.Queue, name, urn string, handle func(*bq.Message[order]) error) *service {
	b.Helper()
	s := &service{runs: map[int64][]int64{}, actions: map[bq.Action]int{}}
	d := orders(q)
	d.URN = urn
	route := bq.Handle(d, func(_ context.Context, m *bq.Message[order]) error {
		s.mu.Lock()
		s.runs[m.Data.ID] = append(s.runs[m.Data.ID], m.Attempts)
		s.mu.Unlock()
		return handle(m)
	})
	c, err := bq.NewConsumer(b.client, q, bq.Routes(route), bq.WithService(name), bq.WithLogger(quiet),
		bq.WithRetryBackoff(bq.NoBackoff), bq.WithObserver(bq.Observer{Settled: func(x bq.Settlement) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.actions[x.Action]++
			if x.Reason == bq.ForeignRetry {
				s.foreign++
			}
		}}))
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	b.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	return s
}

// reaches waits until a service has done exactly this.
func (b *bench) reaches(name string, s *service, want string) {
	b.Helper()
	for deadline := time.Now().Add(patience); s.did() != want; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.Fatalf("%s has done: %s\nwant: %s", name, s.did(), want)
		}
	}
}

// FS5: the Python SDK with a subscription of its own beside three services, which each fail in their own way. It sees
// every message once and none of their retries. They skip its retries, but not what it redrives, which nothing tells
// from a new message.
func TestPythonBesideServices(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	q := newQueue()
	letters := q.DeadLetterTopic // Python's
	q.DeadLetterTopic, q.URNs = "", []string{orderURN, shippedURN}
	for _, name := range []string{"billing", "shipping", "audit"} {
		s := bq.QueueService{Name: name, RetryTopic: q.Topic + "." + name + ".retry", URNs: []string{orderURN},
			DeadLetterTopic: q.Topic + "." + name + ".dlq"}
		if name == "shipping" {
			s.URNs = []string{shippedURN}
		}
		q.Services = append(q.Services, s)
	}
	if err := bq.Declare(b.Context(), b.client, []bq.Queue{q}); err != nil {
		b.Fatal(err)
	}
	for topic, name := range map[string]string{q.Topic: "python", letters: "babelqueue"} {
		c, err := b.client.Subscribe(pulsar.ConsumerOptions{Topic: topic, SubscriptionName: name, Type: pulsar.Shared})
		if err != nil {
			b.Fatal(err)
		}
		c.Close()
	}
	billing := b.serves(q, "billing", orderURN, func(m *bq.Message[order]) error {
		if m.Attempts == 0 {
			return errOutOfStock
		}
		return nil
	})
	shipping := b.serves(q, "shipping", shippedURN, func(*bq.Message[order]) error { panic("nothing is shipped") })
	audit := b.serves(q, "audit", orderURN, func(m *bq.Message[order]) error {
		if m.Data.ID%2 == 0 {
			return bq.Permanent(errors.New("even"))
		}
		return nil
	})
	// attempts returns what Python's handler saw, in order.
	attempts := func(done pythonWork) (all []string) {
		for _, h := range done.Handled {
			all = append(all, fmt.Sprint(h.Envelope.Attempts))
		}
		return all
	}
	const published = 10
	for id := range int64(published) {
		b.goPublishes(q, order{ID: id, Tags: []string{}})
	}
	// Python fails every order twice: the orders come first, then their retries.
	done := b.pythonWorks(q, work{deliveries: 3 * published, fail: 2 * published, subscription: "python"})
	want := slices.Concat(slices.Repeat([]string{"0"}, published), slices.Repeat([]string{"1"}, published),
		slices.Repeat([]string{"2"}, published))
	if got := attempts(done); !slices.Equal(got, want) {
		b.Errorf("Python saw the attempts %v, want %v", got, want)
	}
	b.reaches("billing", billing,
		"20 runs: 10 acknowledged, 10 retried, 0 dead-lettered, 20 skipped of which 20 retries")
	b.reaches("audit", audit, "10 runs: 5 acknowledged, 0 retried, 5 dead-lettered, 20 skipped of which 20 retries")
	b.reaches("shipping", shipping,
		"0 runs: 0 acknowledged, 0 retried, 0 dead-lettered, 30 skipped of which 20 retries")

	// One that fails for good is on Python's dead-letter topic. Its redrive has attempts 0: the others run it again.
	b.goPublishes(q, order{ID: 99, Tags: []string{}})
	b.pythonWorks(q, work{deliveries: 3, fail: 3, subscription: "python"})
	items := ask[struct{ Items []struct{ To string } }](b, b.python, "redrive",
		args{"prefix": prefix, "queue": q.Name + ".dlq", "messages": 1}).Items
	if len(items) != 1 || items[0].To != q.Name {
		b.Fatalf("Python has redriven %+v", items)
	}
	done = b.pythonWorks(q, work{deliveries: 1, subscription: "python"}) // the next message is its own redrive
	if got := attempts(done); !slices.Equal(got, []string{"0"}) {
		b.Errorf("Python saw the attempts %v of its redrive, want 0", got)
	}
	b.reaches("billing", billing,
		"24 runs: 12 acknowledged, 12 retried, 0 dead-lettered, 22 skipped of which 22 retries")
	b.reaches("audit", audit, "12 runs: 7 acknowledged, 0 retried, 5 dead-lettered, 22 skipped of which 22 retries")
	billing.mu.Lock()
	defer billing.mu.Unlock()
	for id, seen := range billing.runs {
		want := []int64{0, 1}
		if id == 99 {
			want = []int64{0, 1, 0, 1}
		}
		if !slices.Equal(seen, want) {
			b.Errorf("billing saw the attempts %v of %d, want %v", seen, id, want)
		}
	}
}
