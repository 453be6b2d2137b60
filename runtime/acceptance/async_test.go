package acceptance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// A tally counts calls of callbacks, by the number of the order.
type tally struct {
	mu      sync.Mutex
	calls   map[int64]int
	failed  map[int64]error
	order   []int64
	changed chan struct{}
}

func newTally() *tally {
	return &tally{calls: map[int64]int{}, failed: map[int64]error{}, changed: make(chan struct{}, 1)}
}

// of returns the callback of an order.
func (c *tally) of(id int64) func(bq.PublishResult, error) {
	return func(_ bq.PublishResult, err error) {
		c.mu.Lock()
		c.calls[id]++
		c.order = append(c.order, id)
		if err != nil {
			c.failed[id] = err
		}
		c.mu.Unlock()
		select {
		case c.changed <- struct{}{}:
		default:
		}
	}
}

func (c *tally) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.order)
}

// await waits for n calls.
func (c *tally) await(t *testing.T, n int) {
	t.Helper()
	for deadline := time.After(patience); c.count() < n; {
		select {
		case <-c.changed:
		case <-deadline:
			t.Fatalf("%d of %d callbacks were called", c.count(), n)
		}
	}
}

// check fails unless each of the orders up to n had one call, and returns how many failed.
func (c *tally) check(t *testing.T, n int) int {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range int64(n) {
		if c.calls[id] != 1 {
			t.Errorf("the callback of %d was called %d times", id, c.calls[id])
		}
	}
	return len(c.failed)
}

func (b *backend) producers(t *testing.T, opts ...bq.PublisherOption) *bq.Producers {
	t.Helper()
	producers := bq.NewProducers(b.client, append([]bq.PublisherOption{bq.WithLogger(quiet)}, opts...)...)
	t.Cleanup(func() { _ = producers.Close(context.Background()) })
	return producers
}

// ids returns the numbers of the orders on a topic, as a plain consumer receives them.
func (b *backend) ids(t *testing.T, consumer pulsar.Consumer, n int) []int64 {
	t.Helper()
	var all []int64
	for range n {
		var id int64
		if _, err := fmt.Sscanf(receive(t, consumer).Properties()["id"], "%d", &id); err != nil {
			t.Fatal(err)
		}
		all = append(all, id)
	}
	return all
}

func withID(id int64) bq.PublishOption {
	return bq.WithProperties(map[string]string{"id": fmt.Sprint(id)})
}

// L65: callbacks that panic, publish, flush, close, end their goroutine or block harm nobody.
func TestCallbacksThatMisbehave(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const n = 1000
		q, other := newQueue(), newQueue()
		logged := &syncWriter{}
		producers := bq.NewProducers(b.client, bq.WithLogger(slog.New(slog.NewTextHandler(logged, nil))))
		publisher, others := bq.NewPublisher(producers, orders(q)), bq.NewPublisher(producers, orders(other))
		served := make(chan int64, 10)
		s := b.serve(t, other, func(_ context.Context, m *bq.Message[order]) error { served <- m.Data.ID; return nil })
		calls := newTally()
		blocked, release := make(chan struct{}), make(chan struct{})
		closed := make(chan error, 1)
		ctx := context.Background()
		for id := range int64(n) {
			count := calls.of(id)
			publisher.PublishAsync(ctx, order{ID: id}, func(r bq.PublishResult, err error) {
				count(r, err)
				switch {
				case id == 101:
					if _, err := publisher.Publish(ctx, order{ID: n}); err != nil {
						t.Errorf("publish in a callback: %v", err)
					}
					done := make(chan struct{})
					publisher.PublishAsync(ctx, order{ID: n + 1}, func(bq.PublishResult, error) { close(done) })
				case id == 202:
					if err := producers.Flush(ctx); err != nil {
						t.Errorf("flush in a callback: %v", err)
					}
				case id == 303:
					close(blocked)
					<-release
				case id == 404:
					runtime.Goexit() // as t.Fatal does
				case id == n-1:
					closed <- producers.Close(ctx)
				case id%10 == 0:
					panic("a callback's panic")
				}
			})
		}
		await(t, blocked, "the callback that blocks")
		if _, err := others.Publish(ctx, order{ID: 7}); err != nil {
			t.Errorf("another topic, while a callback blocks: %v", err)
		}
		if got := await(t, served, "a message of another topic"); got != 7 {
			t.Errorf("got order %d", got)
		}
		if got := s.next(); got.Action != bq.Acknowledged || got.SettleErr != nil {
			t.Errorf("a consumer of the same client: %s, %v", got.Action, got.SettleErr)
		}
		close(release)
		if err := await(t, closed, "the Close in a callback"); err != nil {
			t.Errorf("close in a callback: %v", err)
		}
		calls.await(t, n)
		if failed := calls.check(t, n); failed > 0 {
			t.Errorf("%d messages failed: %v", failed, calls.failed)
		}
		last := make(chan error, 1)
		publisher.PublishAsync(ctx, order{}, func(_ bq.PublishResult, err error) { last <- err })
		if err := await(t, last, "a callback after Close"); !errors.Is(err, bq.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
		if !logged.contains("a callback's panic") || !logged.contains("async_test.go") {
			t.Error("the panic is not in the log with its stack")
		}
	})
}

