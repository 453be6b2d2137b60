package acceptance

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// stream returns a stream of q's orders, and its settlements.
func (b *backend) stream(
	t *testing.T, q bq.Queue, opts ...bq.ConsumerOption,
) (*bq.Stream[ordersPayload], chan bq.Settlement) {
	t.Helper()
	settled := make(chan bq.Settlement, 1000)
	opts = append([]bq.ConsumerOption{
		bq.WithLogger(quiet), bq.WithRetryBackoff(bq.NoBackoff),
		bq.WithObserver(bq.Observer{Settled: func(x bq.Settlement) { settled <- x }}),
	}, opts...)
	s, err := bq.NewStream(b.client, q, decodeOrders(q), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s, settled
}

func idOf(m *bq.Message[ordersPayload]) int64 { return m.Data.(*order).ID }

func TestLeavingTheLoopOfAStream(t *testing.T) { // L41
	b, q := memory(t), newQueue()
	b.prepare(t, q, 50)
	limit := bq.WithMaxUnsettled(bq.Limit{Messages: 10})
	s, settled := b.stream(t, q, limit)
	began := time.Now()
	for m, err := range s.Messages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if idOf(m) == 4 {
			break
		}
		if err := m.Ack(); err != nil {
			t.Error(err)
		}
	}
	if took := time.Since(began); took > 15*time.Second { // the grace period is 20 s
		t.Errorf("leaving the loop took %s", took)
	}
	if acked := b.memory.Acked(q.Topic, "babelqueue"); acked != 3 {
		t.Errorf("%d are acknowledged, want 3", acked)
	}
	for len(settled) > 0 {
		if x := <-settled; x.Action != bq.Acknowledged && x.Action != bq.Released {
			t.Errorf("%+v", x)
		}
	}
	for m, err := range s.Messages(t.Context()) { // L44
		if m != nil || err == nil {
			t.Errorf("a second loop yields %v, %v", m, err)
		}
	}

	again, _ := b.stream(t, q, limit)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := int64(3)
	for m, err := range again.Messages(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; idOf(m) != n || m.Attempts != 0 {
			t.Errorf("order %d comes with attempts %d, want order %d with none", idOf(m), m.Attempts, n)
		}
		if err := m.Ack(); err != nil {
			t.Error(err)
		}
		if n == 50 {
			cancel() // while it waits for the next message
		}
	}
	if n != 50 {
		t.Errorf("the last one is %d, want 50", n)
	}
	if acked := b.memory.Acked(q.Topic, "babelqueue"); acked != 50 {
		t.Errorf("%d are acknowledged, want 50", acked)
	}
}

func TestResultsOfAStreamInAnyOrder(t *testing.T) { // L42
	b, q := memory(t), newQueue()
	b.prepare(t, q, 20, bq.WithKey("one key"))
	s, settled := b.stream(t, q, bq.WithMaxAttempts(1))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var five []*bq.Message[ordersPayload]
	n := int64(0)
	for m, err := range s.Messages(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; idOf(m) != n {
			t.Errorf("order %d comes at place %d", idOf(m), n)
		}
		if five = append(five, m); len(five) < 5 {
			continue
		}
		for _, m := range slices.Backward(five) {
			switch err := m.Ack(); {
			case err != nil:
				t.Error(err)
			case m.Ack() != nil:
				t.Error("the same result twice is refused")
			case !errors.Is(m.Fail(errors.New("oops")), bq.ErrSettled):
				t.Error("another result is not refused")
			}
		}
		five = five[:0]
		if n == 20 {
			cancel()
		}
	}
	seen := map[string]bool{}
	for range 20 {
		x := await(t, settled, "a settlement")
		if x.Action != bq.Acknowledged || seen[x.Delivery.MessageID.String()] {
			t.Errorf("%+v", x)
		}
		seen[x.Delivery.MessageID.String()] = true
	}
	if len(settled) > 0 {
		t.Errorf("there are more than 20 settlements")
	}
}

