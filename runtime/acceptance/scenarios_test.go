package acceptance

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestMalformedMessagesNeverReachTheHandler(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		handle, calls := failing(0)
		s := b.serve(t, q, handle)
		// The empty body is left out: outside a batch the client itself may lose it.
		bodies := map[string][]byte{
			"no letters":   []byte("\t"),
			"blank":        []byte(" \r\n"),
			"null":         []byte("null"),
			"truncated":    []byte(foreign[:len(foreign)/2]),
			"two":          []byte(foreign + foreign),
			"no URN":       []byte(strings.Replace(foreign, `"job"`, `"Job"`, 1)),
			"deep":         []byte(strings.Repeat(`{"a":`, 500_000) + "1" + strings.Repeat("}", 500_000)),
			"not UTF-8":    []byte("{\"job\":\"urn:x\xff\"}"),
			"zero bytes":   make([]byte, 100),
			"wrong number": []byte(strings.Replace(foreign, `"attempts":0`, `"attempts":01`, 1)),
		}
		for name, body := range bodies {
			b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: body, Properties: foreignProperties(nil)})
			if got := s.next(); got.Action != bq.DeadLettered || got.Reason != "poison" {
				t.Errorf("S22: %s: got %s (%s), %v", name, got.Action, got.Reason, got.SettleErr)
			}
		}
		b.publish(t, q, order{ID: 1})
		if got := s.next(); got.Action != bq.Acknowledged || calls.Load() != 1 {
			t.Errorf("S22: the message after them: got %s, %d handler calls", got.Action, calls.Load())
		}
		letters := b.subscribe(t, q.DeadLetterTopic, "babelqueue")
		for range bodies {
			if got := string(receive(t, letters).Payload()); !strings.HasSuffix(got, `"lang":"go"}}`) ||
				!strings.Contains(got, `"dead_letter":{"reason":"poison"`) {
				t.Errorf("S22: got the record %.200s", got)
			}
		}
	})
}

func TestBatchSiblingsOfAFailingMessageAreLeftAlone(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		forExclusiveAndShared(t, func(t *testing.T, subscription pulsar.SubscriptionType) {
			q := newQueue()
			b.backlog(t, q, subscription) // makes the subscription, which keeps what is published before the service runs
			producers := bq.NewProducers(b.client, bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
				o.DisableBatching, o.BatchingMaxMessages, o.BatchingMaxPublishDelay = false, 3, time.Minute
			}))
			defer producers.Close(context.Background())
			publisher := bq.NewPublisher(producers, orders(q))
			var publishing sync.WaitGroup
			for id := range 3 {
				publishing.Go(func() {
					if _, err := publisher.Publish(context.Background(), order{ID: int64(id)}); err != nil {
						t.Error(err)
					}
				})
			}
			publishing.Wait()
			s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
				if m.Data.ID == 1 {
					return errors.New("no stock")
				}
				return nil
			}, bq.WithSubscriptionType(subscription))
			actions := map[bq.Action]int{}
			for range 5 {
				x := s.next()
				actions[x.Action]++
				if x.Action == bq.Acknowledged && x.Delivery.Attempt() != 1 {
					t.Errorf("S18: a sibling is at delivery %d", x.Delivery.Attempt())
				}
			}
			if actions[bq.Acknowledged] != 2 || actions[bq.Retried] != 2 || actions[bq.DeadLettered] != 1 {
				t.Errorf("S18: got %v", actions)
			}
			if err := s.stop(); err != nil {
				t.Error(err)
			}
			if n := b.backlog(t, q, subscription); n != 0 {
				t.Errorf("S18: %d messages come again", n)
			}
		})
	})
}

