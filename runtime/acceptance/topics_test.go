package acceptance

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// L56: one catalog serves three environments on one broker and one client.
func TestOneCatalogServesThreeEnvironments(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	b := &backend{client: broker.Client(), memory: broker}
	fixed := "persistent://public/default/fixed-" + uuid.NewString()
	queues := []bq.Queue{
		{Name: "orders", Topic: "orders", DeadLetterTopic: "orders.dlq"},
		{Name: "mails", Topic: "mails", DeadLetterTopic: "letters"},
		{Name: "fixed", Topic: fixed, DeadLetterTopic: fixed + ".dlq"},
	}
	want := []string{fixed, fixed + ".dlq"}
	returns := bq.Queue{Name: "returns", Topic: "returns"}
	shops := bq.Queue{Name: "shops", Topic: "shops", DeadLetterTopic: "shops.dlq"}
	for _, namespace := range []string{"acme/dev", "acme/stage", "acme/prod"} {
		broker.SetNamespace(namespace, bqtest.Namespace{})
		topics := bq.WithTopics(bq.InNamespace(namespace))
		prefix := "persistent://" + namespace + "/"
		want = append(want, prefix+"orders", prefix+"orders.dlq", prefix+"mails", prefix+"letters",
			prefix+"returns", prefix+"parked", prefix+"shops-eu", prefix+"shops.dlq")
		producers := bq.NewProducers(b.client, topics, bq.WithLogger(quiet))
		for _, q := range queues {
			var queue string
			s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
				queue = m.Queue
				return bq.Permanent(errors.New("no"))
			}, topics, bq.WithSubscription("environment-"+strings.ReplaceAll(namespace, "/", "-")))
			if _, err := bq.NewPublisher(producers, orders(q)).Publish(context.Background(), order{ID: 1}); err != nil {
				t.Fatal(err)
			}
			if got := s.next(); got.Action != bq.DeadLettered || got.SettleErr != nil {
				t.Errorf("%s in %s: %s, %v", q.Name, namespace, got.Action, got.SettleErr)
			}
			if err := s.stop(); err != nil {
				t.Error(err)
			}
			if want := q.Topic[strings.LastIndex(q.Topic, "/")+1:]; queue != want {
				t.Errorf("ENV-5: meta.queue is %s, want %s", queue, want)
			}
			letters := prefix + q.DeadLetterTopic
			if strings.Contains(q.Topic, "/") {
				letters = q.DeadLetterTopic
			}
			if got := broker.Subscriptions(letters); !slices.Contains(got, "babelqueue") {
				t.Errorf("%s has the subscriptions %v", letters, got)
			}
		}
		read := 0
		for m, err := range bq.Read(t.Context(), b.client, queues[1], decodeOrders(queues[1]), topics) {
			if read++; err != nil || m.Topic != prefix+"mails" {
				t.Errorf("reading in %s: %+v, %v", namespace, m, err)
			}
		}
		if read != 1 {
			t.Errorf("%d messages were read in %s, want 1", read, namespace)
		}
		// Pulsar's own dead-letter policy, and the topics of a prefix.
		s := b.serve(t, returns, func(context.Context, *bq.Message[order]) error { return errors.New("no") }, topics,
			nativePolicy(1, "parked"))
		if _, err := bq.NewPublisher(producers, orders(returns)).Publish(t.Context(), order{ID: 1}); err != nil {
			t.Fatal(err)
		}
		receive(t, b.subscribe(t, prefix+"parked", "parked"))
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		b.keep(t, prefix+"shops-eu")
		s = b.serve(t, shops, succeed, topics, bq.WithTopicPrefix("shops-*"), discoverEvery(10*time.Millisecond))
		b.publish(t, at(prefix+"shops-eu"), order{ID: 1})
		if got := s.next(); got.Action != bq.Acknowledged || got.Delivery.Topic != prefix+"shops-eu" {
			t.Errorf("a topic of the prefix in %s: %s, %s", namespace, got.Action, got.Delivery.Topic)
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		if err := producers.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
	slices.Sort(want)
	if got := broker.Topics(); !slices.Equal(got, want) {
		t.Errorf("the broker has the topics %v, want %v", got, want)
	}
}

