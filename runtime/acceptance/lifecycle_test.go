package acceptance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/crypto"
	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// newConsumer returns a consumer of q's orders that does not run yet.
func (b *backend) newConsumer(
	t *testing.T, q bq.Queue, handle bq.HandlerFunc[order], opts ...bq.ConsumerOption,
) *bq.Consumer {
	t.Helper()
	c, err := bq.NewConsumer(b.client, q, bq.Routes(bq.Handle(orders(q), handle)),
		append([]bq.ConsumerOption{bq.WithLogger(quiet)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func succeed(context.Context, *bq.Message[order]) error { return nil }

// TestRunIsNeverNilWithoutASubscription: F29.
func TestRunIsNeverNilWithoutASubscription(t *testing.T) {
	b := inMemory(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.newConsumer(t, newQueue(), succeed).Run(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("F29: stopped before it started: got %v", err)
	}
	q := newQueue()
	hang := b.memory.Fail(bqtest.OnSubscribe(q.Topic).Hang())
	defer hang.Release()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	c := b.newConsumer(t, q, succeed)
	go func() { done <- c.Run(ctx) }()
	eventually(t, "the consumer to subscribe", func() bool { return hang.Held() == 1 })
	if got := c.Status().State; got != bq.StateStarting {
		t.Errorf("the state is %s", got)
	}
	if err := c.Run(ctx); err == nil || !strings.Contains(err.Error(), "it is running") {
		t.Errorf("a consumer runs twice at a time: %v", err)
	}
	cancel()
	if err := await(t, done, "Run to return"); !errors.Is(err, context.Canceled) ||
		!strings.Contains(err.Error(), "before it had subscribed") {
		t.Errorf("F29: stopped while it started: got %v", err)
	}
}

// TestRunSaysWhyItEnded: F22.
func TestRunSaysWhyItEnded(t *testing.T) {
	t.Run("the client was closed", func(t *testing.T) {
		b := inMemory(t)
		client := b.memory.Client()
		b.client = client
		s := b.serve(t, newQueue(), succeed)
		client.Close()
		if err := await(t, s.done, "Run to return"); err == nil || !strings.Contains(err.Error(), "client or its consumer") {
			t.Errorf("F22: got %v", err)
		}
		if status := s.consumer.Status(); status.State != bq.StateIdle || status.LastError == nil {
			t.Errorf("the status is %+v", status)
		}
	})
	t.Run("the topic was deleted", func(t *testing.T) {
		onBothBackends(t, func(t *testing.T, b *backend) {
			if b.memory != nil {
				t.Skip("bqtest deletes no topics")
			}
			namespace := "public/closed-" + uuid.NewString()
			operate(t, http.MethodPut, "/namespaces/"+namespace, "{}", http.StatusNoContent)
			operate(t, http.MethodPost, "/namespaces/"+namespace+"/autoTopicCreation",
				`{"allowAutoTopicCreation":false}`, http.StatusNoContent)
			q := bq.Queue{Name: "orders", Topic: "persistent://" + namespace + "/orders"}
			operate(t, http.MethodPut, adminPath(q.Topic), "{}", http.StatusNoContent)
			s := b.serve(t, q, succeed)
			operate(t, http.MethodDelete, adminPath(q.Topic)+"?force=true", "", http.StatusNoContent)
			if err := await(t, s.done, "Run to return"); err == nil || !strings.Contains(err.Error(), "TopicNotFound") {
				t.Errorf("F22: got %v", err)
			}
		})
	})
}

func TestAConsumerThatEndedCanRunAgain(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		seen := make(chan int64, 10)
		c := b.newConsumer(t, q, func(_ context.Context, m *bq.Message[order]) error { seen <- m.Data.ID; return nil })
		if got := c.Status().State; got != bq.StateIdle {
			t.Errorf("the state is %s", got)
		}
		for run := range int64(3) {
			ctx, cancel := context.WithCancel(t.Context())
			ready, done := c.Ready(), make(chan error, 1)
			go func() { done <- c.Run(ctx) }()
			await(t, ready, "the consumer")
			if got := c.Status(); got.State != bq.StateRunning || !got.Connected {
				t.Errorf("the status is %+v", got)
			}
			b.publish(t, q, order{ID: run})
			if got := await(t, seen, "the message"); got != run {
				t.Errorf("run %d handles message %d", run, got)
			}
			cancel()
			if err := await(t, done, "Run to return"); err != nil {
				t.Error(err)
			}
			select {
			case <-c.Ready():
				t.Error("it is ready after its end")
			default:
			}
		}
	})
}

// TestTheBrokerComesLate: L58.
func TestTheBrokerComesLate(t *testing.T) {
	for name, c := range map[string]struct {
		broken time.Duration // how long subscribing fails
		denied time.Duration // how long the dead-letter topic is refused
		cancel time.Duration
		tries  int
	}{
		"after 15 s":                    {broken: 15 * time.Second, tries: 3},
		"without permission until 25 s": {broken: 15 * time.Second, denied: 25 * time.Second, tries: 4},
		"cancelled in a wait":           {broken: time.Hour, cancel: 13 * time.Second, tries: 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &backend{memory: bqtest.NewBroker(t, bqtest.WithRetention())}
				b.client = b.memory.Client()
				q := newQueue()
				b.publish(t, q, order{ID: 1})
				start := time.Now()
				within := func(limit time.Duration) func(bqtest.Call) bool {
					return func(bqtest.Call) bool { return time.Since(start) < limit }
				}
				down := errors.New("connection error")
				b.memory.Fail(bqtest.OnSubscribe(q.Topic).When(within(c.broken)).Err(down))
				b.memory.Fail(bqtest.OnSubscribe(q.DeadLetterTopic).When(within(c.denied)).Err(errors.New("not allowed")))
				var log lockedBuilder
				seen := make(chan time.Duration, 10)
				consumer := b.newConsumer(t, q, func(context.Context, *bq.Message[order]) error {
					seen <- time.Since(start)
					return nil
				}, bq.WithStartup(bq.StartupRetry(3, 10*time.Second)), bq.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
				ctx, cancel := context.WithCancel(t.Context())
				if c.cancel > 0 {
					time.AfterFunc(c.cancel, cancel)
				}
				done := make(chan error, 1)
				go func() { done <- consumer.Run(ctx) }()
				ready := consumer.Ready()

				time.Sleep(5 * time.Second) // of the bubble
				status := consumer.Status()
				if status.State != bq.StateStarting || status.LastError == nil ||
					!status.NextStart.Equal(start.Add(10*time.Second)) {
					t.Errorf("L58: in the wait: %+v", status)
				}
				if n := b.memory.Consumers(q.Topic, "babelqueue"); n != 0 {
					t.Errorf("L58: %d consumers are left of a try that failed", n)
				}
				if c.cancel > 0 {
					err := await(t, done, "Run to return")
					if !errors.Is(err, context.Canceled) || !errors.Is(err, down) || time.Since(start) != c.cancel {
						t.Errorf("L58, F29: after %s: %v", time.Since(start), err)
					}
				} else {
					await(t, ready, "the consumer")
					if at := await(t, seen, "the message"); at.Round(time.Second) != time.Duration(c.tries-1)*10*time.Second {
						t.Errorf("L58: handled after %s", at)
					}
					cancel()
					if err := await(t, done, "Run to return"); err != nil {
						t.Error(err)
					}
				}
				failed := strings.Count(log.String(), "could not start, it is tried again")
				if want := c.tries - map[bool]int{true: 0, false: 1}[c.cancel > 0]; failed != want {
					t.Errorf("L58: %d warnings, want %d", failed, want)
				}
				cancel()
			})
		})
	}
}

// TestStartupPoliciesOfConsumersThatRunTogether: L59.
func TestStartupPoliciesOfConsumersThatRunTogether(t *testing.T) {
	for name, c := range map[string]struct {
		policy bq.Startup
		tries  int
		goesOn bool
	}{
		"stop":     {bq.StartupStop, 1, false},
		"continue": {bq.StartupContinue, 1, true},
		"retry":    {bq.StartupRetry(3, 10*time.Second), 4, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &backend{memory: bqtest.NewBroker(t)}
				b.client = b.memory.Client()
				broken, sound := newQueue(), newQueue()
				fault := b.memory.Fail(bqtest.OnSubscribe(broken.Topic).Err(errors.New("not authorized")))
				first := b.newConsumer(t, broken, succeed, bq.WithStartup(c.policy))
				seen := make(chan int64, 10)
				second := b.newConsumer(t, sound, func(_ context.Context, m *bq.Message[order]) error {
					seen <- m.Data.ID
					return nil
				})
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- bq.Run(ctx, first, second) }()
				if !c.goesOn {
					err := await(t, done, "Run to return")
					if err == nil || !strings.Contains(err.Error(), "not authorized") {
						t.Errorf("L59: got %v", err)
					}
				} else {
					time.Sleep(time.Minute) // of the bubble
					b.publish(t, sound, order{ID: 1})
					await(t, seen, "the second consumer to work")
					if status := first.Status(); status.State != bq.StateIdle || status.LastError == nil {
						t.Errorf("L59: the status of the first is %+v", status)
					}
				}
				if fault.Hits() != c.tries {
					t.Errorf("L59: %d tries, want %d", fault.Hits(), c.tries)
				}
				fault.Clear()
				again, stop := context.WithCancel(t.Context())
				restarted, ready := make(chan error, 1), first.Ready()
				go func() { restarted <- first.Run(again) }()
				await(t, ready, "the first to start again")
				stop()
				if err := await(t, restarted, "it to stop"); err != nil {
					t.Errorf("L59: %v", err)
				}
				cancel()
				if c.goesOn {
					if err := await(t, done, "Run to return"); err == nil {
						t.Error("Run is silent about the consumer that never ran")
					}
				}
				if got := second.Status().State; got != bq.StateIdle {
					t.Errorf("L59: the second is %s", got)
				}
			})
		})
	}
}

