package acceptance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestARetryIsPublishedOnceAlthoughItsAcknowledgementsAreLost(t *testing.T) { // F3
	b := inMemory(t)
	q := newQueue()
	handle, calls := failing(always)
	fault := b.memory.Fail(bqtest.OnAck(q.Topic).Times(4).Err(errors.New("lost")))
	s := b.serve(t, q, handle, append(slices.Clone(impatient), bq.WithMaxAttempts(3))...)
	b.publish(t, q, order{ID: 1})
	for fault.Hits() < 4 {
		b.waitFor(t, "the acknowledgement to get lost", func() bool { return true })
		b.unload(t, q.Topic)
	}
	b.waitFor(t, "all to be acknowledged", func() bool {
		return b.memory.SendCount(q.DeadLetterTopic) == 1 && b.memory.Backlog(q.Topic, "babelqueue") == 0
	})
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if sent := b.memory.SendCount(q.Topic); sent != 3 || calls.Load() != 3 {
		t.Errorf("F3: %d messages were sent and the handler ran %d times, want 3 and 3", sent, calls.Load())
	}
}

func TestAMessageThatIsSettledIsNotHandledAgainAfterAnUnload(t *testing.T) { // F2
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		handle, calls := failing(0)
		s := b.serve(t, q, handle)
		b.publishAll(t, q, 100, keyless)
		for range 3 {
			b.unload(t, q.Topic)
		}
		s.settle(100)
		b.unload(t, q.Topic)
		b.publish(t, q, order{ID: 101})
		s.settle(1)
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		if calls.Load() != 101 {
			t.Errorf("F2: %d runs of 101 messages", calls.Load())
		}
		if left := b.backlog(t, q, pulsar.Shared); left != 0 {
			t.Errorf("F2: %d messages are left", left)
		}
	})
}

// TestACopyThatWaitedInTheClientIsNotHandled has messages come again that handlers have, and settles these while
// reception is held back, for longer than the registry remembers what is settled: in a pause, and because the other
// handlers are busy.
func TestACopyThatWaitedInTheClientIsNotHandled(t *testing.T) { // F2
	for name, paused := range map[string]bool{"paused": true, "busy": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const slots, messages = 8, 24
				b := &backend{memory: bqtest.NewBroker(t)}
				b.client = b.memory.Client()
				q := newQueue()
				r, started := newRuns(), make(chan struct{}, messages)
				s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
					defer r.enter("", m.Data.ID)()
					started <- struct{}{}
					takes := time.Second
					if m.Data.ID > 0 && !paused {
						takes = 30 * time.Second
					}
					time.Sleep(takes) // of the bubble
					return nil
				}, bq.WithConcurrency(slots))
				b.publishAll(t, q, messages, keyless)
				for range slots {
					await(t, started, "the handlers to be busy")
				}
				b.unload(t, q.Topic)
				synctest.Wait()
				if paused {
					s.consumer.Pause()
					time.Sleep(time.Minute) // of the bubble
					s.consumer.Resume()
				}
				if got := s.settle(messages); got[bq.Acknowledged] != messages {
					t.Errorf("F2: got %v", got)
				}
				b.waitFor(t, "all to be acknowledged", func() bool { return b.memory.Backlog(q.Topic, "babelqueue") == 0 })
				if err := s.stop(); err != nil {
					t.Error(err)
				}
				if r.all != messages {
					t.Errorf("F2: %d runs of %d messages", r.all, messages)
				}
			})
		})
	}
}

func TestAnUnknownURNFunctionCanFail(t *testing.T) { // F4
	for name, fn := range map[string]func() error{
		"error": func() error { return errors.New("cannot forward") },
		"panic": func() error { panic("cannot forward") },
	} {
		t.Run(name, func(t *testing.T) {
			b := inMemory(t)
			q := newQueue()
			handle, _ := failing(0)
			reported := make(chan error, 10)
			s := b.serve(t, q, handle, bq.WithObserver(reportTo(reported)), bq.WithMaxAttempts(2),
				bq.WithUnknownURN(func(context.Context, *bq.Delivery) error { return fn() }))
			b.send(t, q.Topic, &pulsar.ProducerMessage{
				Payload: []byte(foreign), Properties: foreignProperties(map[string]string{"bq-job": "urn:y"}),
			})
			all := s.until()
			if last := all[len(all)-1]; len(all) != 2 || last.Action != bq.DeadLettered || last.Reason != "unknown_urn" {
				t.Errorf("F4, SET-5, SET-6: got %+v", all)
			}
			if err := await(t, reported, "the error"); !strings.Contains(err.Error(), "cannot forward") {
				t.Errorf("ERR-1: got %v", err)
			}
		})
	}
}