func TestEachAttemptHasAContextOfItsOwn(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		contexts := make(chan context.Context, 2)
		s := b.serve(t, q, func(ctx context.Context, m *bq.Message[order]) error {
			if ctx.Err() != nil {
				t.Errorf("S30: attempt %d starts with a context that has ended", m.Attempt())
			}
			contexts <- ctx
			if m.Attempt() == 1 {
				return bq.RetryAfter(0, context.DeadlineExceeded)
			}
			return nil
		})
		sent := b.publish(t, q, order{ID: 1}, bq.WithTraceID("trace-7"))
		all := s.until()
		if len(all) != 2 || all[0].Action != bq.Retried || all[1].Delivery.Attempt() != 2 {
			t.Errorf("S47: RetryAfter(0): got %+v", all)
		}
		first, second := await(t, contexts, "the first"), await(t, contexts, "the second")
		if first == second || bq.TraceID(first) != "trace-7" || bq.TraceID(second) != sent.TraceID {
			t.Errorf("S30: the attempts' traces are %q and %q", bq.TraceID(first), bq.TraceID(second))
		}
		if first.Err() == nil {
			t.Error("S30: the first attempt's context lives on")
		}
	})
}

func TestSettlingOneMessageDoesNotHoldUpOthers(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		if m.Data.ID == 0 {
			return bq.Permanent(errors.New("no stock"))
		}
		return nil
	}, bq.WithConcurrency(2))
	fault := b.memory.Fail(bqtest.OnSend(q.DeadLetterTopic).Hang())
	for id := range 20 {
		b.publish(t, q, order{ID: int64(id)})
	}
	for range 19 {
		if got := s.next(); got.Action != bq.Acknowledged {
			t.Errorf("S34: got %s", got.Action)
		}
	}
	fault.Release()
	if got := s.next(); got.Action != bq.DeadLettered {
		t.Errorf("S34: got %s, %v", got.Action, got.SettleErr)
	}
}

func TestResultThatComesAfterRunReturnedIsNotSettled(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	started, finish, finished := make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
	s := b.serve(t, q, func(context.Context, *bq.Message[order]) error {
		defer close(finished)
		started <- struct{}{}
		<-finish
		return errors.New("too late")
	}, bq.WithGracePeriod(0))
	b.publish(t, q, order{ID: 1})
	await(t, started, "the handler to start")
	if err := s.stop(); err == nil {
		t.Error("S33: a stuck handler is not reported")
	}
	again := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return nil })
	if got := again.next(); got.Action != bq.Acknowledged {
		t.Errorf("S33: got %s", got.Action)
	}
	close(finish)
	await(t, finished, "the handler to return")
	if err := again.stop(); err != nil {
		t.Error(err)
	}
	if got := s.next(); got.Action != bq.Released {
		t.Errorf("S33: got %s", got.Action)
	}
	if len(s.settled) != 0 || b.memory.SendCount(q.Topic) != 1 || b.memory.SendCount(q.DeadLetterTopic) != 0 {
		t.Errorf("S33: a late result was settled: %d messages sent", b.memory.SendCount(q.Topic))
	}
}

func TestReplicasOfOneConfigurationDoNotGetInEachOthersWay(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		handle, _ := failing(always)
		settled := make(chan bq.Settlement, 100)
		for range 3 {
			b.serve(t, q, handle, bq.WithMaxAttempts(2),
				bq.WithObserver(bq.Observer{Settled: func(s bq.Settlement) { settled <- s }}))
		}
		for id := range 10 {
			b.publish(t, q, order{ID: int64(id)})
		}
		for dead := 0; dead < 10; {
			switch x := await(t, settled, "a settlement"); x.Action {
			case bq.DeadLettered:
				dead++
			case bq.Retried:
			default:
				t.Errorf("S39: got %s, %v", x.Action, x.SettleErr)
			}
		}
	})
}