func TestTheLoopOfAStreamPanics(t *testing.T) { // L43
	b, q := memory(t), newQueue()
	b.prepare(t, q, 20)
	s, settled := b.stream(t, q, bq.WithMaxAttempts(2))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic does not come out")
			}
		}()
		for m, err := range s.Messages(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			switch id := idOf(m); {
			case id < 4:
				err = m.Ack()
			case id == 4:
				err = m.Fail(errors.New("oops"))
			default:
				panic("oops")
			}
			if err != nil {
				t.Error(err)
			}
		}
	}()
	actions := map[bq.Action]int{}
	for len(settled) > 0 {
		actions[(<-settled).Action]++
	}
	if actions[bq.Acknowledged] != 3 || actions[bq.Retried] != 1 || actions[bq.DeadLettered] != 0 {
		t.Errorf("%v, want 3 acknowledged and 1 retried", actions)
	}
	if n := b.backlogNow(q); n != 17 { // 5 to 20, and the retry
		t.Errorf("%d are left, want 17", n)
	}
}

func (b *backend) backlogNow(q bq.Queue) int { return b.memory.Backlog(q.Topic, "babelqueue") }

func TestAStreamFromTwoSides(t *testing.T) { // L44
	b, q := memory(t), newQueue()
	b.prepare(t, q, 20)
	s, _ := b.stream(t, q)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var mu sync.Mutex
	seen, refused := map[int64]int{}, 0
	var loops sync.WaitGroup
	for range 2 {
		loops.Go(func() {
			for m, err := range s.Messages(ctx) {
				mu.Lock()
				if err != nil {
					refused++
				} else {
					if seen[idOf(m)]++; len(seen) == 20 {
						cancel()
					}
					_ = m.Ack()
				}
				mu.Unlock()
			}
		})
	}
	loops.Wait()
	if len(seen) != 20 || refused != 1 {
		t.Errorf("%d messages, %d loops are refused, want 20 and 1", len(seen), refused)
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("order %d was handed out %d times", id, n)
		}
	}
}

func TestTheTimeOfAStreamsMessageStartsWhenItIsHandedOut(t *testing.T) {
	b, q := memory(t), newQueue()
	b.prepare(t, q, 3)
	s, settled := b.stream(t, q, bq.WithHandlerTimeout(150*time.Millisecond), bq.WithMaxAttempts(1))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for m, err := range s.Messages(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if idOf(m) == 1 {
			pause(t, 400*time.Millisecond) // too late for this one, and the next waits meanwhile
			if err := m.Ack(); !errors.Is(err, bq.ErrSettled) {
				t.Errorf("after the timeout: %v", err)
			}
			continue
		}
		if err := m.Ack(); err != nil {
			t.Errorf("order %d: %v", idOf(m), err)
		}
		if idOf(m) == 3 {
			cancel()
		}
	}
	actions := map[bq.Action]int{}
	for range 3 {
		actions[await(t, settled, "a settlement").Action]++
	}
	if actions[bq.Acknowledged] != 2 || actions[bq.DeadLettered] != 1 {
		t.Errorf("%v, want 2 acknowledged and 1 dead-lettered", actions)
	}
}

func TestWhatAStreamCannotDecodeIsSettled(t *testing.T) {
	b, q := memory(t), newQueue()
	b.prepare(t, q, 1)
	b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte("poison")})
	b.publish(t, q, order{ID: 2})
	s, settled := b.stream(t, q)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for m, err := range s.Messages(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Ack(); err != nil {
			t.Error(err)
		}
		if idOf(m) == 2 {
			cancel()
		}
	}
	actions := map[bq.Action]int{}
	for range 3 {
		actions[await(t, settled, "a settlement").Action]++
	}
	if actions[bq.Acknowledged] != 2 || actions[bq.DeadLettered] != 1 {
		t.Errorf("%v, want 2 acknowledged and 1 dead-lettered", actions)
	}
}