func TestRunOfSeveralStopsAllWhenOneFails(t *testing.T) {
	b := inMemory(t)
	one, other := newQueue(), newQueue()
	revoked := errors.New("revoked")
	first := b.newConsumer(t, one, func(context.Context, *bq.Message[order]) error { return bq.Stop(revoked) })
	second := b.newConsumer(t, other, succeed)
	done := make(chan error, 1)
	ready := []<-chan struct{}{first.Ready(), second.Ready()}
	go func() { done <- bq.Run(t.Context(), first, second) }()
	for _, r := range ready {
		await(t, r, "the consumers")
	}
	b.publish(t, one, order{ID: 1})
	if err := await(t, done, "Run to return"); !errors.Is(err, revoked) {
		t.Errorf("got %v", err)
	}
	for name, consumers := range map[string][]*bq.Consumer{"none": nil, "nil": {first, nil}, "twice": {first, first}} {
		if err := bq.Run(t.Context(), consumers...); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestDrainSettlesWhatWasReceivedAndReceivesNothing(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		b.backlog(t, q, pulsar.Shared)
		b.publishAll(t, q, 20, keyless)
		started, finish := make(chan struct{}, 100), make(chan struct{})
		s := b.serve(t, q, func(context.Context, *bq.Message[order]) error {
			started <- struct{}{}
			<-finish
			return nil
		}, bq.WithConcurrency(2))
		await(t, started, "a handler")
		short, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.consumer.Drain(short); !errors.Is(err, context.Canceled) || s.consumer.Status().State != bq.StatePaused {
			t.Errorf("Drain without time: got %v, %s", err, s.consumer.Status().State)
		}
		s.consumer.Resume()
		drained := make(chan error, 1)
		go func() { drained <- s.consumer.Drain(t.Context()) }()
		eventually(t, "draining", func() bool { return s.consumer.Status().State == bq.StateDraining })
		close(finish)
		if err := await(t, drained, "Drain to return"); err != nil {
			t.Error(err)
		}
		status := s.consumer.Status()
		if status.State != bq.StatePaused || status.Unsettled != 0 || status.HeldBack != "pause" {
			t.Errorf("after Drain: %+v", status)
		}
		s.consumer.Resume()
		if got := s.settle(20); got[bq.Acknowledged] != 20 {
			t.Errorf("got %v", got)
		}
	})
}