func TestAnUnknownURNFunctionThatIsInterruptedReleasesTheMessage(t *testing.T) { // F4
	b := inMemory(t)
	q := newQueue()
	handle, _ := failing(0)
	started := make(chan struct{})
	s := b.serve(t, q, handle, bq.WithGracePeriod(0),
		bq.WithUnknownURN(func(ctx context.Context, _ *bq.Delivery) error {
			close(started)
			<-ctx.Done()
			return ctx.Err()
		}))
	b.send(t, q.Topic, &pulsar.ProducerMessage{
		Payload: []byte(foreign), Properties: foreignProperties(map[string]string{"bq-job": "urn:y"}),
	})
	await(t, started, "the function")
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if got := s.next(); got.Action != bq.Released || b.memory.Backlog(q.Topic, "babelqueue") != 1 {
		t.Errorf("F4: got %s, %d messages are left", got.Action, b.memory.Backlog(q.Topic, "babelqueue"))
	}
}

func TestALostPartitionsMessagesAreNotBegun(t *testing.T) { // F7
	b := inMemory(t)
	q := newQueue()
	b.backlog(t, q, pulsar.Failover)
	started, finish := make(chan int64, 100), make(chan struct{})
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		started <- m.Data.ID
		<-finish
		return nil
	}, bq.WithSubscriptionType(pulsar.Failover), bq.WithConcurrency(2))
	b.publishAll(t, q, 10, func(int) string { return "A" })
	await(t, started, "the first handler")
	eventually(t, "more messages to be received", func() bool { return s.consumer.Status().Unsettled > 1 })
	// Consumers join until one of them takes over.
	taken := make(chan pulsar.Message, 100)
	for i := 0; ; i++ {
		other, err := b.client.Subscribe(pulsar.ConsumerOptions{
			Topic: q.Topic, SubscriptionName: "babelqueue", Type: pulsar.Failover, Name: fmt.Sprint("other-", i),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		m, err := other.Receive(ctx)
		cancel()
		if err == nil {
			taken <- m
			break
		}
	}
	await(t, taken, "another consumer to take over")
	close(finish)
	released := 0
	for {
		x := s.next()
		if x.Action == bq.Acknowledged {
			break // the one that was at work
		}
		if x.Action == bq.Released {
			released++
		}
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if len(started) != 0 {
		t.Errorf("F7: %d more messages were begun", len(started))
	}
	if released == 0 {
		t.Error("F7: nothing was released")
	}
}

func TestOnlyBadMessagesWaitForAHangingDeadLetterTopic(t *testing.T) { // F12
	b := inMemory(t)
	q := newQueue()
	fault := b.memory.Fail(bqtest.OnSend(q.DeadLetterTopic).Hang())
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		if m.Data.ID < 3 {
			return bq.Permanent(errors.New("no stock"))
		}
		return nil
	}, bq.WithConcurrency(2))
	b.publishAll(t, q, 100, keyless)
	if got := s.settle(97); got[bq.Acknowledged] != 97 {
		t.Errorf("F12: got %v", got)
	}
	fault.Release()
	if got := s.settle(3); got[bq.DeadLettered] != 3 {
		t.Errorf("F12: got %v", got)
	}
}

func TestAPartitionWhoseAcknowledgementsHangHoldsUpItselfOnly(t *testing.T) { // F12
	b := inMemory(t)
	q := newQueue()
	if err := b.memory.CreatePartitioned(q.Topic, 2); err != nil {
		t.Fatal(err)
	}
	fault := b.memory.Fail(bqtest.OnAck(q.Topic + "-partition-1").Hang())
	s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return nil }, bq.WithConcurrency(4))
	b.publishAll(t, q, 200, func(i int) string { return fmt.Sprint("c-", i) })
	healthy := 200 - b.memory.Backlog(q.Topic+"-partition-1", "babelqueue")
	for range healthy {
		if x := s.next(); !strings.HasSuffix(x.Delivery.Topic, "-partition-0") {
			t.Fatalf("F12: a message of %s is settled", x.Delivery.Topic)
		}
	}
	fault.Release()
	s.settle(200 - healthy)
}

