package acceptance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/crypto"

	bq "github.com/babelqueue/bqgen/runtime"
)

// A recorder is a client that records the options that reach Pulsar.
type recorder struct {
	pulsar.Client
	mu        sync.Mutex
	consumers []pulsar.ConsumerOptions
	readers   []pulsar.ReaderOptions
	producers []pulsar.ProducerOptions
}

func (r *recorder) Subscribe(o pulsar.ConsumerOptions) (pulsar.Consumer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.consumers = append(r.consumers, o)
	return r.Client.Subscribe(o)
}

func (r *recorder) CreateReader(o pulsar.ReaderOptions) (pulsar.Reader, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.readers = append(r.readers, o)
	return r.Client.CreateReader(o)
}

func (r *recorder) CreateProducer(o pulsar.ProducerOptions) (pulsar.Producer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.producers = append(r.producers, o)
	return r.Client.CreateProducer(o)
}

// of returns the options of the queue's own consumers.
func (r *recorder) of(q bq.Queue) (all []pulsar.ConsumerOptions) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range r.consumers {
		if o.Topic == q.Topic {
			all = append(all, o)
		}
	}
	return all
}

type noWait struct{}

func (noWait) Next(n uint32) time.Duration {
	if n > 30 {
		return 0 // as the client's own policy, when it overflows
	}
	return time.Second
}

func TestCustomizersOfConsumersThatAreRefused(t *testing.T) { // L62
	b, q := memory(t), newQueue()
	routes := bq.Routes(bq.Handle(orders(q), newDesk().handle))
	type set = func(*pulsar.ConsumerOptions)
	refused := map[string]set{
		"Topic":            func(o *pulsar.ConsumerOptions) { o.Topic = "another" },
		"Topics":           func(o *pulsar.ConsumerOptions) { o.Topics = []string{"a", "b"} },
		"TopicsPattern":    func(o *pulsar.ConsumerOptions) { o.TopicsPattern = "a.*" },
		"SubscriptionName": func(o *pulsar.ConsumerOptions) { o.SubscriptionName = "mine" },
		"Type":             func(o *pulsar.ConsumerOptions) { o.Type = pulsar.Exclusive },
		"RetryEnable":      func(o *pulsar.ConsumerOptions) { o.RetryEnable = true },
		"DLQ": func(o *pulsar.ConsumerOptions) {
			o.DLQ = &pulsar.DLQPolicy{MaxDeliveries: 3, DeadLetterTopic: "parked"}
		},
		"EnableZeroQueueConsumer":           func(o *pulsar.ConsumerOptions) { o.EnableZeroQueueConsumer = true },
		"EnableAutoScaledReceiverQueueSize": func(o *pulsar.ConsumerOptions) { o.EnableAutoScaledReceiverQueueSize = true },
		"EnableBatchIndexAcknowledgment":    func(o *pulsar.ConsumerOptions) { o.EnableBatchIndexAcknowledgment = true },
		"AckWithResponse":                   func(o *pulsar.ConsumerOptions) { o.AckWithResponse = false },
		"AutoAckIncompleteChunk":            func(o *pulsar.ConsumerOptions) { o.AutoAckIncompleteChunk = true },
		"SubscriptionMode":                  func(o *pulsar.ConsumerOptions) { o.SubscriptionMode = pulsar.NonDurable },
		"ReadCompacted":                     func(o *pulsar.ConsumerOptions) { o.ReadCompacted = true },
		"NackRedeliveryDelay":               func(o *pulsar.ConsumerOptions) { o.NackRedeliveryDelay = 1 },
		"NackBackoffPolicy":                 func(o *pulsar.ConsumerOptions) { o.NackBackoffPolicy = noWait{} },
		"MessageChannel": func(o *pulsar.ConsumerOptions) {
			o.MessageChannel = make(chan pulsar.ConsumerMessage)
		},
		"SubscriptionInitialPosition": func(o *pulsar.ConsumerOptions) {
			o.SubscriptionInitialPosition = pulsar.SubscriptionPositionLatest
		},
	}
	for field, fn := range refused {
		_, err := bq.NewConsumer(b.client, q, routes, bq.WithConsumerOptions(fn))
		var e *bq.CustomizerError
		if !errors.As(err, &e) || len(e.Refused) != 1 || e.Refused[0].Field != field ||
			!strings.Contains(err.Error(), "WithConsumerOptions must not set "+field+": ") {
			t.Errorf("%s: %v", field, err)
		}
	}
	_, err := bq.NewConsumer(b.client, q, routes, bq.WithConsumerOptions(refused["Topic"]),
		bq.WithConsumerOptions(refused["RetryEnable"]))
	if text := fmt.Sprint(err); !strings.Contains(text, "Topic") || !strings.Contains(text, "RetryEnable") {
		t.Errorf("two at once: %v", err)
	}
	for field, fn := range map[string]func(*pulsar.ProducerOptions){
		"Topic":              func(o *pulsar.ProducerOptions) { o.Topic = "another" },
		"SendTimeout":        func(o *pulsar.ProducerOptions) { o.SendTimeout = -1 },
		"ProducerAccessMode": func(o *pulsar.ProducerOptions) { o.ProducerAccessMode = pulsar.ProducerAccessModeExclusive },
		"EnableChunking":     func(o *pulsar.ProducerOptions) { o.EnableChunking, o.DisableBatching = true, false },
	} {
		_, err := bq.NewConsumer(b.client, q, routes, bq.WithProducerOptions(fn))
		var e *bq.CustomizerError
		if !errors.As(err, &e) || len(e.Refused) != 1 || e.Refused[0].Field != field {
			t.Errorf("producer %s: %v", field, err)
		}
	}
	_, err = bq.NewConsumer(b.client, q, routes, bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
		if o.Topic == q.DeadLetterTopic {
			o.ProducerAccessMode = pulsar.ProducerAccessModeExclusive
		}
	}))
	if !errors.As(err, new(*bq.CustomizerError)) {
		t.Errorf("the access mode of the dead letters' producer: %v", err)
	}
	if topics := b.memory.Topics(); len(topics) > 0 {
		t.Errorf("topics were created: %v", topics)
	}
}