// TestStatusKnowsWhetherTheBrokerAnswers: F23. The broker is asked at most every five seconds, and only when somebody
// asks.
func TestStatusKnowsWhetherTheBrokerAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &backend{memory: bqtest.NewBroker(t)}
		b.client = b.memory.Client()
		s := b.serve(t, newQueue(), succeed)
		since := s.consumer.Status().ConnectedSince
		time.Sleep(time.Minute)
		b.memory.Down()
		down := time.Now()
		if got := s.consumer.Status(); !got.Connected || !got.ConnectedSince.Equal(since) {
			t.Errorf("F23: nobody has asked yet: %+v", got)
		}
		time.Sleep(time.Minute) // the client tries for a while
		got := s.consumer.Status()
		if got.Connected || !got.ConnectedSince.Equal(down) || got.State != bq.StateRunning {
			t.Errorf("F23: the broker is away since %s: %+v", down, got)
		}
		b.memory.Up()
		time.Sleep(time.Minute)
		s.consumer.Status()
		time.Sleep(time.Minute)
		if got := s.consumer.Status(); !got.Connected || !got.ConnectedSince.After(down) {
			t.Errorf("F23: the broker is back: %+v", got)
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestStartingPodsDoNotDisturbARedrive: F21. A redrive takes the subscription of the dead letters for itself.
func TestStartingPodsDoNotDisturbARedrive(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const pods = 10
		q := newQueue()
		b.subscribe(t, q.DeadLetterTopic, "babelqueue").Close()
		stop, redriven := make(chan struct{}), make(chan error, 1)
		go func() {
			for {
				select {
				case <-stop:
					redriven <- nil
					return
				default:
				}
				c, err := b.client.Subscribe(pulsar.ConsumerOptions{
					Topic: q.DeadLetterTopic, SubscriptionName: "babelqueue", Type: pulsar.Exclusive,
				})
				if err != nil {
					redriven <- err
					return
				}
				c.Close()
			}
		}()
		for range pods {
			s := b.serve(t, q, succeed)
			if err := s.stop(); err != nil {
				t.Error(err)
			}
		}
		close(stop)
		if err := await(t, redriven, "the redrive"); err != nil {
			t.Errorf("F21: %v", err)
		}
	})
}