func TestARetryThatCannotBePublishedBecomesADeadLetter(t *testing.T) { // F13
	for _, subscription := range []pulsar.SubscriptionType{pulsar.Exclusive, pulsar.Failover} {
		t.Run(fmt.Sprint(subscription), func(t *testing.T) {
			b := inMemory(t)
			q := newQueue()
			s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
				if m.Data.ID == 0 {
					return errors.New("no stock")
				}
				return nil
			}, append(slices.Clone(impatient), bq.WithSubscriptionType(subscription), bq.WithSettleTries(2))...)
			b.memory.Fail(bqtest.OnSend(q.Topic).Err(pulsar.ErrTopicTerminated).When(func(c bqtest.Call) bool {
				return c.Message.Properties["bq-attempts"] != "0"
			}))
			b.publishAll(t, q, 2, keyless)
			// The second one waits behind it, not for ever.
			got := []bq.Settlement{s.next(), s.next()}
			if got[0].Action != bq.DeadLettered || got[1].Action != bq.Acknowledged {
				t.Fatalf("F13: got %+v", got)
			}
			if !strings.Contains(got[0].Err.Error(), "its retry could not be published") {
				t.Errorf("F13: the dead letter says %v", got[0].Err)
			}
		})
	}
}

func TestRunReturnsWithinTheShutdownTimeout(t *testing.T) { // F14
	b := inMemory(t)
	q := newQueue()
	handle, calls := failing(always)
	s := b.serve(t, q, handle, bq.WithMaxAttempts(1), bq.WithShutdownTimeout(2*time.Second))
	b.memory.Fail(bqtest.OnSend(q.DeadLetterTopic).Hang())
	b.memory.Fail(bqtest.OnAck(q.Topic).Hang())
	b.publishAll(t, q, 20, keyless)
	eventually(t, "a dead letter to hang", func() bool { return calls.Load() > 0 && s.consumer.Status().Handling == 0 })
	began := time.Now()
	_ = s.stop()
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("F14: Run returned after %s, the shutdown timeout is 2s", took)
	}
	abandoned := 0
	for len(s.settled) > 0 {
		if x := <-s.settled; errors.Is(x.SettleErr, bq.ErrAbandoned) {
			abandoned++
		}
	}
	if abandoned == 0 {
		t.Error("F14: nothing is reported as abandoned")
	}
}

func TestHeldRetriesCountAgainstTheLimit(t *testing.T) { // F15
	b := inMemory(t)
	q := newQueue()
	const limit = 10
	s := b.serve(t, q, func(context.Context, *bq.Message[order]) error {
		return bq.RetryAfter(time.Hour, errors.New("busy"))
	}, bq.WithRetryByNack(), bq.WithConcurrency(4), bq.WithMaxUnsettled(bq.Limit{Messages: limit}))
	b.publishAll(t, q, 100, keyless)
	eventually(t, "the limit to be reached", func() bool {
		status := s.consumer.Status()
		return status.HeldBack == "limit" && status.Unsettled == limit && status.Handling == 0
	})
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if left := b.memory.Backlog(q.Topic, "babelqueue"); left != 100 {
		t.Errorf("F15: %d messages are left, want 100", left)
	}
}

func TestTheLimitOfBytesHoldsBackReception(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	finish := make(chan struct{})
	s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { <-finish; return nil },
		bq.WithConcurrency(4), bq.WithMaxUnsettled(bq.Limit{Bytes: 1}))
	b.publishAll(t, q, 3, keyless)
	eventually(t, "the limit to be reached", func() bool { return s.consumer.Status().HeldBack == "limit" })
	if n := s.consumer.Status().Unsettled; n != 1 {
		t.Errorf("%d messages are unsettled, want the one that is over the limit", n)
	}
	close(finish)
	s.settle(3)
}

func TestWhatThisProcessHasExhaustedIsNotRunAgainByIt(t *testing.T) { // F18
	b := inMemory(t)
	q := newQueue()
	handle, calls := failing(always)
	b.memory.Fail(bqtest.OnSend(q.DeadLetterTopic).Times(10))
	s := b.serve(t, q, handle, append(slices.Clone(impatient), bq.WithMaxAttempts(2), bq.WithSettleTries(2))...)
	b.publish(t, q, order{ID: 1})
	for s.next().Action != bq.DeadLettered {
	}
	if calls.Load() != 2 {
		t.Errorf("F18: the handler ran %d times, want 2", calls.Load())
	}
}

