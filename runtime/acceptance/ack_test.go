package acceptance

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// A refusing consumer gets an error for the first acknowledgement of each message of a partition.
type refusing struct {
	pulsar.Consumer
	partition int32
	mu        sync.Mutex
	refused   map[string]bool
}

func (c *refusing) AckIDList(ids []pulsar.MessageID) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	failed := pulsar.AckError{}
	var rest []pulsar.MessageID
	for _, id := range ids {
		if name := id.String(); id.PartitionIdx() == c.partition && !c.refused[name] {
			c.refused[name] = true
			failed[id] = errors.New("lost")
		} else {
			rest = append(rest, id)
		}
	}
	if len(rest) > 0 {
		if err := c.Consumer.AckIDList(rest); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return failed
	}
	return nil
}

func TestOneFailedAcknowledgementOfAPartitionIsNotAnothers(t *testing.T) { // L26
	onBothBackends(t, func(t *testing.T, b *backend) {
		const good, bad = 30, 20 // in partitions 0 and 1
		q := newQueue()
		b.partition(t, q.Topic, 2)
		var all sync.WaitGroup // until all are handled at once
		all.Add(good + bad)
		r := newRuns()
		consumer, err := b.client.Subscribe(pulsar.ConsumerOptions{
			Topic: q.Topic, SubscriptionName: "babelqueue", Type: pulsar.Shared, AckWithResponse: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(consumer.Close)
		acks := &refusing{Consumer: consumer, partition: 1, refused: map[string]bool{}}
		retry, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: q.Topic, DisableBatching: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(retry.Close)
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			defer r.enter(fmt.Sprint(m.Data.ID), m.Attempts)()
			all.Done()
			all.Wait()
			return nil
		}, bq.WithConcurrency(good+bad), bq.WithPulsarConsumer(acks), bq.WithSubscriptionType(pulsar.Shared),
			bq.WithRetryProducer(retry))
		for partition, n := range []int{good, bad} {
			of := q
			of.Topic += fmt.Sprint("-partition-", partition)
			b.publishAll(t, of, n, func(i int) string { return fmt.Sprint(partition, "-", i) })
		}
		failed := 0
		for range good + bad {
			x := s.next()
			if x.Action != bq.Acknowledged || x.Delivery.Attempts != 0 {
				t.Errorf("L26: got %s, attempts %d", x.Action, x.Delivery.Attempts)
			}
			if x.SettleErr == nil {
				continue
			}
			failed++
			if !strings.HasSuffix(x.Delivery.Topic, "-partition-1") {
				t.Errorf("L26: a message of %s has %v", x.Delivery.Topic, x.SettleErr)
			}
		}
		if failed != bad || r.all != good+bad {
			t.Errorf("L26: %d acknowledgements failed, want %d; %d runs", failed, bad, r.all)
		}
		eventually(t, "all to be acknowledged", func() bool { return s.consumer.Status().Unsettled == 0 })
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		consumer.Close()
		if left := b.backlog(t, q, pulsar.Shared); left != 0 {
			t.Errorf("L26: %d messages are left", left)
		}
		if r.all != good+bad {
			t.Errorf("L26: %d runs", r.all)
		}
	})
}

