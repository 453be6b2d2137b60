package acceptance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/testenv"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// limitSize has a topic refuse messages over a size.
func (b *backend) limitSize(t *testing.T, topic string, size int) {
	t.Helper()
	if b.memory != nil {
		b.memory.SetPolicies(topic, bqtest.Policies{MaxMessageSize: size})
		return
	}
	operate(t, http.MethodPut, adminPath(topic), "", http.StatusNoContent)
	operate(t, http.MethodPost, adminPath(topic)+"/maxMessageSize", fmt.Sprint(size), http.StatusNoContent)
	for deadline := time.Now().Add(patience); ; { // the broker learns of it through a topic of its own
		if time.Now().After(deadline) {
			t.Fatal("the topic does not get its policy")
		}
		producer, err := b.client.CreateProducer(pulsar.ProducerOptions{
			Topic: topic, DisableBatching: true, SendTimeout: time.Second,
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = producer.Send(context.Background(), &pulsar.ProducerMessage{Payload: make([]byte, size+1)})
		producer.Close()
		if err != nil {
			return
		}
	}
}

// F1: after a message that the broker refuses, the client confirms nothing more. The next one is published at once.
func TestAfterARefusalTheNextMessageIsPublishedAtOnce(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		b.limitSize(t, q.Topic, 1024)
		consumer := b.subscribe(t, q.Topic, "peek")
		const timeout = 2 * time.Second
		publisher := bq.NewPublisher(b.producers(t, bq.WithSendTimeout(timeout)), orders(q))
		ctx := context.Background()
		if _, err := publisher.Publish(ctx, order{ID: 1}); err != nil {
			t.Fatal(err)
		}
		next := func() string {
			for { // past what was sent before the topic had its policy
				if id := receive(t, consumer).Properties()["bq-message-id"]; id != "" {
					return id
				}
			}
		}
		next()
		for range 2 {
			if _, err := publisher.Publish(ctx, order{ID: 2, Note: strings.Repeat("x", 4096)}); err == nil {
				t.Fatal("F1: the broker takes what is over its limit")
			}
			for range 4 {
				sent, err := publisher.Publish(ctx, order{ID: 3})
				if err != nil {
					t.Fatalf("F1: the next message: %v", err)
				}
				if got := next(); got != sent.ID {
					t.Errorf("F1: message %s is on the topic, want %s", got, sent.ID)
				}
			}
		}
	})
}

// closingClient is a client whose producers take long to close.
type closingClient struct {
	pulsar.Client
	release chan struct{}
}

func (c closingClient) CreateProducer(o pulsar.ProducerOptions) (pulsar.Producer, error) {
	p, err := c.Client.CreateProducer(o)
	return closingProducer{p, c.release}, err
}

type closingProducer struct {
	pulsar.Producer
	release chan struct{}
}

func (p closingProducer) Close() { <-p.release; p.Producer.Close() }

// F14: Close has one bound for all topics, whatever hangs.
func TestCloseHasOneBoundForAllTopics(t *testing.T) {
	for _, topics := range []int{3, 30} {
		t.Run(fmt.Sprint(topics), func(t *testing.T) {
			t.Parallel()
			broker := bqtest.NewBroker(t)
			release := make(chan struct{})
			defer close(release)
			producers := bq.NewProducers(closingClient{broker.Client(), release}, bq.WithLogger(quiet))
			calls := newTally()
			var hanging *bqtest.Fault
			for _, stage := range []string{"answered", "hanging"} {
				for id := range int64(topics) {
					q := newQueue()
					publisher := bq.NewPublisher(producers, orders(q))
					if stage == "answered" {
						if _, err := publisher.Publish(context.Background(), order{ID: id}); err != nil {
							t.Fatal(err)
						}
						continue
					}
					publisher.PublishAsync(context.Background(), order{ID: id}, calls.of(id))
				}
				if stage == "answered" {
					hanging = broker.Fail(bqtest.OnSend().Hang())
				}
			}
			for deadline := time.Now().Add(patience); hanging.Held() < topics; runtime.Gosched() {
				if time.Now().After(deadline) {
					t.Fatal("the messages are not on their way")
				}
			}
			const bound = 2 * time.Second
			ctx, cancel := context.WithTimeout(context.Background(), bound)
			defer cancel()
			began := time.Now()
			err := producers.Close(ctx)
			took := time.Since(began)
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%d messages", topics)) {
				t.Errorf("F14: Close: %v", err)
			}
			if took > 15*time.Second { // one after the other, each would take the send timeout of 30 s
				t.Errorf("F14: Close took %s, the bound is %s", took, bound)
			}
			if failed := calls.check(t, topics); failed != topics {
				t.Errorf("F14: %d of %d messages failed", failed, topics)
			}
			if err := producers.Close(context.Background()); err != nil {
				t.Errorf("the second Close: %v", err)
			}
		})
	}
}