// L66: Flush waits for what was published before, and for no longer than its context.
func TestFlush(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const n = 1000
		ctx := context.Background()
		producers := b.producers(t, bq.WithBatching(bq.Batching{Delay: time.Hour}))
		if err := producers.Flush(ctx); err != nil {
			t.Errorf("before anything is published: %v", err)
		}
		var publishers []*bq.Publisher[order]
		for range 3 {
			publishers = append(publishers, bq.NewPublisher(producers, orders(newQueue())))
		}
		calls := newTally()
		for id := range int64(n) {
			publishers[id%3].PublishAsync(ctx, order{ID: id}, calls.of(id))
		}
		if err := producers.Flush(ctx); err != nil { // the batches would wait for an hour
			t.Errorf("Flush: %v", err)
		}
		if got := calls.count(); got != n || calls.check(t, n) > 0 {
			t.Errorf("%d of %d callbacks were called before Flush returned", got, n)
		}

		stop := make(chan struct{})
		var all sync.WaitGroup
		var published atomic.Int64
		for range 8 {
			all.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						publishers[0].PublishAsync(ctx, order{}, func(bq.PublishResult, error) { published.Add(1) })
					}
				}
			})
		}
		short, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if err := producers.Flush(short); err != nil {
			t.Errorf("while others publish: %v", err)
		}
		close(stop)
		all.Wait()
		if err := producers.Close(ctx); err != nil {
			t.Error(err)
		}
		if err := producers.Flush(ctx); !errors.Is(err, bq.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	})
}

// L66: with a broker that does not answer, Flush returns with its context, and the results come later.
func TestFlushReturnsWithItsContext(t *testing.T) {
	broker := bqtest.NewBroker(t)
	b := &backend{client: broker.Client(), memory: broker}
	q := newQueue()
	hanging := broker.Fail(bqtest.OnSend(q.Topic).Hang())
	producers := b.producers(t)
	publisher := bq.NewPublisher(producers, orders(q))
	calls := newTally()
	for id := range int64(10) {
		publisher.PublishAsync(context.Background(), order{ID: id}, calls.of(id))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if err := producers.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Flush: %v", err)
	}
	if got := calls.count(); got > 0 {
		t.Errorf("%d callbacks were called", got)
	}
	hanging.Release()
	calls.await(t, 10)
	if failed := calls.check(t, 10); failed > 0 {
		t.Errorf("%d messages failed", failed)
	}
}

// L67: Close with messages on their way and publishers at work: each callback once, none after Close. Half of the
// messages are not answered, or the connection is lost.
func TestCloseWithAThousandOnTheirWay(t *testing.T) {
	for name, cut := range map[string]func(*bqtest.Broker){
		"no answer":     nil,
		"no connection": func(b *bqtest.Broker) { b.Down() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { // where Close has time for what can be done
				closeWithAThousandOnTheirWay(t, cut)
			})
		})
	}
}