// TestUnansweredAcknowledgementsAreSettleErrorsAndNoFailures has what the death of a broker looks like in memory: an
// acknowledgement is applied and not answered, and everything else is delivered again.
func TestUnansweredAcknowledgementsAreSettleErrorsAndNoFailures(t *testing.T) { // L27
	for name, c := range map[string]struct {
		messages, entry int
	}{"one by one": {5000, 1}, "batched": {2000, 5}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const limit, deaths = 50, 10
			b := inMemory(t)
			q := newQueue()
			r := newRuns()
			s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
				defer r.enter(fmt.Sprint(m.Data.ID), m.Attempts)()
				return nil
			}, append(impatient, bq.WithConcurrency(16), bq.WithMaxUnsettled(bq.Limit{Messages: limit}))...)
			producer, err := b.memory.Client().CreateProducer(pulsar.ProducerOptions{
				Topic: q.Topic, DisableBatching: c.entry == 1, BatchingMaxMessages: uint(c.entry),
				BatchingMaxPublishDelay: time.Minute,
			})
			if err != nil {
				t.Fatal(err)
			}
			defer producer.Close()
			for i := range c.messages {
				producer.SendAsync(t.Context(), &pulsar.ProducerMessage{
					Payload: fmt.Appendf(nil, `{"job":%q,"trace_id":"t","data":{"order_id":%d},"meta":{"schema_version":1}}`,
						orderURN, i),
				}, func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) {
					if err != nil {
						t.Error(err)
					}
				})
			}
			if err := producer.FlushWithCtx(t.Context()); err != nil {
				t.Fatal(err)
			}
			settled, unknown := 0, 0
			settle := func(n int) {
				for range min(n, c.messages-settled) {
					x := s.next()
					if x.Action != bq.Acknowledged || x.Delivery.Attempts != 0 {
						t.Errorf("L27: got %s, attempts %d", x.Action, x.Delivery.Attempts)
					}
					if x.SettleErr != nil {
						unknown++
					}
					settled++
				}
			}
			for n := range deaths {
				settle(1 + rand.IntN(c.messages/deaths-limit)) // it goes on between them
				fault := b.memory.Fail(bqtest.OnAck(q.Topic).Times(1).Applied().Hang().Err(errors.New("gone")))
				b.waitFor(t, "an acknowledgement", func() bool { return fault.Hits() == 1 })
				b.memory.Drop(q.Topic, "babelqueue")
				if n%2 == 0 { // the client notices before its patience is over, or after
					settle(limit / 2)
				}
				fault.Release()
			}
			settle(c.messages)
			if unknown == 0 {
				t.Error("L27: there are no settle errors")
			}
			b.waitFor(t, "all to be acknowledged", func() bool { return b.memory.Backlog(q.Topic, "babelqueue") == 0 })
			open := 0
			if c.entry > 1 {
				open = limit // each message in hand may have an open entry
			}
			if second := r.all - c.messages; second > deaths*(limit+open*(c.entry-1)) {
				t.Errorf("L27: %d second runs", second)
			}
			if n := b.memory.SendCount(q.DeadLetterTopic); n != 0 {
				t.Errorf("L27: %d dead letters", n)
			}
		})
	}
}

func TestALoneAcknowledgementIsNotHeldBack(t *testing.T) { // L28
	b := inMemory(t)
	q := newQueue()
	handle, _ := failing(0)
	s := b.serve(t, q, handle)
	b.publish(t, q, order{ID: 1})
	began := time.Now()
	s.next()
	b.waitFor(t, "the acknowledgement", func() bool { return b.memory.Backlog(q.Topic, "babelqueue") == 0 })
	if took := time.Since(began); took > time.Second {
		t.Errorf("L28: acknowledged after %s", took)
	}
}

func TestAcknowledgementsThatHangAreBounded(t *testing.T) { // L28
	b := inMemory(t)
	q := newQueue()
	const limit, timeout = 8, 200 * time.Millisecond
	s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return nil },
		bq.WithConcurrency(4), bq.WithMaxUnsettled(bq.Limit{Messages: limit}), bq.WithSendTimeout(timeout))
	fault := b.memory.Fail(bqtest.OnAck(q.Topic).Hang())
	before := runtime.NumGoroutine()
	b.publishAll(t, q, 100, keyless)
	for range limit {
		if x := s.next(); x.Action != bq.Acknowledged || x.SettleErr == nil {
			t.Errorf("L28: got %s, %v", x.Action, x.SettleErr)
		}
	}
	if status := s.consumer.Status(); status.Unsettled != limit || status.HeldBack != "limit" {
		t.Errorf("L28: got %+v, want %d unsettled", status, limit)
	}
	if n := runtime.NumGoroutine() - before; n > 4+2+10 {
		t.Errorf("L28: %d more goroutines", n)
	}
	fault.Release()
	if got := s.settle(100 - limit); got[bq.Acknowledged] != 100-limit {
		t.Errorf("L28: got %v", got)
	}
	b.waitFor(t, "all to be acknowledged", func() bool { return b.memory.Backlog(q.Topic, "babelqueue") == 0 })
}

