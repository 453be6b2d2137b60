package acceptance

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// A desk keeps the messages that a manual handler has got and not settled.
type desk struct {
	mu    sync.Mutex
	held  []*bq.Message[order]
	calls int
	got   chan *bq.Message[order]
}

func newDesk() *desk { return &desk{got: make(chan *bq.Message[order], 10_000)} }

func (d *desk) handle(_ context.Context, m *bq.Message[order]) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	d.held = append(d.held, m)
	d.got <- m
	return nil
}

// memory returns an in-memory backend.
func memory(t *testing.T) *backend {
	broker := bqtest.NewBroker(t)
	return &backend{client: broker.Client(), memory: broker}
}

func TestForgottenMessagesAreBoundedAndVisible(t *testing.T) { // L30
	b, q := memory(t), newQueue()
	b.keep(t, q.Topic)
	b.backlog(t, q, pulsar.Shared)
	const n, limit = 100, 10
	for id := range int64(n) {
		b.publish(t, q, order{ID: id + 1})
	}
	odd := make(chan *bq.Message[order], n)
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		if m.Data.ID%2 == 0 {
			return m.Ack()
		}
		odd <- m
		return nil
	}, bq.WithAckMode(bq.AckManual), bq.WithConcurrency(4), bq.WithMaxUnsettled(bq.Limit{Messages: limit}))
	var held []*bq.Message[order]
	for len(held) < limit {
		held = append(held, await(t, odd, "a message that is not acknowledged"))
	}
	eventually(t, "the limit to hold reception back", func() bool {
		st := s.consumer.Status()
		return st.HeldBack == "limit" && st.Unacknowledged == limit && st.Unsettled == limit && st.Handling == 0
	})
	slices.SortFunc(held, func(a, b *bq.Message[order]) int { return cmp.Compare(a.Data.ID, b.Data.ID) })
	if st := s.consumer.Status(); st.Oldest != held[0].MessageID || st.Since.IsZero() || st.Received.IsZero() {
		t.Errorf("the status is %+v, want the oldest to be %v", st, held[0].MessageID)
	}
	for done := 0; done < n/2; done++ { // oldest first; each lets more in
		if done == len(held) {
			held = append(held, await(t, odd, "one more message"))
		}
		if err := held[done].Ack(); err != nil {
			t.Errorf("Ack: %v", err)
		}
	}
	for range n {
		if x := s.next(); x.Action != bq.Acknowledged || x.Delivery.Attempts != 0 {
			t.Errorf("%+v", x)
		}
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}

func TestForgottenMessagesComeBackAfterTheTimeout(t *testing.T) { // L30
	b, q := memory(t), newQueue()
	s := b.serve(t, q, newDesk().handle, bq.WithAckMode(bq.AckManual), bq.WithMaxAttempts(2),
		bq.WithRetryBackoff(bq.NoBackoff), bq.WithHandlerTimeout(30*time.Millisecond))
	b.publish(t, q, order{ID: 1})
	b.publish(t, q, order{ID: 2})
	var actions []bq.Action
	for range 4 {
		x := s.next()
		actions = append(actions, x.Action)
		if !errors.Is(x.Err, bq.ErrTimeout) {
			t.Errorf("%+v", x)
		}
	}
	slices.Sort(actions)
	if want := []bq.Action{bq.DeadLettered, bq.DeadLettered, bq.Retried, bq.Retried}; !slices.Equal(actions, want) {
		t.Errorf("%v, want %v", actions, want)
	}
}

func TestTheFirstWordOnAMessageCounts(t *testing.T) { // L31
	b, q := memory(t), newQueue()
	d := newDesk()
	s := b.serve(t, q, d.handle, bq.WithAckMode(bq.AckManual), bq.WithConcurrency(8), bq.WithMaxAttempts(1))
	var m []*bq.Message[order]
	for id := range int64(8) {
		b.publish(t, q, order{ID: id + 1})
	}
	for range 8 {
		m = append(m, await(t, d.got, "a message"))
	}
	slices.SortFunc(m, func(a, b *bq.Message[order]) int { return int(a.Data.ID - b.Data.ID) })
	want := func(what string, err, want error) {
		t.Helper()
		if !errors.Is(err, want) || (want == nil) != (err == nil) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
	}
	oops := errors.New("oops")
	done := make(chan error)
	go func() { done <- m[7].Ack() }() // from elsewhere, the last one first
	want("from another goroutine", await(t, done, "Ack"), nil)
	want("acknowledge", m[0].Ack(), nil)
	want("acknowledge twice", m[0].Ack(), nil)
	want("fail what is acknowledged", m[0].Fail(oops), bq.ErrSettled)
	want("fail", m[1].Fail(oops), nil)
	want("fail twice", m[1].Fail(oops), nil)
	want("acknowledge what has failed", m[1].Ack(), bq.ErrSettled)
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			if i%2 == 0 {
				_ = m[2].Ack()
			} else {
				_ = m[2].Fail(oops)
			}
		})
	}
	all.Wait()
	b.memory.Unload(q.Topic) // everything that is not settled is delivered again
	eventually(t, "the copies", func() bool { return s.consumer.Status().Copies >= 4 })
	want("a message that was delivered again", m[3].Ack(), nil)
	want("fail with nil", m[4].Fail(nil), nil)
	want("extend what is settled", m[4].Extend(time.Minute), bq.ErrSettled)
	settled := map[int64]bq.Settlement{}
	for range 6 {
		x := s.next()
		i := slices.IndexFunc(m, func(m *bq.Message[order]) bool { return m.MessageID == x.Delivery.MessageID })
		settled[int64(i)] = x
	}
	for i, action := range map[int64]bq.Action{
		0: bq.Acknowledged, 1: bq.DeadLettered, 3: bq.Acknowledged, 4: bq.DeadLettered, 7: bq.Acknowledged,
	} {
		if settled[i].Action != action {
			t.Errorf("message %d was %s, want %s", i, settled[i].Action, action)
		}
	}
	s.consumer.Pause()
	s.cancel()
	if d.calls != 8 {
		t.Errorf("%d calls of the handler, want 8", d.calls)
	}
}