func TestReleasedMessagesOfACallersConsumerAreGivenBack(t *testing.T) { // F31
	b := inMemory(t)
	q := newQueue()
	own, err := b.client.Subscribe(pulsar.ConsumerOptions{
		Topic: q.Topic, SubscriptionName: "babelqueue", Type: pulsar.Shared, NackRedeliveryDelay: time.Millisecond,
		SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest, AckWithResponse: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	started := make(chan struct{}, 10)
	s := b.serve(t, q, func(ctx context.Context, _ *bq.Message[order]) error {
		started <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}, bq.WithPulsarConsumer(own), bq.WithSubscriptionType(pulsar.Shared), bq.WithGracePeriod(0))
	b.publishAll(t, q, 3, keyless)
	await(t, started, "the handler")
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	for range 3 { // while the consumer lives
		receive(t, own)
	}
}

func TestRetryAfterZeroIsAtOnce(t *testing.T) { // F33
	b := inMemory(t)
	q := newQueue()
	handle, _ := failing(0)
	fail := true
	s := b.serve(t, q, func(ctx context.Context, m *bq.Message[order]) error {
		if fail {
			fail = false
			return bq.RetryAfter(0, errors.New("busy"))
		}
		return handle(ctx, m)
	}, bq.WithRetryByNack(), bq.WithRetryBackoff(bq.ExponentialBackoff(time.Hour, time.Hour)))
	b.publish(t, q, order{ID: 1})
	if all := s.until(); len(all) != 2 || all[1].Action != bq.Acknowledged {
		t.Errorf("F33: got %+v", all)
	}
}

func TestACopyAfterANackWaitsForTheRunBeforeIt(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	r := newRuns()
	finish := make(chan struct{})
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		defer r.enter("it", m.Attempts)()
		if m.Attempts == 0 {
			<-finish // beyond its time
		}
		return nil
	}, bq.WithConcurrency(4), bq.WithRetryByNack(), bq.WithHandlerTimeout(20*time.Millisecond),
		bq.WithRetryBackoff(bq.ExponentialBackoff(time.Millisecond, time.Millisecond)))
	b.publish(t, q, order{ID: 1})
	if got := s.next(); got.Action != bq.Retried || !errors.Is(got.Err, bq.ErrTimeout) {
		t.Errorf("got %s, %v", got.Action, got.Err)
	}
	eventually(t, "the copy to come", func() bool { return s.consumer.Status().Unsettled == 1 })
	if n := r.of("it"); len(n) != 1 {
		t.Errorf("the copy runs beside the run before it: %v", n)
	}
	close(finish)
	if got := s.next(); got.Action != bq.Acknowledged {
		t.Errorf("got %s, %v", got.Action, got.Err)
	}
	if len(r.overlap) > 0 || len(r.of("it")) != 2 {
		t.Errorf("runs %v, overlapping %v", r.of("it"), r.overlap)
	}
}

func TestAResetSubscriptionIsHandledAgain(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		if testing.Short() {
			t.Skip("waits longer than a consumer remembers")
		}
		q := newQueue()
		own, err := b.client.Subscribe(pulsar.ConsumerOptions{
			Topic: q.Topic, SubscriptionName: "babelqueue", Type: pulsar.Shared, AckWithResponse: true,
			SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer own.Close()
		var calls atomic.Int64
		s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { calls.Add(1); return nil },
			bq.WithPulsarConsumer(own), bq.WithSubscriptionType(pulsar.Shared))
		b.subscribe(t, q.Topic, "keeper") // so that Pulsar keeps what is acknowledged
		began := time.Now().Add(-time.Minute)
		b.publishAll(t, q, 10, keyless)
		s.settle(10)
		<-time.After(11 * time.Second) // a consumer takes what comes sooner for copies
		if err := own.SeekByTime(began); err != nil {
			t.Fatal(err)
		}
		s.settle(10)
		if calls.Load() != 20 {
			t.Errorf("%d runs, want each message twice", calls.Load())
		}
	})
}

func TestANonPersistentTopicIsHandledWithoutIds(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		if b.memory != nil {
			t.Skip("bqtest has no topics that are not persistent")
		}
		q := newQueue()
		q.Topic = "non-" + q.Topic
		q.DeadLetterTopic = ""
		var calls atomic.Int64
		s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { calls.Add(1); return nil },
			bq.WithConcurrency(4))
		for i := range 50 {
			b.publish(t, q, order{ID: int64(i)})
			if got := s.next(); got.Action != bq.Acknowledged { // all have the same id
				t.Errorf("got %s, %v", got.Action, got.SettleErr)
			}
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		if calls.Load() != 50 {
			t.Errorf("%d runs of 50 messages", calls.Load())
		}
	})
}