func closeWithAThousandOnTheirWay(t *testing.T, cut func(*bqtest.Broker)) {
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	b := &backend{client: broker.Client(), memory: broker}
	const n = 1000
	q := newQueue()
	if cut == nil {
		broker.Fail(bqtest.OnSend(q.Topic).After(n / 2).Hang())
	}
	producers := bq.NewProducers(b.client, bq.WithLogger(quiet), bq.WithProducerOptions(
		func(o *pulsar.ProducerOptions) { o.MaxPendingMessages = 2 * n }))
	publisher := bq.NewPublisher(producers, orders(q))
	calls := newTally()
	ctx := context.Background()
	for id := range int64(n) {
		if id == n/2 && cut != nil {
			calls.await(t, n/2)
			cut(broker)
		}
		publisher.PublishAsync(ctx, order{ID: id}, calls.of(id))
	}
	var all sync.WaitGroup
	var closedErrors, otherErrors atomic.Int64
	for range 50 {
		all.Go(func() {
			if _, err := publisher.Publish(ctx, order{}); errors.Is(err, bq.ErrClosed) {
				closedErrors.Add(1)
			} else if err != nil {
				otherErrors.Add(1)
			}
		})
	}
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	began := time.Now()
	err := producers.Close(short)
	called, took := calls.count(), time.Since(began)
	if err == nil || !strings.Contains(err.Error(), "not confirmed") {
		t.Errorf("Close does not say that messages were not answered: %v", err)
	}
	if took > 20*time.Second { // the context ends after 1 s, and Close's own bound is 25 s
		t.Errorf("Close took %s", took)
	}
	failed := calls.check(t, n)
	if called != n {
		t.Errorf("%d of %d callbacks were called before Close returned", called, n)
	}
	if failed == 0 || failed > n/2 {
		t.Errorf("%d messages failed, want those that were not answered, at most %d", failed, n/2)
	}
	all.Wait()
	if got := len(broker.Messages(q.Topic)); got < n-failed {
		t.Errorf("%d messages are on the topic, %d were confirmed", got, n-failed)
	}
	if _, err := publisher.Publish(ctx, order{}); !errors.Is(err, bq.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if got := calls.count(); got != called {
		t.Errorf("%d callbacks were called after Close had returned", got-called)
	}
	t.Logf("%d of 50 concurrent publishes found the publishers closed, %d had no confirmation", closedErrors.Load(),
		otherErrors.Load())
}

// L68: a full queue is an error at once, or room that is waited for.
func TestTheSendQueueIsFull(t *testing.T) {
	t.Run("not blocking", func(t *testing.T) {
		broker := bqtest.NewBroker(t, bqtest.WithRetention())
		b := &backend{client: broker.Client(), memory: broker}
		q := newQueue()
		hanging := broker.Fail(bqtest.OnSend(q.Topic).Hang())
		publisher := bq.NewPublisher(b.producers(t, bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
			o.MaxPendingMessages, o.DisableBlockIfQueueFull = 10, true
		})), orders(q))
		calls := newTally()
		for id := range int64(20) {
			publisher.PublishAsync(context.Background(), order{ID: id}, calls.of(id), withID(id))
		}
		calls.await(t, 10)
		for id, err := range calls.failed {
			if id < 10 || !errors.Is(err, pulsar.ErrSendQueueIsFull) {
				t.Errorf("message %d: %v", id, err)
			}
		}
		hanging.Release()
		calls.await(t, 20)
		if failed := calls.check(t, 20); failed != 10 {
			t.Errorf("%d messages failed, want 10", failed)
		}
		for i, m := range broker.Messages(q.Topic) {
			if m.Properties["id"] != fmt.Sprint(i) {
				t.Errorf("message %d on the topic is %s", i, m.Properties["id"])
			}
		}
	})
	t.Run("blocking", func(t *testing.T) {
		broker := bqtest.NewBroker(t, bqtest.WithRetention())
		b := &backend{client: broker.Client(), memory: broker}
		q := newQueue()
		hanging := broker.Fail(bqtest.OnSend(q.Topic).Hang())
		publisher := bq.NewPublisher(b.producers(t, bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
			o.MaxPendingMessages = 10
		})), orders(q))
		calls := newTally()
		for id := range int64(10) {
			publisher.PublishAsync(context.Background(), order{ID: id}, calls.of(id))
		}
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		if _, err := publisher.Publish(ctx, order{ID: 10}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the eleventh: %v", err)
		}
		hanging.Release()
		calls.await(t, 10)
		again := broker.Fail(bqtest.OnSend(q.Topic).Hang())
		more := newTally()
		patient, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		for id := range int64(10) { // which would wait if the place of the eleventh were lost
			publisher.PublishAsync(patient, order{ID: id}, more.of(id))
		}
		again.Release()
		more.await(t, 10)
		if failed := more.check(t, 10); failed > 0 {
			t.Errorf("%d messages failed: %v", failed, more.failed)
		}
		if got := broker.SendCount(q.Topic); got != 20 {
			t.Errorf("%d messages are on the topic, want 20", got)
		}
	})
}