// TestTheSubscriptionOfDeadLettersCanBeNamedOrLeftOut: F21.
func TestTheSubscriptionOfDeadLettersCanBeNamedOrLeftOut(t *testing.T) {
	b := inMemory(t)
	for name, want := range map[string]string{"parked": "parked", "": ""} {
		q := newQueue()
		b.serve(t, q, succeed, bq.WithDeadLetterSubscription(name))
		if got := strings.Join(b.memory.Subscriptions(q.DeadLetterTopic), " "); got != want {
			t.Errorf("F21: WithDeadLetterSubscription(%q) makes %q", name, got)
		}
	}
}

// TestNothingOfTheUsersCrashesTheProcess: F30.
func TestNothingOfTheUsersCrashesTheProcess(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	if err := new(bq.Consumer).Run(t.Context()); err == nil {
		t.Error("F30: a zero Consumer runs")
	}
	c, err := bq.NewConsumer(panicking{b.client}, q, bq.Routes(bq.Handle(orders(q), succeed)), bq.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no token") {
		t.Errorf("F30: a client that panics: got %v", err)
	}
	for _, err := range bq.Read(t.Context(), panicking{b.client}, q, decodeOrders(q)) {
		if err == nil || !strings.Contains(err.Error(), "no token") {
			t.Errorf("F30: a reader's client that panics: got %v", err)
		}
	}
	s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return bq.Permanent(io.EOF) },
		bq.WithLogger(slog.New(panickingLog{})))
	b.publish(t, q, order{ID: 1})
	if got := s.next(); got.Action != bq.DeadLettered {
		t.Errorf("F30: a logger that panics: got %s", got.Action)
	}
}