// A Pulsar dead-letter policy on a caller's own consumer moves messages without the runtime noticing, and its copies
// have no dead_letter. When the runtime's limit is lower, it applies first.
func TestOwnDeadLetterPolicyBesideTheRuntimes(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		if b.memory != nil {
			t.Skip("bqtest has no dead-letter policy of Pulsar's own")
		}
		q := newQueue()
		native := q.Topic + "-native"
		own, err := b.client.Subscribe(pulsar.ConsumerOptions{
			Topic: q.Topic, SubscriptionName: "own", Type: pulsar.Shared,
			SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
			DLQ:                         &pulsar.DLQPolicy{MaxDeliveries: 10, DeadLetterTopic: native},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer own.Close()
		settled := make(chan bq.Settlement, 10)
		handle, calls := failing(always)
		c, err := bq.NewConsumer(b.client, q, bq.Routes(bq.Handle(orders(q), handle)), bq.WithLogger(quiet),
			bq.WithPulsarConsumer(own),
			bq.WithMaxAttempts(2), bq.WithObserver(bq.Observer{Settled: func(s bq.Settlement) { settled <- s }}))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- c.Run(ctx) }()
		b.publish(t, q, order{ID: 1})
		for _, want := range []bq.Action{bq.Retried, bq.DeadLettered} {
			if got := await(t, settled, "a settlement"); got.Action != want {
				t.Errorf("S42: got %s, want %s", got.Action, want)
			}
		}
		cancel()
		if err := await(t, done, "Run to return"); err != nil {
			t.Error(err)
		}
		if calls.Load() != 2 || !strings.Contains(string(b.deadLetter(t, q).Payload()), `"dead_letter":{"reason":"failed"`) {
			t.Errorf("S42: %d calls", calls.Load())
		}
	})
}

func TestKeySharedKeepsAKeyInOrder(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const keys, each = 4, 10
		q := newQueue()
		var mu sync.Mutex
		seen := map[string][]int64{}
		handled := make(chan struct{}, keys*each)
		for range 2 {
			b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
				mu.Lock()
				defer mu.Unlock()
				seen[m.Key] = append(seen[m.Key], m.Data.ID)
				handled <- struct{}{}
				return nil
			}, bq.WithSubscriptionType(pulsar.KeyShared))
		}
		producers := bq.NewProducers(b.client)
		defer producers.Close(context.Background())
		publisher := bq.NewPublisher(producers, orders(q))
		for id := range each {
			for key := range keys {
				if _, err := publisher.Publish(context.Background(), order{ID: int64(id)},
					bq.WithKey(fmt.Sprint("c-", key))); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range keys * each {
			await(t, handled, "all messages")
		}
		mu.Lock()
		defer mu.Unlock()
		for key, ids := range seen {
			for i, id := range ids {
				if id != int64(i) {
					t.Errorf("key %s came in the order %v", key, ids)
					break
				}
			}
		}
	})
}

// A dead letter is larger than the message it records. It is sent in chunks when it exceeds the broker's limit.
func TestDeadLetterOfAMessageAtTheSizeLimit(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		if b.memory != nil {
			t.Skip("bqtest has no chunks")
		}
		q := newQueue()
		handle, _ := failing(always)
		s := b.serve(t, q, handle, bq.WithMaxAttempts(2))
		const limit, metadata = 5 << 20, 450
		pad := strings.Repeat("x", limit-metadata-len(foreign))
		body := strings.Replace(foreign, `"html":"<&>"`, `"html":"`+pad+`"`, 1)
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(body), Properties: foreignProperties(nil)})
		for _, want := range []bq.Action{bq.Retried, bq.DeadLettered} {
			if got := s.next(); got.Action != want {
				t.Fatalf("S9: got %s, %v, want %s", got.Action, got.SettleErr, want)
			}
		}
		want := strings.TrimSuffix(strings.Replace(body, `"attempts":0`, `"attempts":2`, 1), "}") +
			`,"dead_letter":{"reason":"failed",`
		if got := string(b.deadLetter(t, q).Payload()); !strings.HasPrefix(got, want) {
			t.Errorf("S9: got %d bytes: %.300s", len(got), got)
		}
	})
}
