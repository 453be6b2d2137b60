package acceptance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// discoverEvery has new topics found soon.
func discoverEvery(d time.Duration) bq.ConsumerOption {
	return bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) { o.AutoDiscoveryPeriod = d })
}

// subscribed reports whether a topic has the subscription babelqueue.
func (b *backend) subscribed(t *testing.T, topic string) bool {
	t.Helper()
	if b.memory != nil {
		return slices.Contains(b.memory.Subscriptions(topic), "babelqueue")
	}
	admin := os.Getenv("BQ_PULSAR_ADMIN_URL")
	if admin == "" {
		t.Skip("left out, BQ_PULSAR_ADMIN_URL is not set")
	}
	response, err := http.Get(admin + "/admin/v2" + adminPath(topic) + "/subscriptions")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var names []string
	if err := json.NewDecoder(response.Body).Decode(&names); err != nil {
		t.Fatal(err)
	}
	return slices.Contains(names, "babelqueue")
}

// at returns the queue with another topic, to publish to.
func at(topic string) bq.Queue { return bq.Queue{Name: "orders", Topic: topic} }

// L52: a prefix never takes in dead letters and retries.
func TestAPrefixLeavesOutRetriesAndDeadLetters(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		for _, letters := range []string{".dlq", "-dead"} {
			q := newQueue()
			q.DeadLetterTopic = q.Topic + letters
			others := []string{
				strings.Replace(q.Topic, "/orders", "/reorders", 1),
				q.Topic + ".dlq", q.Topic + "-dead", q.Topic + "-babelqueue-DLQ", q.Topic + "-babelqueue-RETRY",
			}
			eu := q.Topic + "-eu"
			lain := b.subscribe(t, q.DeadLetterTopic, "lain")
			b.send(t, q.DeadLetterTopic, &pulsar.ProducerMessage{Payload: []byte("lain")})
			for _, topic := range append(others, q.Topic, eu) {
				if topic != q.DeadLetterTopic {
					b.keep(t, topic)
				}
			}
			var runs atomic.Int64
			s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
				if m.Data.ID == 1 {
					runs.Add(1)
					return errors.New("no")
				}
				return nil
			}, bq.WithTopicPrefix(q.Topic+"*"), bq.WithMaxAttempts(2), discoverEvery(20*time.Millisecond))
			b.publish(t, q, order{ID: 1})
			b.publish(t, at(eu), order{ID: 2})
			s.settle(3)
			for i := range 3 { // new topics are found meanwhile, so the others could be, too
				added := fmt.Sprint(q.Topic, "-new-", i)
				b.keep(t, added)
				b.publish(t, at(added), order{ID: 3})
				if got := s.next(); got.Action != bq.Acknowledged {
					t.Errorf("L52: %s: %v", got.Action, got.Err)
				}
			}
			if got := receive(t, lain); string(got.Payload()) != "lain" {
				t.Errorf("L52: the first dead letter is %s", got.Payload())
			}
			if got := receive(t, lain); got.Properties()["bq-attempts"] != "2" || runs.Load() != 2 {
				t.Errorf("L52: %d runs, attempts %s, want 2 and 2", runs.Load(), got.Properties()["bq-attempts"])
			}
			for _, topic := range others {
				isOrders := topic == q.Topic+"-dead" // unless the catalog says something else
				if topic != q.DeadLetterTopic && !isOrders && b.subscribed(t, topic) {
					t.Errorf("L52: %s was subscribed to", topic)
				}
			}
			if !b.subscribed(t, q.Topic) || !b.subscribed(t, eu) {
				t.Error("L52: a topic of the prefix was not subscribed to")
			}
			if err := s.stop(); err != nil {
				t.Error(err)
			}
		}
	})
}

// L53: topics that appear under a prefix are consumed from their first message, and partitions are one topic.
func TestTopicsThatAppearUnderAPrefix(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		s := b.serve(t, q, succeed, bq.WithTopicPrefix(q.Topic+"-*"), discoverEvery(100*time.Millisecond),
			bq.WithConcurrency(4))
		one, many := q.Topic+"-one", q.Topic+"-many"
		b.keep(t, one) // otherwise a topic without a subscription keeps nothing
		b.partition(t, many, 3)
		for i := range 3 {
			b.keep(t, fmt.Sprintf("%s-partition-%d", many, i))
		}
		b.publishAll(t, at(one), 50, keyless)
		b.publishAll(t, at(many), 50, func(i int) string { return fmt.Sprint(i) })
		if got := s.settle(100); got[bq.Acknowledged] != 100 {
			t.Errorf("L53: %v", got)
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		for _, topic := range []string{one, many} { // nobody of ours is left: an Exclusive consumer can come
			c, err := b.client.Subscribe(pulsar.ConsumerOptions{Topic: topic, SubscriptionName: "babelqueue"})
			if err != nil {
				t.Fatalf("L53: %v", err)
			}
			c.Close()
		}
	})
}