func TestATimedOutRunCountsOnceAndItsCopyWaits(t *testing.T) { // L34
	b := inMemory(t)
	q := newQueue()
	r := newRuns()
	var first bool
	finish := make(chan struct{})
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		defer r.enter(m.Key, m.Data.ID)()
		if m.Data.ID == 0 && !first {
			first = true
			<-finish // beyond its time, whatever its context says
		}
		return nil
	}, bq.WithConcurrency(2), bq.WithHandlerTimeout(50*time.Millisecond))
	b.publishAll(t, q, 2, func(int) string { return "A" })
	if got := s.next(); got.Action != bq.Retried || !errors.Is(got.Err, bq.ErrTimeout) || got.Delivery.Attempts != 0 {
		t.Errorf("L34: got %s, %v", got.Action, got.Err)
	}
	if n := r.of("A"); len(n) != 1 {
		t.Errorf("L34: runs %v beside the one that is late", n)
	}
	close(finish)
	if got := s.settle(2); got[bq.Acknowledged] != 2 {
		t.Errorf("L34: got %v", got)
	}
	if got := fmt.Sprint(r.of("A")); got != "[0 1 0]" || len(r.overlap) > 0 {
		t.Errorf("L34: runs %s, overlapping %v", got, r.overlap)
	}
	b.waitFor(t, "all to be acknowledged", func() bool { return b.memory.Backlog(q.Topic, "babelqueue") == 0 })
}

func TestAlwaysTooLateIsDeadLettered(t *testing.T) { // L35
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		const attempts, n = 5, 2
		var mu sync.Mutex
		var causes []error
		var began, ended []time.Time
		r := newRuns()
		s := b.serve(t, q, func(ctx context.Context, _ *bq.Message[order]) error {
			defer r.enter("", 0)()
			mu.Lock()
			began = append(began, time.Now())
			mu.Unlock()
			<-ctx.Done()
			mu.Lock()
			defer mu.Unlock()
			ended = append(ended, time.Now())
			causes = append(causes, context.Cause(ctx))
			return ctx.Err()
		}, bq.WithConcurrency(n), bq.WithHandlerTimeout(time.Second), bq.WithMaxAttempts(attempts),
			bq.WithRetryBackoff(func(deliveries int64) time.Duration { return min(time.Second<<(deliveries-1), 4*time.Second) }))
		b.publish(t, q, order{ID: 1})
		all := s.until()
		last := all[len(all)-1]
		if len(all) != attempts || last.Action != bq.DeadLettered || last.Reason != "failed" {
			t.Errorf("L35: got %d deliveries, ended %s (%s)", len(all), last.Action, last.Reason)
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		for i, wait := range []time.Duration{1, 2, 4, 4} {
			// A real broker's clock ticks; how much longer it takes on a loaded machine nobody knows.
			if got := began[i+1].Sub(ended[i]); got < wait*time.Second-time.Second {
				t.Errorf("L35: run %d began %s after the one before, want at least %d s", i+2, got, wait-1)
			}
		}
		for _, cause := range causes {
			if !errors.Is(cause, bq.ErrTimeout) || errors.Is(cause, bq.ErrShutdown) {
				t.Errorf("L35: the context ended because of %v", cause)
			}
		}
		letter := b.deadLetter(t, q)
		if len(causes) != attempts || !strings.Contains(string(letter.Payload()), "timeout") ||
			letter.Properties()["bq-attempts"] != fmt.Sprint(attempts) || r.most > n {
			t.Errorf("L35: %d runs, %d at a time, dead letter %s", len(causes), r.most, letter.Payload())
		}
	})
}

