package acceptance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"
	"go.uber.org/goleak"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// inMemory gives a test a broker whose faults it can script.
func inMemory(t *testing.T) *backend {
	t.Helper()
	broker := bqtest.NewBroker(t)
	return &backend{client: broker.Client(), memory: broker}
}

// waitFor waits for a state of the broker.
func (b *backend) waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := b.memory.WaitUntil(ctx, ok); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// impatient makes faults show soon.
var impatient = []bq.ConsumerOption{bq.WithSendTimeout(150 * time.Millisecond),
	bq.WithRetryBackoff(bq.ExponentialBackoff(5*time.Millisecond, 20*time.Millisecond))}

// TestNothingIsLostWhenAReplacementCannotBePublished is the order of settlement under faults: whatever happens to the
// message that replaces another, the other is acknowledged only after it (SET-3, SET-7, SET-8, RET-6, GATE-6).
func TestNothingIsLostWhenAReplacementCannotBePublished(t *testing.T) {
	type fault struct {
		name   string
		script func(topic string) *bqtest.Fault
		copies int // how many copies of the replacement there may be
	}
	faults := []fault{
		{"S1 send fails", func(topic string) *bqtest.Fault { return bqtest.OnSend(topic).Times(2).Err(errors.New("no")) }, 1},
		{"S2 send hangs",
			func(topic string) *bqtest.Fault { return bqtest.OnSend(topic).Times(1).Hang().Err(errors.New("late")) }, 1},
		{"stored, but the confirmation is lost", func(topic string) *bqtest.Fault {
			return bqtest.OnSend(topic).Times(2).Applied().Err(pulsar.ErrSendTimeout)
		}, 3},
		{"stored, and the confirmation hangs",
			func(topic string) *bqtest.Fault { return bqtest.OnSend(topic).Times(1).Applied().Hang() }, 2},
		{"S10 no producer", func(topic string) *bqtest.Fault {
			return bqtest.OnCreateProducer(topic).Times(2).Err(errors.New("forbidden"))
		}, 1},
		{"producer hangs", func(topic string) *bqtest.Fault { return bqtest.OnCreateProducer(topic).Times(1).Hang() }, 1},
	}
	gated := foreignProperties(map[string]string{"bq-schema-version": "2"})
	for _, situation := range []struct {
		name     string
		msg      pulsar.ProducerMessage
		urn      string
		attempts int
		retried  bool
		handled  bool
	}{
		{name: "retry", msg: pulsar.ProducerMessage{Payload: []byte(foreign),
			Properties: foreignProperties(nil)}, attempts: 2, retried: true, handled: true},
		{name: "dead letter", msg: pulsar.ProducerMessage{Payload: []byte(foreign),
			Properties: foreignProperties(nil)}, attempts: 1, handled: true},
		{name: "unknown URN", msg: pulsar.ProducerMessage{Payload: []byte(foreign),
			Properties: foreignProperties(map[string]string{"bq-job": "urn:y"})}, attempts: 1},
		{name: "gated", msg: pulsar.ProducerMessage{Payload: []byte(foreign), Properties: gated}, attempts: 3},
		{name: "poison", msg: pulsar.ProducerMessage{Payload: []byte("\xff")}, attempts: 3},
	} {
		for _, f := range faults {
			for _, c := range []struct {
				subscription pulsar.SubscriptionType
				settleTries  int
			}{{pulsar.Shared, 1}, {pulsar.Shared, 5}, {pulsar.Exclusive, 5}} {
				subscription := c.subscription
				t.Run(fmt.Sprintf("%s/%s/%v/%d", situation.name, f.name, subscription, c.settleTries), func(t *testing.T) {
					t.Parallel()
					b := inMemory(t)
					q := newQueue()
					handle, calls := failing(always)
					s := b.serve(t, q, handle, append(slices.Clone(impatient), bq.WithMaxAttempts(situation.attempts),
						bq.WithSubscriptionType(subscription), bq.WithSettleTries(c.settleTries))...)
					own, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: q.Topic, DisableBatching: true})
					if err != nil {
						t.Fatal(err)
					}
					topic := q.DeadLetterTopic
					var fault *bqtest.Fault
					if situation.retried {
						topic = q.Topic
						// The retry reaches the topic like any message: only what the consumer sends is to fail.
						fault = b.memory.Fail(f.script(topic).When(func(c bqtest.Call) bool {
							return c.Message == nil || c.Message.Properties["bq-attempts"] != "0"
						}))
					} else {
						fault = b.memory.Fail(f.script(topic))
					}
					if _, err := own.Send(t.Context(), &situation.msg); err != nil {
						t.Fatal(err)
					}
					b.waitFor(t, "everything to be settled", func() bool {
						return b.memory.SendCount(q.DeadLetterTopic) > 0 && b.memory.Backlog(q.Topic, "babelqueue") == 0
					})
					if err := s.stop(); err != nil {
						t.Error(err)
					}
					if n := b.memory.SendCount(q.DeadLetterTopic); n > f.copies*f.copies {
						t.Errorf("%d dead letters of one message", n)
					}
					returned := 0
					for len(s.settled) > 0 {
						if x := <-s.settled; x.Action == bq.Returned {
							returned++
							if x.SettleErr == nil {
								t.Error("a message is returned without a reason")
							}
						}
					}
					switch {
					case fault.Hits() == 0:
						t.Error("the fault was not met")
					case c.settleTries == 1 && returned == 0:
						t.Error("with one try the message is not given back")
					case c.settleTries == 5 && returned > 0:
						t.Errorf("the message is given back %d times, although further tries are left", returned)
					case c.settleTries == 5 && situation.handled:
						want := situation.attempts
						if situation.retried {
							want += f.copies - 1 // each is a message of its own
						}
						if calls.Load() != int64(want) {
							t.Errorf("F18: the handler ran %d times, want %d", calls.Load(), want)
						}
					}
				})
			}
		}
	}
}