func TestAckIsForManualMode(t *testing.T) { // L31
	b, q := memory(t), newQueue()
	errs := make(chan error, 2)
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		errs <- m.Ack()
		errs <- m.Fail(errors.New("oops"))
		return nil
	})
	b.publish(t, q, order{ID: 1})
	for range 2 {
		if err := await(t, errs, "an answer"); !errors.Is(err, bq.ErrNotManual) {
			t.Errorf("%v, want %v", err, bq.ErrNotManual)
		}
	}
	if x := s.next(); x.Action != bq.Acknowledged {
		t.Errorf("%+v", x)
	}
}

func TestMessagesThatAreNotSettledOnShutdown(t *testing.T) { // L33
	b, q := memory(t), newQueue()
	b.backlog(t, q, pulsar.Shared)
	d := newDesk()
	s := b.serve(t, q, d.handle, bq.WithAckMode(bq.AckManual), bq.WithConcurrency(6),
		bq.WithGracePeriod(300*time.Millisecond))
	var m []*bq.Message[order]
	for id := range int64(6) {
		b.publish(t, q, order{ID: id + 1})
		m = append(m, await(t, d.got, "a message"))
	}
	settle := func(m *bq.Message[order]) {
		t.Helper()
		if err := m.Ack(); err != nil {
			t.Error(err)
		}
	}
	settle(m[0])
	settle(m[1])
	s.cancel()
	eventually(t, "the end of reception", func() bool { return s.consumer.Status().State != bq.StateRunning })
	settle(m[2])
	settle(m[3])
	err := await(t, s.done, "Run to return")
	var open *bq.UnsettledError
	if !errors.As(err, &open) || len(open.Deliveries) != 2 ||
		!strings.Contains(err.Error(), "2 messages were not settled") {
		t.Errorf("Run returned %v", err)
	}
	if acked := b.memory.Acked(q.Topic, "babelqueue"); acked != 4+1 { // and the marker of backlog
		t.Errorf("%d are acknowledged, want 4", acked-1)
	}
	for _, m := range m[4:] {
		if err := m.Ack(); !errors.Is(err, bq.ErrSettled) {
			t.Errorf("after Run: %v", err)
		}
	}
	again := newDesk()
	b.serve(t, q, again.handle, bq.WithAckMode(bq.AckManual), bq.WithConcurrency(6),
		bq.WithGracePeriod(10*time.Millisecond))
	for range 2 {
		if m := await(t, again.got, "what was left"); m.Data.ID < 5 || m.Attempts != 0 {
			t.Errorf("order %d comes again with attempts %d", m.Data.ID, m.Attempts)
		}
	}
}

func TestTheTimeOfAHandlerCanBeExtended(t *testing.T) {
	b, q := memory(t), newQueue()
	finish := make(chan struct{})
	late := make(chan error, 1)
	s := b.serve(t, q, func(ctx context.Context, m *bq.Message[order]) error {
		if m.Data.ID == 1 {
			if err := m.Extend(time.Hour); err != nil {
				return err
			}
			<-finish
			return ctx.Err()
		}
		<-ctx.Done()
		late <- m.Extend(time.Hour)
		return nil
	}, bq.WithRouteTimeout(orderURN, 200*time.Millisecond), bq.WithHandlerTimeout(time.Nanosecond),
		bq.WithConcurrency(2), bq.WithMaxAttempts(1))
	b.publish(t, q, order{ID: 1})
	b.publish(t, q, order{ID: 2})
	if x := s.next(); x.Action != bq.DeadLettered || !errors.Is(x.Err, bq.ErrTimeout) {
		t.Errorf("the one that does not extend its time: %+v", x)
	}
	if err := await(t, late, "an answer"); !errors.Is(err, bq.ErrSettled) {
		t.Errorf("Extend after the timeout: %v", err)
	}
	close(finish)
	if x := s.next(); x.Action != bq.Acknowledged {
		t.Errorf("the one that extends its time: %+v", x)
	}
}