// L69: a router that answers nonsense is an error, and nothing is sent.
func TestARouterThatAnswersNonsense(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		b.partition(t, q.Topic, 4)
		consumer := b.subscribe(t, q.Topic, "peek")
		var answer atomic.Int64
		var panics atomic.Bool
		entered, release, blocks := make(chan struct{}), make(chan struct{}), atomic.Bool{}
		kept := make(chan *pulsar.ProducerMessage, 1000)
		options := bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
			o.MessageRouter = func(m *pulsar.ProducerMessage, _ pulsar.TopicMetadata) int {
				kept <- m
				m.Payload[0] = 'X'
				m.Properties["bq-attempts"] = "7"
				switch {
				case panics.Load():
					panic("no way")
				case blocks.Load():
					close(entered)
					<-release
				}
				return int(answer.Load())
			}
		})
		publisher := bq.NewPublisher(b.producers(t, options), orders(q))
		ctx := context.Background()
		good := func() {
			t.Helper()
			for want := range int64(4) {
				answer.Store(want)
				sent, err := publisher.Publish(ctx, order{ID: want})
				if err != nil {
					t.Fatal(err)
				}
				if sent.MessageID.PartitionIdx() != int32(want) {
					t.Errorf("partition %d, want %d", sent.MessageID.PartitionIdx(), want)
				}
				m := receive(t, consumer)
				if m.Properties()["bq-message-id"] != sent.ID || m.Payload()[0] != '{' || m.Properties()["bq-attempts"] != "0" {
					t.Errorf("got %q with %v", m.Payload(), m.Properties())
				}
			}
		}
		good()
		for _, wrong := range []int64{-1, 4, 1 << 40, math.MinInt64} {
			answer.Store(wrong)
			_, err := publisher.Publish(ctx, order{ID: 9})
			failed := make(chan error, 2)
			publisher.PublishAsync(ctx, order{ID: 9}, func(_ bq.PublishResult, err error) { failed <- err })
			for _, err := range []error{err, await(t, failed, "the callback")} {
				if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("router chose partition %d of 4", wrong)) {
					t.Errorf("partition %d: %v", wrong, err)
				}
			}
		}
		answer.Store(0)
		panics.Store(true)
		if _, err := publisher.Publish(ctx, order{ID: 9}); !errors.As(err, new(*bq.PanicError)) {
			t.Errorf("a panic: %v", err)
		}
		panics.Store(false)
		blocks.Store(true)
		short, cancel := context.WithCancel(ctx)
		failed := make(chan error, 1)
		go func() {
			_, err := publisher.Publish(short, order{ID: 9})
			failed <- err
		}()
		await(t, entered, "the router")
		cancel()
		if err := await(t, failed, "Publish"); !errors.Is(err, context.Canceled) {
			t.Errorf("a router that blocks: %v", err)
		}
		blocks.Store(false)
		close(release)
		receive(t, consumer) // the context had ended when it was with the client: it may be stored
		good()

		// Retries and dead letters have no router: the dead-letter topic has one partition.
		answer.Store(3)
		calls := len(kept)
		s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return errors.New("no") },
			options, bq.WithMaxAttempts(2), bq.WithRetryBackoff(bq.NoBackoff))
		if _, err := publisher.Publish(ctx, order{ID: 1}); err != nil {
			t.Fatal(err)
		}
		for {
			if got := s.until(); got[len(got)-1].Delivery.Attempt() == 2 {
				break
			}
		}
		if more := len(kept) - calls; more != 1 {
			t.Errorf("the router was asked %d times for one message", more)
		}
	})
}

// interceptor is a producer interceptor.
type interceptor struct {
	before func(*pulsar.ProducerMessage)
	after  func()
}