func TestWaitingIsNotBeingLate(t *testing.T) { // L36
	const timeout = 300 * time.Millisecond
	handle := func(context.Context, *bq.Message[order]) error { <-time.After(timeout / 6); return nil }
	t.Run("in a lane", func(t *testing.T) {
		b := inMemory(t)
		q := newQueue()
		s := b.serve(t, q, handle, bq.WithConcurrency(4), bq.WithHandlerTimeout(timeout))
		b.publishAll(t, q, 10, func(int) string { return "A" }) // longer than the timeout in all
		if got := s.settle(10); got[bq.Acknowledged] != 10 {
			t.Errorf("L36: got %v", got)
		}
	})
	t.Run("paused", func(t *testing.T) {
		b := inMemory(t)
		q := newQueue()
		s := b.serve(t, q, handle, bq.WithConcurrency(4), bq.WithHandlerTimeout(timeout))
		s.consumer.Pause()
		b.publishAll(t, q, 10, keyless)
		<-time.After(2 * timeout)
		if n := len(s.settled); n > 0 {
			t.Errorf("L36: %d messages are settled during a pause", n)
		}
		s.consumer.Resume()
		if got := s.settle(10); got[bq.Acknowledged] != 10 {
			t.Errorf("L36: got %v", got)
		}
	})
	t.Run("between tries in place", func(t *testing.T) {
		b := inMemory(t)
		q := newQueue()
		calls := 0
		s := b.serve(t, q, func(context.Context, *bq.Message[order]) error {
			if calls++; calls == 1 {
				return errors.New("no stock")
			}
			return nil
		}, bq.WithHandlerTimeout(timeout), bq.WithRetryInPlace(1, func(int64) time.Duration { return 2 * timeout }))
		b.publish(t, q, order{ID: 1})
		if got := s.next(); got.Action != bq.Acknowledged || calls != 2 || got.Delivery.Attempts != 0 {
			t.Errorf("L36: got %s after %d runs", got.Action, calls)
		}
	})
	t.Run("for an acknowledgement", func(t *testing.T) {
		b := inMemory(t)
		q := newQueue()
		s := b.serve(t, q, handle, bq.WithHandlerTimeout(timeout))
		fault := b.memory.Fail(bqtest.OnAck(q.Topic).Times(1).Hang())
		b.publish(t, q, order{ID: 1})
		b.waitFor(t, "the acknowledgement to hang", func() bool { return fault.Hits() == 1 })
		<-time.After(2 * timeout)
		fault.Release()
		if got := s.next(); got.Action != bq.Acknowledged || got.SettleErr != nil {
			t.Errorf("L36: got %s, %v", got.Action, got.SettleErr)
		}
	})
}