func TestFailedAcknowledgementIsNoFailedHandler(t *testing.T) {
	for _, subscription := range []pulsar.SubscriptionType{pulsar.Shared, pulsar.Exclusive} {
		for name, c := range map[string]struct {
			handler int64 // calls that fail
			want    bq.Action
		}{"SET-9 handled": {0, bq.Acknowledged}, "dead-lettered": {always, bq.DeadLettered}} {
			for _, fault := range []struct {
				name  string
				times int
				left  int
			}{{"once", 1, 0}, {"always", always, 1}} {
				t.Run(fmt.Sprintf("%s/%v/%s", name, subscription, fault.name), func(t *testing.T) {
					t.Parallel()
					b := inMemory(t)
					q := newQueue()
					handle, calls := failing(c.handler)
					options := append(slices.Clone(impatient), bq.WithMaxAttempts(1), bq.WithSubscriptionType(subscription))
					s := b.serve(t, q, handle, options...)
					lost := b.memory.Fail(bqtest.OnAck(q.Topic).Times(fault.times).Err(errors.New("lost")))
					b.publish(t, q, order{ID: 1})
					if got := s.next(); got.Action != c.want || got.SettleErr == nil {
						t.Errorf("got %s, %v", got.Action, got.SettleErr)
					}
					b.waitFor(t, "the acknowledgement to be tried again", func() bool {
						return lost.Hits() > 1 || b.memory.Backlog(q.Topic, "babelqueue") == 0
					})
					if err := s.stop(); err != nil {
						t.Error(err)
					}
					if len(s.settled) > 0 {
						t.Errorf("a second report: %+v", <-s.settled)
					}
					if left := b.memory.Backlog(q.Topic, "babelqueue"); calls.Load() != 1 || left != fault.left {
						t.Errorf("SET-9: %d calls, %d messages left, want 1 and %d", calls.Load(), left, fault.left)
					}
					if fault.left == 0 {
						return
					}
					lost.Release()
					again := b.serve(t, q, handle, options...)
					if got := again.next(); got.Action != c.want || got.SettleErr != nil {
						t.Errorf("the second delivery: got %s, %v", got.Action, got.SettleErr)
					}
				})
			}
		}
	}
}

func TestHangingAcknowledgementIsBounded(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	handle, _ := failing(0)
	s := b.serve(t, q, handle, impatient...)
	fault := b.memory.Fail(bqtest.OnAck(q.Topic).Times(1).Hang())
	b.publish(t, q, order{ID: 1})
	if got := s.next(); got.Action != bq.Acknowledged || got.SettleErr == nil {
		t.Errorf("got %s, %v", got.Action, got.SettleErr)
	}
	// The client has one acknowledgement of a partition under way at a time.
	fault.Release()
	b.publish(t, q, order{ID: 2})
	if got := s.next(); got.Action != bq.Acknowledged || got.SettleErr != nil {
		t.Errorf("the message after it: got %s, %v", got.Action, got.SettleErr)
	}
}

func TestManyDeadLettersUseFewProducers(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	handle, _ := failing(always)
	s := b.serve(t, q, handle, bq.WithMaxAttempts(1), bq.WithConcurrency(4))
	producers := bq.NewProducers(b.client)
	defer producers.Close(context.Background())
	publisher := bq.NewPublisher(producers, orders(q))
	for i := range 500 {
		if _, err := publisher.Publish(context.Background(), order{ID: int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	for range 500 {
		if got := s.next(); got.Action != bq.DeadLettered {
			t.Fatalf("got %s, %v", got.Action, got.SettleErr)
		}
	}
	if n := b.memory.Producers(q.DeadLetterTopic); n > 8 {
		t.Errorf("S10: %d producers for the dead letters, want at most 8", n)
	}
}

func TestDeadLetterThatIsTooLargeLosesItsErrorText(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithMaxMessageSize(2000))
	b := &backend{client: broker.Client(), memory: broker}
	q := newQueue()
	own, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: q.DeadLetterTopic})
	if err != nil {
		t.Fatal(err)
	}
	letters := b.subscribe(t, q.DeadLetterTopic, "letters")
	s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return errors.New(strings.Repeat("x", 3000)) },
		append(slices.Clone(impatient), bq.WithMaxAttempts(1), bq.WithDeadLetterProducer(own))...)
	b.publish(t, q, order{ID: 1})
	if got := s.next(); got.Action != bq.DeadLettered {
		t.Fatalf("S9: got %s, %v", got.Action, got.SettleErr)
	}
	if got := string(receive(t, letters).Payload()); !strings.Contains(got,
		`"dead_letter":{"reason":"failed","error":null,"exception":null,`) {
		t.Errorf("S9: got %s", got)
	}
}