func TestCustomizersOfConsumersThatAreWelcome(t *testing.T) { // L63
	b, q := memory(t), newQueue()
	client := &recorder{Client: b.client}
	b.client = client
	var kept *pulsar.ConsumerOptions
	policy := &pulsar.KeySharedPolicy{Mode: pulsar.KeySharedPolicyModeAutoSplit}
	shared := bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) {
		o.Properties = map[string]string{"team": "orders"}
		o.KeySharedPolicy = policy
		o.PriorityLevel = 1
	})
	opts := []bq.ConsumerOption{
		bq.WithSubscriptionType(pulsar.KeyShared), shared,
		bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) {
			kept = o
			o.Name, o.PriorityLevel = "first", 2
			o.Properties["by"] = "second"
			o.Decryption = &pulsar.MessageDecryptionInfo{} // whose action is to fail
		}),
	}
	named := bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) { o.Properties["by"] = "another queue" }, newQueue())
	s := b.serve(t, q, newDesk().handle, append(opts, named)...)
	kept.Name = "changed"
	kept.Properties["by"] = "changed"
	policy.AllowOutOfOrderDelivery = true
	other := newQueue()
	b.serve(t, other, newDesk().handle, bq.WithSubscriptionType(pulsar.KeyShared), shared)
	got := client.of(q)
	if len(got) != 1 || got[0].Name != "first" || got[0].PriorityLevel != 2 || got[0].Properties["team"] != "orders" ||
		got[0].Properties["by"] != "second" || got[0].KeySharedPolicy == nil ||
		got[0].KeySharedPolicy.AllowOutOfOrderDelivery || !got[0].AckWithResponse || got[0].ReceiverQueueSize == 0 {
		t.Errorf("what reached Pulsar is %+v", got)
	}
	if len(got) == 1 && (got[0].Decryption == nil || got[0].Decryption.ConsumerCryptoFailureAction == 0) {
		t.Error("what cannot be decrypted is not passed on")
	}
	if got := client.of(other); len(got) != 1 || got[0].Properties["by"] != "" || got[0].Name != "" {
		t.Errorf("a consumer with one function in common has %+v", got)
	}
	b.publish(t, q, order{ID: 1})
	if x := s.next(); x.Action != bq.Acknowledged {
		t.Errorf("%+v", x)
	}

	_, err := bq.NewConsumer(b.client, q, bq.Routes(bq.Handle(orders(q), newDesk().handle)),
		bq.WithConsumerOptions(func(*pulsar.ConsumerOptions) { panic("oops") }))
	var panicked *bq.PanicError
	if !errors.As(err, &panicked) || len(panicked.Stack) == 0 {
		t.Errorf("a panic: %v", err)
	}
}