func (i interceptor) BeforeSend(_ pulsar.Producer, m *pulsar.ProducerMessage) {
	if i.before != nil {
		i.before(m)
	}
}

func (i interceptor) OnSendAcknowledgement(pulsar.Producer, *pulsar.ProducerMessage, pulsar.MessageID) {
	if i.after != nil {
		i.after()
	}
}

// L70: interceptors can add properties and change keys, and do no harm.
func TestInterceptors(t *testing.T) {
	const n = 10
	var before, after atomic.Int64
	count := interceptor{func(m *pulsar.ProducerMessage) { before.Add(1) }, func() { after.Add(1) }}
	for _, c := range []struct {
		name    string
		i       interceptor
		refused string // in the error of publishing; "" for none
	}{
		{name: "adds a property", i: interceptor{before: func(m *pulsar.ProducerMessage) { m.Properties["added"] = "yes" }}},
		{name: "sets the key", i: interceptor{before: func(m *pulsar.ProducerMessage) { m.Key = "its own" }}},
		{name: "changes the attempts", refused: "changed the property bq-attempts",
			i: interceptor{before: func(m *pulsar.ProducerMessage) { m.Properties["bq-attempts"] = "3" }}},
		{name: "removes a property", refused: "changed the property bq-job",
			i: interceptor{before: func(m *pulsar.ProducerMessage) { delete(m.Properties, "bq-job") }}},
		{name: "changes the payload", refused: "changed the body",
			i: interceptor{before: func(m *pulsar.ProducerMessage) { m.Payload[0] = ' ' }}},
		{name: "panics before", refused: "panic", i: interceptor{before: func(*pulsar.ProducerMessage) { panic("before") }}},
		{name: "panics after", i: interceptor{after: func() { panic("after") }}},
	} {
		t.Run(c.name, func(t *testing.T) {
			broker := bqtest.NewBroker(t, bqtest.WithRetention())
			b := &backend{client: broker.Client(), memory: broker}
			q := newQueue()
			before.Store(0)
			after.Store(0)
			options := bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
				o.Interceptors = pulsar.ProducerInterceptors{count, c.i}
			})
			producers := b.producers(t, options)
			publisher := bq.NewPublisher(producers, orders(q))
			calls := newTally()
			for id := range int64(2 * n) {
				if id < n {
					publisher.PublishAsync(context.Background(), order{ID: id}, calls.of(id))
					continue
				}
				r, err := publisher.Publish(context.Background(), order{ID: id})
				calls.of(id)(r, err)
			}
			if err := producers.Close(context.Background()); err != nil {
				t.Error(err)
			}
			failed := calls.check(t, 2*n)
			sent := broker.Messages(q.Topic)
			switch {
			case c.refused == "" && (failed > 0 || len(sent) != 2*n || before.Load() != 2*n || after.Load() != 2*n):
				t.Errorf("%d failed, %d sent, %d calls before and %d after", failed, len(sent), before.Load(), after.Load())
			case c.refused != "" && (failed != 2*n || len(sent) > 0):
				t.Errorf("%d of %d failed, %d sent", failed, 2*n, len(sent))
			}
			for id, err := range calls.failed {
				if !strings.Contains(err.Error(), c.refused) {
					t.Errorf("message %d: %v", id, err)
				}
			}
			if c.name == "adds a property" && sent[0].Properties["added"] != "yes" {
				t.Error("the property is not there")
			}
			if c.name == "sets the key" && sent[0].Key != "its own" {
				t.Error("the key is not there")
			}
			if c.refused != "" {
				return
			}
			// A retry and a dead letter pass the interceptors too.
			before.Store(0)
			s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return errors.New("no") }, options,
				bq.WithMaxAttempts(2), bq.WithRetryBackoff(bq.NoBackoff), bq.WithConcurrency(4))
			for done := 0; done < 2*n; {
				if s.next().Action == bq.DeadLettered {
					done++
				}
			}
			if got := before.Load(); got != 4*n {
				t.Errorf("%d calls for %d retries and dead letters", got, 4*n)
			}
		})
	}
}