// L68: a retry that meets a full queue is published later, and its original is not acknowledged before.
func TestARetryWaitsForAFullQueue(t *testing.T) {
	broker := bqtest.NewBroker(t)
	b := &backend{client: broker.Client(), memory: broker}
	q := newQueue()
	const n = 5
	isRetry := func(c bqtest.Call) bool { return c.Message.Properties["bq-attempts"] != "0" }
	full := broker.Fail(bqtest.OnSend(q.Topic).When(isRetry).Times(n).Err(pulsar.ErrSendQueueIsFull))
	hanging := broker.Fail(bqtest.OnSend(q.Topic).When(isRetry).Hang())
	var runs atomic.Int64
	s := b.serve(t, q, func(context.Context, *bq.Message[order]) error {
		if runs.Add(1) <= n {
			return errors.New("no stock")
		}
		return nil
	}, bq.WithConcurrency(n), bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
		o.MaxPendingMessages, o.DisableBlockIfQueueFull = 1, true
	}))
	for id := range int64(n) {
		b.publish(t, q, order{ID: id})
	}
	for deadline := time.Now().Add(patience); hanging.Held() == 0; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatal("no retry is on its way")
		}
	}
	if got := broker.Acked(q.Topic, "babelqueue"); got > 0 {
		t.Errorf("%d messages are acknowledged, their retries are not confirmed", got)
	}
	hanging.Release()
	counts := map[bq.Action]int{}
	for counts[bq.Acknowledged] < n || counts[bq.Retried] < n { // a retry may be settled before its original
		x := s.next()
		counts[x.Action]++
		if x.SettleErr != nil {
			t.Errorf("%s: %v", x.Action, x.SettleErr)
		}
	}
	if len(counts) != 2 || full.Hits() == 0 {
		t.Errorf("got %v, and %d sends met a full queue", counts, full.Hits())
	}
}

// L68: the client's memory limit is room to wait for, too.
func TestTheMemoryLimitIsWaitedFor(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		if b.memory != nil {
			t.Skip("bqtest has no memory limit")
		}
		client, err := pulsar.NewClient(pulsar.ClientOptions{
			URL: os.Getenv("BQ_PULSAR_URL"), Logger: log.NewLoggerWithSlog(quiet), MemoryLimitBytes: 1 << 20,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		limited := &backend{client: client}
		q := newQueue()
		consumer := b.subscribe(t, q.Topic, "peek")
		publisher := bq.NewPublisher(limited.producers(t), orders(q))
		calls := newTally()
		note := strings.Repeat("n", 300<<10)
		for id := range int64(30) {
			publisher.PublishAsync(context.Background(), order{ID: id, Note: note}, calls.of(id), withID(id))
		}
		calls.await(t, 30)
		if failed := calls.check(t, 30); failed > 0 {
			t.Errorf("%d messages failed: %v", failed, calls.failed)
		}
		for i, id := range b.ids(t, consumer, 30) {
			if id != int64(i) {
				t.Fatalf("message %d on the topic is %d", i, id)
			}
		}
	})
}