func TestThreeConsumersInOne(t *testing.T) { // L51
	onBothBackends(t, func(t *testing.T, b *backend) {
		for _, c := range []struct {
			subscription pulsar.SubscriptionType
			partitions   int
		}{{pulsar.Failover, 3}, {pulsar.Shared, 1}} {
			q := newQueue()
			if c.partitions > 1 {
				b.partition(t, q.Topic, c.partitions)
			}
			const n, limit, slots = 150, 12, 6
			var mu sync.Mutex
			running, most := 0, 0
			client := &recorder{Client: b.client}
			counted := &backend{client: client, memory: b.memory}
			s := counted.serve(t, q, func(context.Context, *bq.Message[order]) error {
				mu.Lock()
				running++
				most = max(most, running)
				mu.Unlock()
				pause(t, time.Millisecond)
				mu.Lock()
				running--
				mu.Unlock()
				return nil
			}, bq.WithConsumers(3), bq.WithSubscriptionType(c.subscription), bq.WithConcurrency(slots),
				bq.WithMaxUnsettled(bq.Limit{Messages: limit}),
				bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) { o.Name = "worker" }))
			var names []string
			for _, o := range client.of(q) {
				names = append(names, o.Name)
			}
			if slices.Sort(names); !slices.Equal(names, []string{"worker", "worker-2", "worker-3"}) {
				t.Errorf("the consumers are %v", names)
			}
			producers := bq.NewProducers(b.client, bq.WithLogger(quiet))
			defer producers.Close(context.Background())
			publisher := bq.NewPublisher(producers, orders(q))
			for id := range int64(n) {
				if _, err := publisher.Publish(t.Context(), order{ID: id}, bq.WithKey(fmt.Sprint(id))); err != nil {
					t.Fatal(err)
				}
				if u := s.consumer.Status().Unsettled; u > limit {
					t.Errorf("%d are unsettled, want at most %d", u, limit)
				}
			}
			if got := count(s.settlements(n), bq.Acknowledged); got != n {
				t.Errorf("%d are acknowledged, want %d", got, n)
			}
			if most > slots {
				t.Errorf("%d handlers ran at a time, want at most %d", most, slots)
			}
			if err := s.stop(); err != nil {
				t.Error(err)
			}
		}
		_, err := bq.NewConsumer(b.client, newQueue(), bq.Routes(bq.Handle(orders(newQueue()), newDesk().handle)),
			bq.WithConsumers(3), bq.WithSubscriptionType(pulsar.Exclusive))
		if err == nil || !strings.Contains(err.Error(), "WithConsumers is 3") {
			t.Errorf("three on Exclusive: %v", err)
		}
	})
}

