package bqtest_test

import (
	"fmt"
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/backoff"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// topicScenarios are about which topics there are.
var topicScenarios = []scenario{
	{"tenants: those that do not exist", func(n *notes) {
		for _, topic := range []string{"nobody/x/" + n.topic, "public/nowhere/" + n.topic, "public/default/" + n.topic} {
			_, err := n.client.CreateProducer(pulsar.ProducerOptions{Topic: topic})
			n.note("%s: produce: %v", topic, err)
			_, err = n.client.Subscribe(pulsar.ConsumerOptions{Topic: topic, SubscriptionName: "sub"})
			n.note("subscribe: %v", err)
			_, err = n.client.CreateReader(pulsar.ReaderOptions{Topic: topic, StartMessageID: pulsar.EarliestMessageID()})
			n.note("read: %v", err)
			_, err = n.client.TopicPartitions(topic)
			n.note("partitions: %v", err)
		}
	}, `
nobody/x/TOPIC: produce: TopicNotFound
subscribe: TopicNotFound
read: TopicNotFound
partitions: TopicNotFound
public/nowhere/TOPIC: produce: TopicNotFound
subscribe: TopicNotFound
read: TopicNotFound
partitions: TopicNotFound
public/default/TOPIC: produce: <nil>
subscribe: <nil>
read: <nil>
partitions: <nil>`},
	{"reconnects: each asks for a backoff policy first, and resets it at last", func(n *notes) {
		resets := make(chan struct{}, 1)
		ask := func() backoff.Policy { return watchedPolicy{backoff.NewDefaultBackoff(), resets} }
		c := n.subscribe(pulsar.ConsumerOptions{BackOffPolicyFunc: ask})
		n.unload(n.topic)
		n.noteReconnect("unloaded", resets)
		if err := c.SeekByTime(time.Now()); err != nil {
			n.Fatal(err)
		}
		n.noteReconnect("sought", resets)
		c.Close()
		if _, err := n.client.CreateReader(pulsar.ReaderOptions{
			Topic: n.topic, StartMessageID: pulsar.LatestMessageID(), BackoffPolicyFunc: ask,
		}); err != nil {
			n.Fatal(err)
		}
		n.unload(n.topic)
		n.noteReconnect("reader, unloaded", resets)
	}, `
unloaded: reconnected
sought: reconnected
reader, unloaded: reconnected`},
	{"readers: one that is named like a subscription", func(n *notes) {
		subscribe := func() pulsar.Consumer {
			c, err := n.client.Subscribe(pulsar.ConsumerOptions{Topic: n.topic, SubscriptionName: "sub", Type: pulsar.Shared})
			n.note("subscribe: %v", err)
			return c
		}
		read := func() pulsar.Reader {
			r, err := n.client.CreateReader(pulsar.ReaderOptions{
				Topic: n.topic, SubscriptionName: "sub", StartMessageID: pulsar.LatestMessageID(),
			})
			n.note("read: %v", err)
			return r
		}
		r := read()
		subscribe()
		read()
		r.Close()
		c := subscribe()
		read()
		c.Close()
		read()
	}, `
read: <nil>
subscribe: server error: NotAllowedError: NonDurable subscription with the same name already exists.
read: server error: ConsumerBusy: Exclusive consumer is already connected
subscribe: <nil>
read: server error: NotAllowedError: Durable subscription with the same name already exists.
read: server error: NotAllowedError: Durable subscription with the same name already exists.`},
	{"namespace: where nothing comes to be on first use", func(n *notes) {
		namespace := "public/closed-" + n.topic
		n.setNamespace(namespace, bqtest.Namespace{NoTopics: true, NoSubscriptions: true})
		topic := namespace + "/orders"
		try := func() {
			_, err := n.client.CreateProducer(pulsar.ProducerOptions{Topic: topic})
			n.note("produce: %v", err)
			_, err = n.client.Subscribe(pulsar.ConsumerOptions{Topic: topic, SubscriptionName: "sub"})
			n.note("subscribe: %v", err)
			_, err = n.client.CreateReader(pulsar.ReaderOptions{Topic: topic, StartMessageID: pulsar.EarliestMessageID()})
			n.note("read: %v", err)
			_, err = n.client.TopicPartitions(topic)
			n.note("partitions: %v", err)
		}
		try()
		n.createTopic(topic)
		n.note("with the topic")
		try()
	}, `
produce: TopicNotFound
subscribe: TopicNotFound
read: TopicNotFound
partitions: TopicNotFound
with the topic
produce: <nil>
subscribe: server error: SubscriptionNotFound: Subscription does not exist
read: <nil>
partitions: <nil>`},
	{"non-persistent: no ids, nothing again", func(n *notes) {
		topic := "non-persistent://public/default/" + n.topic
		p := n.produce(pulsar.ProducerOptions{Topic: topic})
		id := send(n.T, p, pulsar.ProducerMessage{Payload: []byte("lost")})
		n.note("%s", id)
		c := n.subscribe(pulsar.ConsumerOptions{
			Topic: topic, Type: shared, AckWithResponse: true, NackRedeliveryDelay: shortly,
			SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
		})
		<-time.After(shortly) // until the broker knows that the consumer has room
		send(n.T, p, pulsar.ProducerMessage{Payload: []byte("a"), DeliverAfter: time.Hour})
		sendTexts(n.T, p, "b", "c")
		for range 3 {
			m := n.receive(c, 1)[0]
			n.note("%s size %d, %s", m.ID(), m.ID().BatchSize(), m.Topic())
			c.Nack(m)
		}
		<-time.After(2 * shortly)
		n.quiet(c)
		sendTexts(n.T, p, "d")
		m := n.receive(c, 1)[0]
		n.note("%v %v", c.Ack(m), c.AckIDList([]pulsar.MessageID{m.ID()}))
		b := n.batchingOn(topic)
		b.SendAsync(n.Context(), &pulsar.ProducerMessage{Payload: []byte("e")}, nil)
		b.SendAsync(n.Context(), &pulsar.ProducerMessage{Payload: []byte("f")}, nil)
		n.note("flush %v", b.FlushWithCtx(deadline(n.T)))
		for range 2 {
			m := n.receive(c, 1)[0]
			n.note("%s size %d", m.ID(), m.ID().BatchSize())
			n.note("%v", c.Ack(m))
		}
		sendTexts(n.T, p, "g")
		<-time.After(shortly)
		c.Close()
		c = n.subscribe(pulsar.ConsumerOptions{Topic: topic, Type: shared})
		n.quiet(c)
	}, `
0:0:0:0
a
0:0:0:0 size 1, non-persistent://public/default/TOPIC
b
0:0:0:0 size 1, non-persistent://public/default/TOPIC
c
0:0:0:0 size 1, non-persistent://public/default/TOPIC
nothing more
d
<nil> <nil>
flush <nil>
e
0:0:0:0 size 2
<nil>
f
0:0:0:1 size 2
<nil>
nothing more`},
	{"non-persistent: without room", func(n *notes) {
		topic := "non-persistent://public/default/" + n.topic
		c := n.subscribe(pulsar.ConsumerOptions{Topic: topic, Type: shared, ReceiverQueueSize: 2})
		p := n.produce(pulsar.ProducerOptions{Topic: topic})
		for i := range 40 {
			send(n.T, p, pulsar.ProducerMessage{Payload: fmt.Append(nil, i)})
		}
		<-time.After(shortly)
		for range 12 { // which ones depends on when the client asks for more
			receive(n.T, c)
		}
		n.quiet(c)
	}, "nothing more"},
	{"partitions: they grow", func(n *notes) {
		n.partition(n.topic, 1)
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: true, AutoDiscoveryPeriod: time.Second})
		p := n.produce(pulsar.ProducerOptions{PartitionsAutoDiscoveryInterval: time.Second})
		sendTexts(n.T, p, "a")
		n.receive(c, 1)
		n.partition(n.topic, 3)
		<-time.After(5 * time.Second)
		topics := map[string]bool{}
		for i := range 6 {
			send(n.T, p, pulsar.ProducerMessage{Payload: fmt.Append(nil, i)})
			m := receive(n.T, c)
			topics[m.Topic()] = true
			if err := c.Ack(m); err != nil {
				n.note("%v", err)
			}
		}
		n.note("%d partitions", len(topics))
	}, `
a
3 partitions`},
	{"pattern: topics that match, also later ones", func(n *notes) {
		n.produce(pulsar.ProducerOptions{Topic: n.topic + "-1"})
		c := n.subscribe(pulsar.ConsumerOptions{
			TopicsPattern: "persistent://public/default/" + n.topic + "-.*", Type: shared, AckWithResponse: true,
			AutoDiscoveryPeriod: time.Second, SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
		})
		for _, name := range []string{"-1", "-2", "other"} {
			p := n.produce(pulsar.ProducerOptions{Topic: n.topic + name})
			<-time.After(2 * time.Second) // until the consumer has looked
			sendTexts(n.T, p, "on "+name)
		}
		n.anyOrder(func() {
			for range 2 {
				m := receive(n.T, c)
				n.note("%s %s", m.Topic(), text(m))
				n.note("%v", c.Ack(m))
			}
		})
		n.quiet(c)
	}, `
<nil>
<nil>
persistent://public/default/TOPIC-1 on -1
persistent://public/default/TOPIC-2 on -2
nothing more`},
	{"failover: events, and what was prefetched is delivered all the same", func(n *notes) {
		one, two := &events{}, &events{}
		opts := pulsar.ConsumerOptions{
			Topic: "parity-failover", SubscriptionName: fmt.Sprint(time.Now().UnixNano(), topicNumber.Add(1)),
			Type: pulsar.Failover,
		}
		opts.Name, opts.EventListener = "bravo", one
		b := n.subscribe(opts)
		p := n.produce(pulsar.ProducerOptions{Topic: opts.Topic})
		sendTexts(n.T, p, "a", "b")
		<-time.After(shortly)
		opts.Name, opts.EventListener = "echo", two
		e := n.subscribe(opts)
		<-time.After(2 * shortly)
		n.note("bravo %s, echo %s", one, two)
		n.receive(b, 2)
		n.quiet(b)
		n.receive(e, 2)
		e.Close()
		<-time.After(2 * shortly)
		n.note("bravo %s, echo %s", one, two)
		n.receive(b, 2)
		b.Close()
	}, `
bravo [active 0 inactive 0], echo [active 0]
a
b
nothing more
a
b
bravo [active 0 inactive 0 active 0], echo [active 0]
a
b`},
	{"busy: a dead-letter subscription is busy", func(n *notes) {
		opts := pulsar.ConsumerOptions{Topic: n.topic + ".dlq", SubscriptionName: "babelqueue"}
		hold := n.subscribe(opts)
		for _, typ := range []pulsar.SubscriptionType{pulsar.Exclusive, shared} {
			opts.Type = typ
			_, err := n.client.Subscribe(opts)
			n.note("%v", err)
		}
		hold.Close()
	}, `
server error: ConsumerBusy: Exclusive consumer is already connected
server error: ConsumerBusy: Subscription is of different type. Active subscription type of 'Exclusive' is \
different than the connecting consumer's type 'Shared'.`},
	{"empty body: swallowed without properties only", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared})
		p := n.produce(pulsar.ProducerOptions{})
		send(n.T, p, pulsar.ProducerMessage{Payload: []byte{}, Properties: map[string]string{"a": "b"}})
		send(n.T, p, pulsar.ProducerMessage{Payload: []byte{}, Key: "k"})
		send(n.T, p, pulsar.ProducerMessage{Payload: []byte{}})
		sendTexts(n.T, p, "last")
		for {
			m := receive(n.T, c)
			n.note("%q %v key %q", m.Payload(), m.Properties(), m.Key())
			if len(m.Payload()) > 0 {
				break
			}
		}
	}, `
"" map[a:b] key ""
"last" map[] key ""`},
	{"chunks: one message under the ids of its first and last", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: true, NackRedeliveryDelay: shortly})
		p := produce(n.T, n.client, pulsar.ProducerOptions{
			Topic: n.topic, DisableBatching: true, EnableChunking: true, ChunkMaxMessageSize: 10,
		})
		id := send(n.T, p, pulsar.ProducerMessage{Payload: []byte("0123456789abcdefghijABCDE")})
		m := n.receive(c, 1)[0]
		n.note("same id %t, index %d of %d, entry %d",
			id.String() == m.ID().String(), m.ID().BatchIdx(), m.ID().BatchSize(), m.ID().EntryID())
		c.Nack(m)
		m = n.receive(c, 1)[0]
		n.note("%v", c.AckIDList([]pulsar.MessageID{m.ID()}))
		c.Close()
		c = n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: true})
		n.quiet(c)
	}, `
0123456789abcdefghijABCDE
same id true, index -1 of 0, entry 2
0123456789abcdefghijABCDE/1
<nil>
nothing more`},
	{"close: a batch that was not flushed", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared})
		p := n.batching(pulsar.ProducerOptions{})
		called := make(chan error, 1)
		p.SendAsync(n.Context(), &pulsar.ProducerMessage{Payload: []byte("a")},
			func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) { called <- err })
		<-time.After(shortly)
		p.Close()
		select {
		case err := <-called:
			n.note("%v", err)
		case <-time.After(shortly):
			n.note("never called")
		}
		n.quiet(c)
	}, `
never called
nothing more`},
	{"nack: two members of a batch at different times", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, NackRedeliveryDelay: 2 * shortly})
		n.sendBatch(pulsar.ProducerOptions{}, "a", "b")
		ms := n.receive(c, 2)
		c.Nack(ms[0])
		<-time.After(shortly)
		c.Nack(ms[1])
		n.receive(c, 2)
		<-time.After(2 * shortly)
		n.note("then")
		for {
			ctx, cancel := contextWithin(n, 3*shortly)
			m, err := c.Receive(ctx)
			cancel()
			if err != nil {
				break
			}
			n.note("%s", text(m))
		}
	}, `
a
b
a/1
b/1
then
a/2
b/2`},
}

// events notes what a failover consumer is told.
type events struct {
	mu    sync.Mutex
	heard []string
}

func (e *events) BecameActive(_ pulsar.Consumer, _ string, partition int32) {
	e.hear("active", partition)
}
func (e *events) BecameInactive(_ pulsar.Consumer, _ string, partition int32) {
	e.hear("inactive", partition)
}

func (e *events) hear(what string, partition int32) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard = append(e.heard, fmt.Sprint(what, " ", partition))
}

func (e *events) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return fmt.Sprint(e.heard)
}

// A watchedPolicy tells when a backoff policy that the client has asked for is reset.
type watchedPolicy struct {
	backoff.Policy
	resets chan struct{}
}

func (w watchedPolicy) Reset() {
	w.Policy.Reset()
	select {
	case w.resets <- struct{}{}:
	default:
	}
}

// noteReconnect notes that a reconnect has come to its end.
func (n *notes) noteReconnect(after string, resets <-chan struct{}) {
	n.Helper()
	select {
	case <-resets:
		n.note("%s: reconnected", after)
	case <-deadline(n.T).Done():
		n.Fatalf("%s: no reconnect", after)
	}
}