// A retry goes to the topic that its message came from, and the queue's name is that of the replaced topic.
func TestRetriesStayInTheirNamespace(t *testing.T) {
	broker := bqtest.NewBroker(t)
	b := &backend{client: broker.Client(), memory: broker}
	topics := bq.WithTopics(func(name string) string { return "persistent://public/default/staging-" + name })
	q := bq.Queue{Name: "orders", Topic: "orders", DeadLetterTopic: "orders.dlq"}
	handle, _ := failing(always)
	queue := make(chan string, 10)
	s := b.serve(t, q, func(ctx context.Context, m *bq.Message[order]) error {
		queue <- m.Queue
		return handle(ctx, m)
	}, topics)
	producers := bq.NewProducers(b.client, topics)
	defer producers.Close(context.Background())
	if _, err := bq.NewPublisher(producers, orders(q)).Publish(context.Background(), order{ID: 1}); err != nil {
		t.Fatal(err)
	}
	if got := s.until(); len(got) != 3 || got[2].Action != bq.DeadLettered {
		t.Errorf("got %d settlements, want two retries and a dead letter", len(got))
	}
	if got := await(t, queue, "a queue name"); got != "staging-orders" {
		t.Errorf("ENV-5: meta.queue is %q", got)
	}
	prefix := "persistent://public/default/staging-orders"
	if got := broker.Topics(); !slices.Equal(got, []string{prefix, prefix + ".dlq"}) {
		t.Errorf("the broker has the topics %v", got)
	}
}

// L57: what a function returns that is no topic is refused before anything reaches Pulsar.
func TestHostileTopicFunctionsAreRefused(t *testing.T) {
	results := map[string]string{
		"nothing": "", "a blank": " ", "two parts": "a/b", "a domain": "x://t/n/q", "no name": "persistent://t/n/",
		"five parts": "persistent://t/n/a/b/c", "a partition": "orders-partition-3", "no partition": "orders-partition-x",
		"a line": "t/n/q\nx", "a path": "../../q", "a megabyte": strings.Repeat("q", 1<<20), "no text": "orders\xff",
		"a megabyte of controls": strings.Repeat("\x1b", 1<<20), "a bad namespace": "persistent://a b/c/orders",
	}
	functions := map[string]func(string) string{
		"a panic": func(string) string { panic("no topic today") },
		"nil":     nil,
	}
	for name, result := range results {
		functions[name] = func(string) string { return result }
	}
	before := runtime.NumGoroutine()
	defer noMoreGoroutines(t, before)
	for name, fn := range functions {
		t.Run(name, func(t *testing.T) {
			refuse := func(t *testing.T, err error) {
				t.Helper()
				if err == nil {
					t.Fatal("it was accepted")
				}
				// At most 200 characters of the result, and what is around them.
				if !strings.Contains(err.Error(), "queue orders") || len(err.Error()) > 200+200 {
					t.Errorf("the error does not name the queue or is long: %.300s", err.Error())
				}
				for _, r := range err.Error() {
					if r < ' ' && r != '\n' {
						t.Errorf("the error contains %q", r)
					}
				}
				var panicked *bq.PanicError
				if name == "a panic" && (!errors.As(err, &panicked) || len(panicked.Stack) == 0) {
					t.Errorf("the panic is lost: %v", err)
				}
			}
			broker := bqtest.NewBroker(t)
			q := bq.Queue{Name: "orders", Topic: "orders", DeadLetterTopic: "orders.dlq"}
			route := bq.Handle(orders(q), func(context.Context, *bq.Message[order]) error { return nil })
			_, err := bq.NewConsumer(broker.Client(), q, bq.Routes(route), bq.WithTopics(fn))
			refuse(t, err)
			producers := bq.NewProducers(broker.Client(), bq.WithTopics(fn))
			defer producers.Close(context.Background())
			_, err = bq.NewPublisher(producers, orders(q)).Publish(context.Background(), order{ID: 1})
			refuse(t, err)
			for _, err = range bq.Read(context.Background(), broker.Client(), q, bq.DecodingSet[order]{}, bq.WithTopics(fn)) {
				refuse(t, err)
			}
			if got := broker.Topics(); len(got) > 0 {
				t.Errorf("the broker has the topics %v", got)
			}
		})
	}
}