// L63: a customizer can be for some queues only, named as in the catalog.
func TestCustomizersForSomeQueues(t *testing.T) {
	b, q, other := memory(t), newQueue(), newQueue()
	client := &recorder{Client: b.client}
	b.client = client
	topics := bq.WithTopics(func(topic string) string { return topic + "-eu" })
	here := bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) { o.PriorityLevel = 1 }, other)
	lz4 := bq.WithProducerOptions(func(o *pulsar.ProducerOptions) { o.CompressionType = pulsar.LZ4 }, other)
	handle, _ := failing(2)
	s := b.serve(t, q, handle, topics, bq.WithQueues(other), here, lz4, bq.WithMaxAttempts(1))
	for topic, want := range map[string]int{q.Topic: 0, other.Topic: 1} {
		if got := client.of(at(topic + "-eu")); len(got) != 1 || got[0].PriorityLevel != want {
			t.Errorf("the consumer of %s has %+v", topic, got)
		}
	}
	mark := func(text string, only ...bq.Queue) bq.MessageOption {
		return bq.WithMessage(func(m *pulsar.ProducerMessage) { m.Properties["mark"] += text }, only...)
	}
	producers := bq.NewProducers(client, topics, lz4, mark("all "), mark("other ", other), bq.WithLogger(quiet))
	defer producers.Close(context.Background())
	for to, want := range map[string]string{q.Topic: "all here", other.Topic: "all other here"} {
		seen := b.subscribe(t, to+"-eu", "seen")
		publisher := bq.NewPublisher(producers, orders(at(to)))
		_, err := publisher.Publish(t.Context(), order{ID: 1}, mark("here"), mark("no", at("x")))
		if err != nil {
			t.Fatal(err)
		}
		if got := receive(t, seen).Properties()["mark"]; got != want {
			t.Errorf("a message to %s is marked %q, want %q", to, got, want)
		}
	}
	s.settle(2) // dead-lettered, with a producer for each topic
	client.mu.Lock()
	defer client.mu.Unlock()
	compressed := map[string]bool{}
	for _, o := range client.producers {
		compressed[o.Topic] = o.CompressionType == pulsar.LZ4
	}
	want := map[string]bool{
		q.Topic + "-eu": false, q.Topic + "-eu.dlq": false, other.Topic + "-eu": true, other.Topic + "-eu.dlq": true,
	}
	if !maps.Equal(compressed, want) {
		t.Errorf("compressed are %v, want %v", compressed, want)
	}
}

// L62: a setting that has no effect is in the log, once.
func TestSettingsThatAreOverruledAreLogged(t *testing.T) {
	b, q := memory(t), newQueue()
	log := new(logbook)
	_, err := bq.NewConsumer(b.client, q, bq.Routes(bq.Handle(orders(q), succeed)), bq.WithLogger(log.logger()),
		bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) {
			o.Decryption = &pulsar.MessageDecryptionInfo{
				ConsumerCryptoFailureAction: crypto.ConsumerCryptoFailureActionDiscard,
			}
		}),
		bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
			o.DisableBatching = false
			o.MessageRouter = func(*pulsar.ProducerMessage, pulsar.TopicMetadata) int { return 0 }
		}))
	if err != nil {
		t.Fatal(err)
	}
	b.keep(t, q.Topic)
	for _, err := range bq.Read(t.Context(), b.client, q, decodeOrders(q), bq.WithLogger(log.logger()),
		bq.WithReaderOptions(func(o *pulsar.ReaderOptions) {
			o.Decryption = &pulsar.MessageDecryptionInfo{
				ConsumerCryptoFailureAction: crypto.ConsumerCryptoFailureActionDiscard,
			}
		})) {
		t.Error(err)
	}
	for field, want := range map[string]int{"ConsumerCryptoFailureAction": 2, "DisableBatching": 1, "MessageRouter": 1} {
		if n := strings.Count(log.lines.String(), field); n != want {
			t.Errorf("L62: %s is in the log %d times, want %d:\n%s", field, n, want, log.lines.String())
		}
	}
}
