package acceptance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// TestPauseWithMessagesInHand: L60, with one Pulsar consumer and with three.
func TestPauseWithMessagesInHand(t *testing.T) {
	for _, consumers := range []int{1, 3} {
		t.Run(fmt.Sprint(consumers), func(t *testing.T) { testPauseWithMessagesInHand(t, consumers) })
	}
}

func testPauseWithMessagesInHand(t *testing.T, consumers int) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const slots, first, more = 4, 20, 100
		q := newQueue()
		b.backlog(t, q, pulsar.Shared)
		b.publishAll(t, q, first, keyless)
		started, finish := make(chan struct{}, 1000), make(chan struct{})
		var failed atomic.Bool
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			started <- struct{}{}
			<-finish
			if m.Attempts > 0 {
				return nil
			}
			if failed.CompareAndSwap(false, true) {
				return errors.New("no stock")
			}
			return nil
		}, bq.WithConcurrency(slots), bq.WithConsumers(consumers), bq.WithMaxUnsettled(bq.Limit{Messages: 16}))
		for range slots {
			await(t, started, "the handlers")
		}
		s.consumer.Pause()
		close(finish)
		if got := s.settle(slots); got[bq.Acknowledged] != slots-1 || got[bq.Retried] != 1 {
			t.Errorf("L60: of those in hand: %v", got)
		}
		b.publishAll(t, q, more, keyless)
		eventually(t, "the handlers to be idle", func() bool { return s.consumer.Status().Handling == 0 })
		if status := s.consumer.Status(); status.State != bq.StatePaused || len(started) != 0 || len(s.settled) != 0 {
			t.Errorf("L60: %d runs and %d settlements while paused: %+v", len(started), len(s.settled), status)
		}
		s.consumer.Resume()
		for n := range first - slots + more + 1 {
			if x := s.next(); x.Action != bq.Acknowledged || x.Delivery.Attempts > 1 {
				t.Errorf("L60: message %d after the pause: %s in attempt %d", n, x.Action, x.Delivery.Attempt())
			}
		}
	})
}

// TestPauseWithABatchHalfFull: L60. The wait of the batch is over before the pause, but all slots are taken.
func TestPauseWithABatchHalfFull(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q, l := newQueue(), newBatchLog()
		finish := make(chan struct{})
		b.prepare(t, q, 1)
		s := b.serveBatches(t, q, l.handling(func(int, []int64) error { <-finish; return nil }),
			bq.Batch{Size: 10, Wait: 20 * time.Millisecond}, bq.WithConcurrency(1))
		await(t, l.got, "the first batch")
		b.publish(t, q, order{ID: 2})
		eventually(t, "the second batch to begin", func() bool { return s.consumer.Status().Unsettled == 2 })
		s.consumer.Pause()
		close(finish)
		s.settle(1)
		eventually(t, "the handler to be idle", func() bool { return s.consumer.Status().Handling == 0 })
		if status := s.consumer.Status(); status.State != bq.StatePaused || status.Unsettled != 1 {
			t.Errorf("L60: while paused: %+v", status)
		}
		l.want(t, span(1, 1))
		s.consumer.Resume()
		if got := s.settle(1); got[bq.Acknowledged] != 1 {
			t.Errorf("L60: of the batch: %v", got)
		}
		l.want(t, span(1, 1), span(2, 2))
	})
}

// TestPausedAndTheTopicMoves: L61.
func TestPausedAndTheTopicMoves(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const messages = 60
		q := newQueue()
		b.backlog(t, q, pulsar.Shared)
		b.publishAll(t, q, messages, keyless)
		started, finish := make(chan struct{}, 1000), make(chan struct{})
		var failed atomic.Bool
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			started <- struct{}{}
			<-finish
			if m.Attempts == 0 && failed.CompareAndSwap(false, true) {
				return errors.New("no stock")
			}
			return nil
		}, bq.WithConcurrency(2), bq.WithReceiverQueueSize(10))
		for range 2 {
			await(t, started, "the handlers")
		}
		s.consumer.Pause()
		for range 3 {
			b.unload(t, q.Topic)
		}
		close(finish)
		if got := s.settle(2); got[bq.Acknowledged] != 1 || got[bq.Retried] != 1 {
			t.Errorf("L61: of those in hand: %v", got)
		}
		if status := s.consumer.Status(); status.State != bq.StatePaused || len(started) != 0 {
			t.Errorf("L61: %d runs while paused: %+v", len(started), status)
		}
		s.consumer.Resume()
		seen := map[string]int{}
		for len(seen) < messages-1 {
			x := s.next()
			if x.Action != bq.Acknowledged {
				t.Errorf("L61: got %s, %v", x.Action, x.Err)
			}
			seen[x.Delivery.ID]++
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestDeadLettersOfANonPersistentQueueAreWarnedOf: F8.
func TestDeadLettersOfANonPersistentQueueAreWarnedOf(t *testing.T) {
	for topic, warned := range map[string]bool{
		"non-persistent://public/default/o": true, "persistent://public/default/o": false,
	} {
		b := inMemory(t)
		var log lockedBuilder
		q := bq.Queue{Name: "orders", Topic: "non-persistent://public/default/o-main", DeadLetterTopic: topic + ".dlq"}
		s := b.serve(t, q, succeed, bq.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		if got := strings.Contains(log.String(), "the dead-letter topic is not persistent"); got != warned {
			t.Errorf("F8: %s: warned %v", topic, got)
		}
	}
}