// noMoreGoroutines waits until there are no more goroutines than before.
func noMoreGoroutines(t *testing.T, before int) {
	t.Helper()
	for deadline := time.Now().Add(patience); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, before there were %d:\n%s", runtime.NumGoroutine(), before,
				stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// L57: a queue cannot be its own dead-letter topic, a function that blocks is given up, and one that changes its mind
// is asked once.
func TestTopicFunctionsThatMisbehave(t *testing.T) {
	broker := bqtest.NewBroker(t)
	q := bq.Queue{Name: "orders", Topic: "orders", DeadLetterTopic: "letters"}
	route := bq.Handle(orders(q), func(context.Context, *bq.Message[order]) error { return nil })

	_, err := bq.NewConsumer(broker.Client(), q, bq.Routes(route),
		bq.WithTopics(func(string) string { return "letters" }))
	if err == nil || !strings.Contains(err.Error(), "its own dead-letter topic") {
		t.Errorf("a queue that is its own dead-letter topic: %v", err)
	}

	release := make(chan struct{})
	blocks := bq.WithTopics(func(name string) string { <-release; return name })
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	producers := bq.NewProducers(broker.Client(), blocks)
	defer producers.Close(context.Background())
	publisher := bq.NewPublisher(producers, orders(q))
	if _, err := publisher.Publish(ctx, order{ID: 1}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the function blocks: %v", err)
	}
	for _, err := range bq.Read(ctx, broker.Client(), q, bq.DecodingSet[order]{}, blocks) {
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the function blocks a reader: %v", err)
		}
	}
	if _, err := bq.NewConsumer(broker.Client(), q, bq.Routes(route), blocks); err == nil ||
		!strings.Contains(err.Error(), "has not returned") {
		t.Errorf("the function blocks: %v", err)
	}
	close(release)
	if _, err := publisher.Publish(context.Background(), order{ID: 1}); err != nil {
		t.Errorf("the function has returned: %v", err)
	}

	calls := 0
	changing := bq.WithTopics(func(name string) string { calls++; return fmt.Sprintf("%s-%d", name, calls) })
	changed := bq.NewProducers(broker.Client(), changing)
	defer changed.Close(context.Background())
	for range 3 {
		if _, err := bq.NewPublisher(changed, orders(q)).Publish(context.Background(), order{ID: 1}); err != nil {
			t.Error(err)
		}
	}
	if got := broker.SendCount("orders-1"); got != 3 || calls != 2 {
		t.Errorf("%d messages on the first topic after %d calls, want 3 after 2: one for each topic", got, calls)
	}
}

// F25: options of producers cannot send messages elsewhere.
func TestProducerOptionsThatBreakTheContractAreRefused(t *testing.T) {
	for name, change := range map[string]func(*pulsar.ProducerOptions){
		"Topic":       func(o *pulsar.ProducerOptions) { o.Topic = "elsewhere" },
		"Name":        func(o *pulsar.ProducerOptions) { o.Name = "service" },
		"SendTimeout": func(o *pulsar.ProducerOptions) { o.SendTimeout = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			broker := bqtest.NewBroker(t)
			q := newQueue()
			route := bq.Handle(orders(q), func(context.Context, *bq.Message[order]) error { return nil })
			_, err := bq.NewConsumer(broker.Client(), q, bq.Routes(route), bq.WithProducerOptions(change))
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("NewConsumer: %v", err)
			}
			producers := bq.NewProducers(broker.Client(), bq.WithProducerOptions(change))
			defer producers.Close(context.Background())
			_, err = bq.NewPublisher(producers, orders(q)).Publish(context.Background(), order{ID: 1})
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("Publish: %v", err)
			}
			if got := broker.Topics(); len(got) > 0 {
				t.Errorf("the broker has the topics %v", got)
			}
		})
	}
}