func TestAMessageInChunksThatTimesOutIsRetriedWhole(t *testing.T) { // L37
	onBothBackends(t, func(t *testing.T, b *backend) {
		if b.memory != nil {
			t.Skip("bqtest has no chunks")
		}
		for name, opts := range map[string][]bq.ConsumerOption{
			"republish": nil,
			"by nack":   {bq.WithRetryByNack(), bq.WithRetryBackoff(bq.ExponentialBackoff(time.Millisecond, time.Second))},
		} {
			t.Run(name, func(t *testing.T) {
				q := newQueue()
				note := strings.Repeat("x", 12_000_000)
				finish := make(chan struct{})
				sizes := make(chan int, 1000)
				// Messages are not decoded, which counts as a handler's time and may take a second where much else runs.
				other := orders(q)
				other.URN = "urn:babel:orders:other"
				s := b.serveRoutes(t, q, bq.Routes(bq.Handle(other, succeed)), append(opts,
					bq.WithUnknownURN(func(_ context.Context, d *bq.Delivery) error {
						sizes <- len(d.Data())
						if d.Attempts == 0 {
							<-finish
						}
						return nil
					}), bq.WithHandlerTimeout(time.Second), bq.WithConcurrency(2), bq.WithMaxAttempts(1000))...)
				producer, err := b.client.CreateProducer(pulsar.ProducerOptions{
					Topic: q.Topic, DisableBatching: true, EnableChunking: true,
				})
				if err != nil {
					t.Fatal(err)
				}
				defer producer.Close()
				data := `{"order_id":1,"note":"` + note + `"}`
				before, rest, _ := strings.Cut(foreign, `"data":{`)
				_, after, _ := strings.Cut(rest, "}")
				message := &pulsar.ProducerMessage{
					Payload: []byte(before + `"data":` + data + after), Properties: foreignProperties(nil),
				}
				if _, err := producer.Send(t.Context(), message); err != nil {
					t.Fatal(err)
				}
				runs := 0
				for ended := false; !ended; runs++ {
					got := s.next()
					switch {
					case got.Action == bq.Retried && errors.Is(got.Err, bq.ErrTimeout): // a later run may be late, too
						if runs == 0 {
							close(finish)
						}
					case runs > 0 && got.Action == bq.Acknowledged && got.SettleErr == nil:
						ended = true
					default:
						t.Fatalf("L37: run %d ended in %s, %v, %v", runs+1, got.Action, got.Err, got.SettleErr)
					}
				}
				if err := s.stop(); err != nil {
					t.Error(err)
				}
				if n := len(sizes); n == 0 || n > runs { // a run that is late before it begins does not begin
					t.Errorf("L37: %d runs for %d settlements", n, runs)
				}
				for range len(sizes) {
					if n := <-sizes; n != len(data) {
						t.Errorf("L37: a run had a payload of %d bytes, want %d", n, len(data))
					}
				}
				if left := b.backlog(t, q, pulsar.Shared); left != 0 {
					t.Errorf("L37: %d messages are left", left)
				}
			})
		}
	})
}

func TestTenRetriesInPlaceAreElevenRunsThenTheExhaustedFunction(t *testing.T) { // L38
	for _, withFunction := range []bool{true, false} {
		t.Run(fmt.Sprint(withFunction), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // where the others are handled before the first retry
				tenRetriesInPlace(t, withFunction)
			})
		})
	}
}

func tenRetriesInPlace(t *testing.T, withFunction bool) {
	b := inMemory(t)
	q := newQueue()
	b.backlog(t, q, pulsar.Exclusive)
	runs, recovered := 0, make(chan string, 10)
	opts := []bq.ConsumerOption{bq.WithConcurrency(4), bq.WithSubscriptionType(pulsar.Exclusive),
		bq.WithMaxAttempts(1), bq.WithRetryInPlace(10, func(int64) time.Duration { return 10 * time.Millisecond })}
	hold := make(chan struct{})
	if withFunction {
		opts = append(opts, bq.WithOnExhausted(
			func(_ context.Context, d *bq.Delivery, err error) error {
				<-hold
				recovered <- fmt.Sprintf("%s %s %v %s", d.Property("bq-attempts"), d.Data(), err, d.URN)
				return nil
			}))
	}
	s := b.serve(t, q, func(ctx context.Context, m *bq.Message[order]) error {
		if m.Data.ID > 0 {
			return nil
		}
		if runs++; ctx.Err() != nil || bq.TraceID(ctx) != m.TraceID {
			t.Errorf("L38: run %d has a context that ended, or another trace", runs)
		}
		return fmt.Errorf("no stock (run %d)", runs)
	}, opts...)
	b.publishAll(t, q, 101, keyless)
	if got := s.settle(100); got[bq.Acknowledged] != 100 {
		t.Errorf("L38: got %v", got)
	}
	if withFunction {
		if left := b.memory.Backlog(q.Topic, "babelqueue"); left != 1 {
			t.Errorf("L38: %d messages are left before the function has returned", left)
		}
	}
	close(hold)
	got := s.next()
	switch {
	case runs != 11:
		t.Errorf("L38: %d runs, want 11", runs)
	case withFunction && got.Action != bq.Recovered, !withFunction && got.Action != bq.DeadLettered:
		t.Errorf("L38: got %s", got.Action)
	}
	if !withFunction {
		if letter := b.deadLetter(t, q); letter.Properties()["bq-attempts"] != "1" {
			t.Errorf("L38: the dead letter has %s attempts", letter.Properties()["bq-attempts"])
		}
		return
	}
	if text := await(t, recovered, "the function"); text != `0 {"order_id":0} no stock (run 11) `+orderURN {
		t.Errorf("L38: the function got %s", text)
	}
}