// L71: in batches each key keeps its order, and a Publish does not wait for the batch's delay.
func TestBatchesKeepTheOrderOfAKey(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const n, keys = 1000, 10
		q := newQueue()
		var mu sync.Mutex
		last, owner := map[string]int64{}, map[string]int{}
		got := make(chan int64, 2*n)
		for service := range 2 {
			b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
				mu.Lock()
				defer mu.Unlock()
				if m.Data.ID <= last[m.Key] {
					t.Errorf("key %s: %d came after %d", m.Key, m.Data.ID, last[m.Key])
				}
				if other, ok := owner[m.Key]; ok && other != service {
					t.Errorf("key %s went to two consumers", m.Key)
				}
				last[m.Key], owner[m.Key] = m.Data.ID, service
				got <- m.Data.ID
				return nil
			}, bq.WithSubscriptionType(pulsar.KeyShared), bq.WithConcurrency(8))
		}
		producers := b.producers(t, bq.WithBatching(bq.Batching{Delay: time.Hour}))
		publisher := bq.NewPublisher(producers, orders(q))
		calls := newTally()
		ctx := context.Background()
		for id := range int64(n) {
			opts := []bq.PublishOption{bq.WithKey(fmt.Sprint("k", id%keys))}
			publisher.PublishAsync(ctx, order{ID: id + 1}, calls.of(id), opts...)
		}
		for i := range int64(10) {
			publisher.PublishAsync(ctx, order{ID: n + 10 + i}, func(bq.PublishResult, error) {},
				bq.WithKey(fmt.Sprint("delayed", i)), bq.WithDelay(10*time.Millisecond))
		}
		if _, err := publisher.Publish(ctx, order{ID: n + 1}, bq.WithKey("k0")); err != nil { // not after an hour
			t.Errorf("Publish among batches: %v", err)
		}
		if err := producers.Flush(ctx); err != nil {
			t.Error(err)
		}
		if failed := calls.check(t, n); failed > 0 {
			t.Errorf("%d messages failed", failed)
		}
		for range n + 11 {
			await(t, got, "a message")
		}
	})
}

// F11: concurrent calls of Publish share batches.
func TestConcurrentPublishesShareBatches(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	b := &backend{client: broker.Client(), memory: broker}
	q := newQueue()
	slow := broker.Fail(bqtest.OnSend(q.Topic).Delay(20 * time.Millisecond))
	publisher := bq.NewPublisher(b.producers(t, bq.WithBatching(bq.Batching{Delay: time.Hour})), orders(q))
	var all sync.WaitGroup
	for id := range int64(200) {
		all.Go(func() {
			if _, err := publisher.Publish(context.Background(), order{ID: id}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := slow.Hits(); got > 100 {
		t.Errorf("200 concurrent publishes were %d entries", got)
	}
}

// L71: if a batch fails, each of its callbacks gets the error once.
func TestABatchThatFails(t *testing.T) {
	broker := bqtest.NewBroker(t)
	b := &backend{client: broker.Client(), memory: broker}
	q := newQueue()
	broker.Fail(bqtest.OnSend(q.Topic).Times(1).Err(pulsar.ErrTopicTerminated))
	producers := b.producers(t, bq.WithBatching(bq.Batching{Delay: time.Hour}))
	publisher := bq.NewPublisher(producers, orders(q))
	calls := newTally()
	for id := range int64(50) {
		publisher.PublishAsync(context.Background(), order{ID: id}, calls.of(id))
	}
	if err := producers.Flush(context.Background()); err != nil {
		t.Error(err)
	}
	if failed := calls.check(t, 50); failed != 50 {
		t.Errorf("%d of 50 messages failed", failed)
	}
	if _, err := publisher.Publish(context.Background(), order{}); err != nil {
		t.Errorf("the next message: %v", err)
	}
}

// PublishAll says which messages failed, and sends the others.
func TestPublishAllSaysWhatFailed(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		consumer := b.subscribe(t, q.Topic, "peek")
		publisher := bq.NewPublisher(b.producers(t, bq.WithBatching(bq.Batching{Delay: time.Hour})), orders(q))
		results, err := publisher.PublishAll(context.Background(), []order{{ID: 1}, {ID: 2, Note: "\xff"}, {ID: 3}})
		var all *bq.PublishAllError
		if !errors.As(err, &all) || len(all.Failures) != 1 || all.Failures[0].Index != 1 || all.Total != 3 {
			t.Fatalf("got %v", err)
		}
		if !errors.As(err, new(*bq.PayloadError)) {
			t.Errorf("the reason is lost: %v", err)
		}
		for _, i := range []int{0, 2} {
			if results[i].MessageID == nil || receive(t, consumer).Properties()["bq-message-id"] != results[i].ID {
				t.Errorf("message %d: %+v", i, results[i])
			}
		}
		if results, err := publisher.PublishAll(context.Background(), nil); err != nil || len(results) != 0 {
			t.Errorf("no messages: %v, %v", results, err)
		}
	})
}

// A syncWriter keeps what a log writes.
type syncWriter struct {
	mu   sync.Mutex
	text []byte
}

func (w *syncWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, p...)
	return len(p), nil
}

func (w *syncWriter) contains(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return bytes.Contains(w.text, []byte(text))
}