func TestDeadLettersAreKeptFromTheStart(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		handle, _ := failing(always)
		s := b.serve(t, q, handle, bq.WithMaxAttempts(1))
		sent := b.publish(t, q, order{ID: 1})
		s.next()
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		if got := b.deadLetter(t, q).Properties()["bq-message-id"]; got != sent.ID {
			t.Errorf("S45: got dead letter %s, want %s", got, sent.ID)
		}
	})
}

func TestDeadLettersInUseByAnotherDoNotKeepAConsumerFromStarting(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		reader, err := b.client.Subscribe(pulsar.ConsumerOptions{Topic: q.DeadLetterTopic,
			SubscriptionName: "babelqueue", Type: pulsar.Exclusive})
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		handle, _ := failing(always)
		s := b.serve(t, q, handle, bq.WithMaxAttempts(1))
		b.publish(t, q, order{ID: 1})
		if got := s.next(); got.Action != bq.DeadLettered {
			t.Errorf("got %s, %v", got.Action, got.SettleErr)
		}
		receive(t, reader)
	})
}

func TestStartAndStopLeaveNoGoroutines(t *testing.T) {
	b := inMemory(t)
	before := goleak.IgnoreCurrent()
	for i := range 100 {
		q := newQueue()
		if i%3 == 2 {
			b.memory.Fail(bqtest.OnSubscribe(q.Topic).Times(1))
			c, err := bq.NewConsumer(b.client, q, bq.Routes(bq.Handle(orders(q), func(context.Context,
				*bq.Message[order]) error {
				return nil
			})), bq.WithLogger(quiet))
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Run(context.Background()); !errors.Is(err, bqtest.ErrInjected) {
				t.Errorf("S5: a failed Subscribe: got %v", err)
			}
			continue
		}
		handle, _ := failing(int64(i % 2))
		s := b.serve(t, q, handle)
		if i%3 == 1 {
			b.publish(t, q, order{ID: 1})
			s.until()
		}
		if err := s.stop(); err != nil {
			t.Errorf("S5: %v", err)
		}
	}
	goleak.VerifyNone(t, before)
}

func TestReceiveErrorsAreReportedAndSurvived(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	handle, _ := failing(0)
	b.memory.Fail(bqtest.OnReceive(q.Topic).Times(1).Err(errors.New("hiccup")))
	reported := make(chan error, 10)
	s := b.serve(t, q, handle, bq.WithObserver(reportTo(reported)))
	b.publish(t, q, order{ID: 1})
	if got := s.next(); got.Action != bq.Acknowledged {
		t.Errorf("SET-10: got %s", got.Action)
	}
	if err := await(t, reported, "the error to be reported"); !strings.Contains(err.Error(), "hiccup") {
		t.Errorf("ERR-1: got %v", err)
	}
}

func TestConsumerThatPulsarClosedEndsRun(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		own := b.subscribe(t, q.Topic, "own")
		c, err := bq.NewConsumer(b.client, q, bq.Routes(bq.Handle(orders(q), func(context.Context,
			*bq.Message[order]) error {
			return nil
		})),
			bq.WithPulsarConsumer(own), bq.WithLogger(quiet), bq.WithConcurrency(4))
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- c.Run(context.Background()) }()
		await(t, c.Ready(), "the consumer")
		own.Close()
		var closed *pulsar.Error
		if err := await(t, done, "Run to return"); !errors.As(err, &closed) || closed.Result() != pulsar.ConsumerClosed {
			t.Errorf("S32: got %v", err)
		}
	})
}

func TestPartitionSuffixIsNotPartOfATopic(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	if err := b.memory.CreatePartitioned(q.Topic, 3); err != nil {
		t.Fatal(err)
	}
	handle, _ := failing(always)
	s := b.serve(t, q, handle, bq.WithMaxAttempts(2))
	for i := range 6 {
		b.publish(t, q, order{ID: int64(i)}, bq.WithKey(uuid.NewString()))
	}
	for n := 0; n < 6; {
		x := s.next()
		if x.Action == bq.DeadLettered {
			n++
		}
	}
	if b.memory.SendCount(q.DeadLetterTopic) != 6 || b.memory.SendCount(q.Topic) != 12 {
		t.Errorf("S17, RET-5: %d dead letters, %d messages, want 6 and 12",
			b.memory.SendCount(q.DeadLetterTopic), b.memory.SendCount(q.Topic))
	}
	for _, topic := range b.memory.Topics() {
		if strings.Contains(topic, "-partition-") && strings.HasSuffix(topic, ".dlq") {
			t.Errorf("S17: there is a topic %s", topic)
		}
	}
	b.deadLetter(t, q)
}