func TestShutdownInALongBackoffReleases(t *testing.T) { // L39
	b := inMemory(t)
	q := newQueue()
	failed := make(chan struct{}, 2)
	working := make(chan struct{})
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		if m.Data.ID < 2 {
			failed <- struct{}{}
			return errors.New("no stock")
		}
		close(working)
		<-time.After(200 * time.Millisecond)
		return nil
	}, bq.WithConcurrency(2), bq.WithGracePeriod(5*time.Second),
		bq.WithRetryInPlace(5, func(int64) time.Duration { return 10 * time.Minute }))
	b.publishAll(t, q, 3, keyless)
	await(t, failed, "the first")
	await(t, failed, "the second")
	await(t, working, "the third")
	began := time.Now()
	if err := s.stop(); err != nil {
		t.Errorf("L39: %v", err)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("L39: Run returned after %s", took)
	}
	if got := s.settle(3); got[bq.Released] != 2 || got[bq.Acknowledged] != 1 {
		t.Errorf("L39: got %v", got)
	}
	if left := b.memory.Backlog(q.Topic, "babelqueue"); left != 2 {
		t.Errorf("L39: %d messages are left", left)
	}
}

func TestAnExhaustedFunctionThatFailsIsCalledAgain(t *testing.T) { // L40
	for _, subscription := range []pulsar.SubscriptionType{pulsar.Shared, pulsar.Exclusive} {
		for name, fail := range map[string]func(t *testing.T) error{
			"fails":  func(*testing.T) error { return errors.New("not now") },
			"panics": func(*testing.T) error { panic("not now") },
			"ends its goroutine": func(*testing.T) error {
				runtime.Goexit()
				return nil
			},
			"blocks": func(t *testing.T) error {
				<-t.Context().Done()
				return errors.New("the test is over")
			},
		} {
			t.Run(fmt.Sprintf("%s/%v", name, subscription), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { // where a call is late only if it blocks
					exhaustedFunctionThatFails(t, subscription, fail)
				})
			})
		}
	}
}

func exhaustedFunctionThatFails(t *testing.T, subscription pulsar.SubscriptionType, fail func(*testing.T) error) {
	b := inMemory(t)
	q := newQueue()
	calls, runs := make(chan int, 10), make(chan int, 100)
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		if m.Data.ID > 0 {
			return nil
		}
		runs <- 1
		return errors.New("no stock")
	}, append(impatient, bq.WithConcurrency(2), bq.WithSubscriptionType(subscription), bq.WithMaxAttempts(1),
		bq.WithOnExhausted(func(context.Context, *bq.Delivery, error) error {
			calls <- 1
			if len(calls) <= 2 {
				return fail(t)
			}
			return nil
		}))...)
	b.publishAll(t, q, 21, keyless)
	got := s.settle(21)
	if got[bq.Acknowledged] != 20 || got[bq.Recovered] != 1 || len(runs) != 1 || len(calls) != 3 {
		t.Errorf("L40: got %v, %d runs, %d calls", got, len(runs), len(calls))
	}
}