// TestWhatCustomizersSetCrashesNothing: F30. The client calls it on goroutines of its own.
func TestWhatCustomizersSetCrashesNothing(t *testing.T) {
	b, q, keys := memory(t), newQueue(), newKeys(t)
	encrypted := func(k crypto.KeyReader) bq.Option {
		return bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
			o.Encryption = &pulsar.ProducerEncryptionInfo{KeyReader: k, Keys: []string{"k1"}}
		})
	}
	b.keep(t, q.Topic)
	publisher := bq.NewPublisher(b.producers(t, encrypted(keys)), orders(q))
	for id := range int64(2) {
		if _, err := publisher.Publish(t.Context(), order{ID: id + 1}); err != nil {
			t.Fatal(err)
		}
	}
	for bad, want := range map[crypto.KeyReader]string{
		panickingKeys{}: "no vault", missingKeys{}: "neither a key nor an error",
	} {
		_, err := bq.NewPublisher(b.producers(t, encrypted(bad)), orders(newQueue())).Publish(t.Context(), order{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: publishing: %v", bad, err)
		}
		_, errs := b.read(t, q, bq.WithReaderOptions(func(o *pulsar.ReaderOptions) {
			o.Decryption = &pulsar.MessageDecryptionInfo{KeyReader: bad}
		}))
		var unreadable *bq.UnreadableError
		if len(errs) != 2 || !errors.As(errs[0], &unreadable) || unreadable.Reason != bq.Undecryptable {
			t.Errorf("%T: reading: %v", bad, errs)
		}
		s := b.serve(t, q, succeed, bq.WithSubscription(fmt.Sprintf("%T", bad)), bq.WithDropUndecryptable(),
			bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) {
				o.Decryption = &pulsar.MessageDecryptionInfo{KeyReader: bad}
			}))
		if got := s.settlements(2); got[0].Reason != bq.Undecryptable || got[1].Reason != bq.Undecryptable {
			t.Errorf("%T: consuming: %v", bad, got)
		}
	}
	closed := make(chan error, 1)
	s := b.serve(t, q, succeed, bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) {
		o.Decryption = &pulsar.MessageDecryptionInfo{KeyReader: keys}
		o.Interceptors = pulsar.ConsumerInterceptors{nil, panickingInterceptor{closed}}
	}))
	if n := count(s.settlements(2), bq.Acknowledged); n != 2 {
		t.Errorf("with interceptors that panic, %d are acknowledged, want 2", n)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if err := await(t, closed, "the interceptor to be told of the end"); err != nil {
		t.Error(err)
	}
}

type panickingKeys struct{}

func (panickingKeys) PublicKey(string, map[string]string) (*crypto.EncryptionKeyInfo, error) {
	panic("no vault")
}

func (panickingKeys) PrivateKey(string, map[string]string) (*crypto.EncryptionKeyInfo, error) {
	panic("no vault")
}

type missingKeys struct{}

func (missingKeys) PublicKey(string, map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return nil, nil
}

func (missingKeys) PrivateKey(string, map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return nil, nil
}

type panickingInterceptor struct{ closed chan<- error }

func (panickingInterceptor) BeforeConsume(pulsar.ConsumerMessage)            { panic("before") }
func (panickingInterceptor) OnAcknowledge(pulsar.Consumer, pulsar.MessageID) { panic("acknowledged") }
func (panickingInterceptor) OnNegativeAcksSend(pulsar.Consumer, []pulsar.MessageID) {
	panic("given back")
}
func (p panickingInterceptor) OnConsumerClose(_ pulsar.Consumer, err error) {
	p.closed <- err
	panic("closed")
}

type panicking struct{ pulsar.Client }

func (panicking) Subscribe(pulsar.ConsumerOptions) (pulsar.Consumer, error) { panic("no token") }
func (panicking) CreateReader(pulsar.ReaderOptions) (pulsar.Reader, error)  { panic("no token") }
func (panicking) TopicPartitions(string) ([]string, error)                  { panic("no token") }

type panickingLog struct{ slog.Handler }

func (panickingLog) Enabled(context.Context, slog.Level) bool  { return true }
func (panickingLog) Handle(context.Context, slog.Record) error { panic("disk full") }

// TestARetryGoesToTheTopicItsMessageCameFrom: F32, RET-1.
func TestARetryGoesToTheTopicItsMessageCameFrom(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q, other := newQueue(), newQueue()
		both, err := b.client.Subscribe(pulsar.ConsumerOptions{
			Topics: []string{q.Topic, other.Topic}, SubscriptionName: "babelqueue", Type: pulsar.Shared,
			SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(both.Close)
		retry, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: q.Topic, DisableBatching: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(retry.Close)
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			if m.Attempt() == 1 {
				return errors.New("no stock")
			}
			return nil
		}, bq.WithPulsarConsumer(both), bq.WithSubscriptionType(pulsar.Shared), bq.WithRetryProducer(retry))
		for id, from := range []bq.Queue{q, other} {
			b.publish(t, from, order{ID: int64(id)})
			for range 2 {
				if x := s.next(); x.Delivery.Topic != from.Topic {
					t.Errorf("F32: a message of %s is %s on %s", from.Topic, x.Action, x.Delivery.Topic)
				}
			}
		}
	})
}