// L70: an interceptor that blocks on a confirmation holds up the callbacks of its topic and nothing else.
func TestAnInterceptorThatBlocksHoldsUpItsTopic(t *testing.T) {
	broker := bqtest.NewBroker(t)
	b := &backend{client: broker.Client(), memory: broker}
	q, other := newQueue(), newQueue()
	entered, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var before, after atomic.Int64
	options := bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
		blocks := o.Topic == q.Topic
		o.Interceptors = pulsar.ProducerInterceptors{interceptor{
			before: func(*pulsar.ProducerMessage) { before.Add(1) },
			after: func() {
				if after.Add(1); blocks {
					once.Do(func() { close(entered); <-release })
				}
			},
		}}
	})
	handle, _ := failing(1)
	s := b.serve(t, other, handle, options)
	producers := b.producers(t, options)
	publisher := bq.NewPublisher(producers, orders(q))
	calls := newTally()
	for id := range int64(10) {
		publisher.PublishAsync(t.Context(), order{ID: id}, calls.of(id))
	}
	await(t, entered, "the interceptor")
	if _, err := bq.NewPublisher(producers, orders(other)).Publish(t.Context(), order{}); err != nil {
		t.Errorf("another topic: %v", err)
	}
	if got := s.until(); len(got) != 2 || got[0].Action != bq.Retried {
		t.Errorf("the consumer of another topic, with the same options: %v", got)
	}
	for range 10 {
		if _, err := publisher.Publish(t.Context(), order{}); err != nil {
			t.Errorf("a Publish, which has no callback: %v", err)
		}
	}
	if got := calls.count(); got > 0 {
		t.Errorf("%d callbacks were called", got)
	}
	close(release)
	calls.await(t, 10)
	if failed := calls.check(t, 10); failed > 0 {
		t.Errorf("%d messages failed", failed)
	}
	if err := producers.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if before.Load() != 22 || after.Load() != 22 {
		t.Errorf("22 messages were sent; %d calls before and %d after", before.Load(), after.Load())
	}
}

// The access mode of a publisher's producers: one has the topic, another is refused at once or waits until it is free.
func TestAccessModesOfPublishers(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		if b.memory != nil {
			t.Skip("bqtest has no exclusive producers")
		}
		q := newQueue()
		consumer := b.subscribe(t, q.Topic, "peek")
		with := func(mode pulsar.ProducerAccessMode) (*bq.Producers, *bq.Publisher[order]) {
			producers := b.producers(t, bq.WithProducerOptions(func(o *pulsar.ProducerOptions) { o.ProducerAccessMode = mode }))
			return producers, bq.NewPublisher(producers, orders(q))
		}
		publish := func(p *bq.Publisher[order], id int64, refused string) {
			t.Helper()
			_, err := p.Publish(context.Background(), order{ID: id}, withID(id))
			if refused == "" && err != nil || refused != "" && (err == nil || !strings.Contains(err.Error(), refused)) {
				t.Errorf("message %d: got the error %v, want %q", id, err, refused)
			}
		}
		first, owner := with(pulsar.ProducerAccessModeExclusive)
		second, heir := with(pulsar.ProducerAccessModeExclusive)
		_, shared := with(pulsar.ProducerAccessModeShared)
		publish(owner, 1, "")
		publish(heir, 10, "ProducerFenced")
		publish(shared, 11, "ProducerBusy")
		if err := first.Close(context.Background()); err != nil {
			t.Error(err)
		}
		publish(heir, 2, "")

		_, patient := with(pulsar.ProducerAccessModeWaitForExclusive)
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		if _, err := patient.Publish(ctx, order{ID: 12}, withID(12)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a publisher that waits for the topic: %v", err)
		}
		sent := make(chan error, 1)
		report := func(_ bq.PublishResult, err error) { sent <- err }
		patient.PublishAsync(context.Background(), order{ID: 3}, report, withID(3))
		publish(heir, 4, "")
		if err := second.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := await(t, sent, "the result of the publisher that waited"); err != nil {
			t.Errorf("the topic is free: %v", err)
		}
		if got := b.ids(t, consumer, 4); !slices.Equal(got, []int64{1, 2, 4, 3}) {
			t.Errorf("messages %v are on the topic", got)
		}
	})
}