// L53: what cannot be a prefix is refused.
func TestPrefixesThatAreRefused(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	latest := bq.WithInitialPosition(pulsar.SubscriptionPositionLatest)
	for prefix, opts := range map[string][]bq.ConsumerOption{
		"orders": nil, "or*ders*": nil, "*": nil, "a/*": nil, "orders-(*": {latest}, "non-persistent://a/b/orders*": nil,
		"__system*": nil, "orders-partition-*": nil, "x y*": nil, "orders*": {latest},
		"mapped*": {bq.WithTopics(func(name string) string {
			return strings.ReplaceAll(name, "default/mapped", "")
		})},
	} {
		opts = append(opts, bq.WithTopicPrefix(prefix))
		if _, err := bq.NewConsumer(b.client, q, bq.Routes(bq.Handle(orders(q), succeed)), opts...); err == nil {
			t.Errorf("L53: %s was accepted", prefix)
		} else if !strings.Contains(err.Error(), "WithTopicPrefix") {
			t.Errorf("L53: %s: %v", prefix, err)
		}
	}
}

// L53, L56: a prefix is in the namespace of the queue, and is replaced like a topic of the catalog.
func TestAPrefixIsReplacedLikeATopic(t *testing.T) {
	b := inMemory(t)
	name := "orders-" + uuid.NewString()
	q := bq.Queue{Name: "orders", Topic: name, DeadLetterTopic: name + ".dlq"}
	staging := bq.WithTopics(func(topic string) string { return "public/default/staging-" + topic })
	s := b.serve(t, q, succeed, staging, bq.WithTopicPrefix(name+"*"), discoverEvery(10*time.Millisecond))
	b.keep(t, "staging-"+name+"-eu")
	b.publish(t, at("staging-"+name+"-eu"), order{ID: 1})
	if got := s.next(); got.Action != bq.Acknowledged {
		t.Errorf("L56: %s", got.Action)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}

// A topic that is deleted and made again is consumed again, and the other topics of its source are.
func TestATopicOfAPrefixIsDeletedAndMadeAgain(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		if b.memory != nil {
			t.Skip("topics are not deleted there")
		}
		q := newQueue()
		one, two := q.Topic+"-one", q.Topic+"-two"
		b.keep(t, one)
		b.keep(t, two)
		s := b.serve(t, q, succeed, bq.WithTopicPrefix(q.Topic+"-*"), discoverEvery(100*time.Millisecond))
		b.publish(t, at(one), order{ID: 1})
		s.settle(1)
		operate(t, http.MethodDelete, adminPath(one)+"?force=true", "", http.StatusNoContent)
		b.keep(t, one)
		b.publish(t, at(one), order{ID: 2})
		b.publish(t, at(two), order{ID: 3})
		s.settle(2)
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
}

// L55: several queues in one consumer. A key is a queue's own, and so are max attempts, retries and dead letters.
func TestSeveralQueuesInOneConsumer(t *testing.T) {
	b := inMemory(t)
	const messages, keys, bad = 111, 10, 55
	queues := []bq.Queue{newQueue(), newQueue(), newQueue()}
	queues[1].MaxAttempts = 2
	queues[2].DeadLetterTopic = ""
	for _, q := range queues {
		b.publishAllBefore(t, q, messages, func(i int) string { return fmt.Sprint(i % keys) })
	}
	gate, r := make(chan struct{}), newRuns()
	s := b.serve(t, queues[0], func(_ context.Context, m *bq.Message[order]) error {
		defer r.enter(m.Topic+" "+m.Key, m.Data.ID)()
		switch {
		case m.Topic == queues[0].Topic && m.Key == "3":
			<-gate
		case m.Data.ID == bad:
			return errors.New("no")
		}
		return nil
	}, bq.WithQueues(queues[1:]...), bq.WithConcurrency(3))
	ends := map[string]map[bq.Action]int{}
	settle := func(topics map[string]bool, n int) {
		for n > 0 {
			x := s.next()
			if ends[x.Delivery.Topic] == nil {
				ends[x.Delivery.Topic] = map[bq.Action]int{}
			}
			ends[x.Delivery.Topic][x.Action]++
			if topics[x.Delivery.Topic] && x.Action != bq.Retried {
				n--
			}
		}
	}
	settle(map[string]bool{queues[1].Topic: true, queues[2].Topic: true}, 2*messages) // while the key waits
	close(gate)
	first := queues[0].Topic
	settle(map[string]bool{first: true}, messages-ends[first][bq.Acknowledged]-ends[first][bq.DeadLettered])
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	for i, want := range []map[bq.Action]int{
		{bq.Acknowledged: messages - 1, bq.Retried: 2, bq.DeadLettered: 1},
		{bq.Acknowledged: messages - 1, bq.Retried: 1, bq.DeadLettered: 1},
		{bq.Acknowledged: messages - 1, bq.Retried: 2, bq.Dropped: 1},
	} {
		if got := ends[queues[i].Topic]; !maps.Equal(got, want) {
			t.Errorf("L55: queue %d: %v, want %v", i, got, want)
		}
		for key := range keys {
			ids := r.of(fmt.Sprint(queues[i].Topic, " ", key))
			if ids = slices.DeleteFunc(ids, func(id int64) bool { return id == bad }); !slices.IsSorted(ids) {
				t.Errorf("L55: key %d of queue %d came in the order %v", key, i, ids)
			}
		}
	}
	for _, q := range queues[:2] {
		var record struct {
			Dead struct {
				Queue string `json:"original_queue"`
			} `json:"dead_letter"`
		}
		if err := json.Unmarshal(b.deadLetter(t, q).Payload(), &record); err != nil {
			t.Fatal(err)
		}
		if want := q.Topic[strings.LastIndex(q.Topic, "/")+1:]; record.Dead.Queue != want {
			t.Errorf("L55, DLQ-5: the dead letter names %s, want %s", record.Dead.Queue, want)
		}
	}
	if len(r.overlap) > 0 {
		t.Errorf("L55: overlapping runs %v", r.overlap)
	}
}

// publishAllBefore is publishAll to a topic that nobody has subscribed to yet.
func (b *backend) publishAllBefore(t *testing.T, q bq.Queue, n int, key func(i int) string) {
	t.Helper()
	b.subscribe(t, q.Topic, "babelqueue").Close()
	b.publishAll(t, q, n, key)
}

func TestQueuesThatCannotBeCombinedAreRefused(t *testing.T) {
	b := inMemory(t)
	q, other := newQueue(), newQueue()
	letters := bq.Queue{Name: "letters", Topic: q.DeadLetterTopic}
	many := newQueue()
	many.Services = []bq.QueueService{{Name: "billing", RetryTopic: many.Topic + ".billing.retry"}}
	producer, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: other.DeadLetterTopic})
	if err != nil {
		t.Fatal(err)
	}
	consumer := b.subscribe(t, q.Topic, "own")
	for what, opts := range map[string][]bq.ConsumerOption{
		"two queues have the topic":  {bq.WithQueues(q)},
		"dead letters of another":    {bq.WithQueues(letters)},
		"has services":               {bq.WithQueues(many)},
		"the queue has no topic":     {bq.WithQueues(bq.Queue{Name: "none"})},
		"WithDeadLetterProducer":     {bq.WithQueues(other), bq.WithDeadLetterProducer(producer)},
		"WithQueues has no effect":   {bq.WithQueues(other), bq.WithPulsarConsumer(consumer)},
		"max attempts is -1":         {bq.WithQueues(bq.Queue{Name: "x", Topic: "x", MaxAttempts: -1})},
		"WithTopicPrefix is given t": {bq.WithTopicPrefix("a*"), bq.WithTopicPrefix("b*")},
	} {
		_, err := bq.NewConsumer(b.client, q, bq.Routes(bq.Handle(orders(q), succeed)), opts...)
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// L53: the consumer is stopped while it subscribes to a topic that it has just found. Nothing of it is left, and the
// topics that refuse it do not keep the others away.
func TestAConsumerIsStoppedWhileItFindsTopics(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	slow, refusing, fine := q.Topic+"-slow", q.Topic+"-refusing", q.Topic+"-fine"
	hanging := b.memory.Fail(bqtest.OnSubscribe(slow).Hang().When(func(c bqtest.Call) bool {
		return c.Subscription == "babelqueue"
	}))
	s := b.serve(t, q, succeed, bq.WithTopicPrefix(q.Topic+"-*"), discoverEvery(5*time.Millisecond))
	owner, err := b.client.Subscribe(pulsar.ConsumerOptions{Topic: refusing, SubscriptionName: "babelqueue"}) // Exclusive
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	b.keep(t, fine)
	b.publish(t, at(fine), order{ID: 1})
	if got := s.next(); got.Action != bq.Acknowledged {
		t.Errorf("L53: %s", got.Action)
	}
	b.keep(t, slow)
	b.waitFor(t, "the topic to be found", func() bool { return hanging.Held() > 0 })
	if err := s.stop(); err != nil {
		t.Errorf("L53: %v", err)
	}
	hanging.Release()
	b.waitFor(t, "the consumers to be closed", func() bool {
		return b.memory.Consumers(slow, "babelqueue") == 0 && b.memory.Consumers(fine, "babelqueue") == 0
	})
}