// L73: a cache of two producers, three topics in turn: nobody notices an eviction.
func TestEvictionUnderLoad(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const workers = 32
		each := int64(30)
		if b.memory != nil {
			each = 96
			b.memory.Fail(bqtest.OnSend().Delay(20 * time.Millisecond))
		}
		producers := bq.NewProducers(b.client, bq.WithLogger(quiet), bq.WithMaxProducers(2))
		var publishers []*bq.Publisher[order]
		var consumers []pulsar.Consumer
		for range 3 {
			q := newQueue()
			publishers = append(publishers, bq.NewPublisher(producers, orders(q)))
			consumers = append(consumers, b.subscribe(t, q.Topic, "peek"))
		}
		calls := newTally()
		var all sync.WaitGroup
		for worker := range int64(workers) {
			all.Go(func() {
				for i := range each {
					id := worker*each + i
					publisher := publishers[id%3]
					if id%2 == 0 {
						publisher.PublishAsync(context.Background(), order{ID: id}, calls.of(id), withID(id))
						continue
					}
					r, err := publisher.Publish(context.Background(), order{ID: id}, withID(id))
					calls.of(id)(r, err)
				}
			})
		}
		all.Wait()
		if err := producers.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if failed := calls.check(t, workers*int(each)); failed > 0 {
			t.Errorf("%d messages failed: %v", failed, calls.failed)
		}
		seen := map[int64]int{}
		for topic, consumer := range consumers {
			last := map[int64]int64{} // of a worker's asynchronous messages
			for _, id := range b.ids(t, consumer, workers*int(each)/3) {
				seen[id]++
				if id%2 == 0 {
					if worker := id / each; id < last[worker] {
						t.Errorf("topic %d: %d came after %d", topic, id, last[worker])
					} else {
						last[worker] = id
					}
				}
			}
		}
		if len(seen) != workers*int(each) {
			t.Errorf("%d different messages are on the topics, want %d", len(seen), workers*each)
		}
	})
}

// L73: many topics, one message each: the open producers stay bounded, and so does the heap.
func TestManyTopicsOneMessageEach(t *testing.T) {
	const workers, most = 32, 2
	topics := int64(10_000)
	if testenv.Race {
		topics /= 5
	}
	counting := &countingClient{Client: instantClient{}}
	b := &backend{client: counting}
	producers := b.producers(t, bq.WithMaxProducers(most))
	publish := func(n int64) int64 { // the heap after it
		var next atomic.Int64
		var all sync.WaitGroup
		for range workers {
			all.Go(func() {
				for next.Add(1) <= n {
					if _, err := bq.NewPublisher(producers, orders(newQueue())).Publish(context.Background(), order{}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		return heap()
	}
	before := publish(topics / 5)
	if more := publish(topics-topics/5) - before; more > topics/2*1024 {
		t.Errorf("%d topics keep %d bytes", topics-topics/5, more)
	}
	if err := producers.Close(context.Background()); err != nil {
		t.Error(err)
	}
	// An evicted producer may take a moment to close, during which the next one is open.
	if got := counting.most.Load(); got > 2*(most+workers) {
		t.Errorf("%d producers were open at a time, want at most %d and those in use or closing", got, most)
	}
	if got := counting.open.Load(); got != 0 {
		t.Errorf("%d producers are open after Close", got)
	}
}

// instantClient has producers that confirm every message at once.
type instantClient struct{ pulsar.Client }

func (instantClient) CreateProducer(o pulsar.ProducerOptions) (pulsar.Producer, error) {
	return instantProducer{topic: o.Topic}, nil
}

type instantProducer struct {
	pulsar.Producer
	topic string
}

func (p instantProducer) Topic() string { return p.topic }
func (p instantProducer) Close()        {}
func (p instantProducer) SendAsync(
	_ context.Context, m *pulsar.ProducerMessage, done func(pulsar.MessageID, *pulsar.ProducerMessage, error),
) {
	done(nil, m, nil)
}

// countingClient counts the producers that are open.
type countingClient struct {
	pulsar.Client
	open, most atomic.Int64
}

func (c *countingClient) CreateProducer(o pulsar.ProducerOptions) (pulsar.Producer, error) {
	p, err := c.Client.CreateProducer(o)
	if err != nil {
		return nil, err
	}
	open := c.open.Add(1)
	for most := c.most.Load(); open > most && !c.most.CompareAndSwap(most, open); most = c.most.Load() {
	}
	return &countedProducer{p, c}, nil
}

type countedProducer struct {
	pulsar.Producer
	client *countingClient
}

func (p *countedProducer) Close() { p.Producer.Close(); p.client.open.Add(-1) }
