package bqtest_test

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// clientScenarios are about what the client and the broker accept, refuse and hand over.
var clientScenarios = []scenario{
	{"subscribe: what the broker refuses", func(n *notes) {
		opts := pulsar.ConsumerOptions{Topic: n.topic, SubscriptionName: "sub"}
		c := n.subscribe(opts)
		_, err := n.client.Subscribe(opts)
		n.note("second exclusive: %v", err)
		opts.Type = shared
		_, err = n.client.Subscribe(opts)
		n.note("other type: %v", err)
		c.Close()
		one, two := n.subscribe(opts), n.subscribe(opts)
		n.note("unsubscribe beside another: %v", one.Unsubscribe())
		two.Close()
		n.note("unsubscribe alone: %v", one.Unsubscribe())
		n.note("unsubscribe again: %v", one.Unsubscribe())
	}, `
second exclusive: server error: ConsumerBusy: Exclusive consumer is already connected
other type: server error: ConsumerBusy: Subscription is of different type. Active subscription type of \
'Exclusive' is different than the connecting consumer's type 'Shared'.
unsubscribe beside another: topic persistent://public/default/TOPIC, subscription sub: server error: \
MetadataError: Unconnected or shared consumer attempting to unsubscribe
unsubscribe alone: <nil>
unsubscribe again: topic persistent://public/default/TOPIC, subscription sub: consumer state is closed`},

	{"subscribe: what the client refuses", func(n *notes) {
		for _, opts := range []pulsar.ConsumerOptions{
			{SubscriptionName: "sub"},
			{Topic: n.topic},
			{Topic: n.topic, SubscriptionName: "sub", PriorityLevel: -1},
			{Topic: n.topic, SubscriptionName: "sub", DLQ: &pulsar.DLQPolicy{}},
			{Topic: n.topic, SubscriptionName: "sub", RetryEnable: true, EnableZeroQueueConsumer: true},
			{Topic: n.topic, SubscriptionName: "sub", NackPrecisionBit: new(int64(-1))},
		} {
			_, err := n.client.Subscribe(opts)
			n.note("%v", err)
		}
		_, err := n.client.CreateReader(pulsar.ReaderOptions{Topic: n.topic})
		n.note("%v", err)
		_, err = n.client.CreateProducer(pulsar.ProducerOptions{})
		n.note("%v", err)
		_, err = n.client.CreateProducer(pulsar.ProducerOptions{Topic: n.topic, EnableChunking: true})
		n.note("%v", err)
		_, err = n.client.NewTransaction(time.Minute)
		n.note("transactions not enabled: %t", errors.Is(err, pulsar.ErrClientTransactionsNotEnabled))
	}, `
topic is required: TopicNotFound
subscription name is required for consumer: SubscriptionNotFound
priority level must be >= 0 and <= math.MaxInt32: InvalidConfiguration
DLQPolicy.MaxDeliveries needs to be > 0: InvalidConfiguration
ZeroQueueConsumer is not supported with RetryEnable: InvalidConfiguration
NackPrecisionBit cannot be negative: InvalidConfiguration
StartMessageID is required: InvalidConfiguration
Topic name is required for producer: InvalidTopicName
batching and chunking can not be enabled together
transactions not enabled: true`},

	{"producer: names", func(n *notes) {
		p := n.produce(pulsar.ProducerOptions{Name: "me"})
		_, err := n.client.CreateProducer(pulsar.ProducerOptions{Topic: n.topic, Name: "me"})
		n.note("same name: %v", err)
		n.note("topic %s, name %s, last sequence id %d", p.Topic(), p.Name(), p.LastSequenceID())
		p.Close()
		p = n.produce(pulsar.ProducerOptions{Name: "me"})
		other, another := n.produce(pulsar.ProducerOptions{}), n.produce(pulsar.ProducerOptions{})
		n.note("own names differ: %t", other.Name() != another.Name() && other.Name() != p.Name())
	}, `
same name: server error: ProducerBusy: \
org.apache.pulsar.broker.service.BrokerServiceException$NamingException: Producer with name 'me' is already \
connected to topic 'persistent://public/default/TOPIC'
topic TOPIC, name me, last sequence id -1
own names differ: true`},

	{"message: what travels", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{})
		p := n.produce(pulsar.ProducerOptions{Name: "me"})
		at := time.Date(2026, 2, 3, 4, 5, 6, 789_654_321, time.UTC)
		for _, m := range []pulsar.ProducerMessage{
			{
				Payload: []byte("full"), Key: "k", OrderingKey: "o",
				Properties: map[string]string{"b": "2", "a": ""}, EventTime: at,
			},
			{Payload: []byte("bare")},
			{},
			{Payload: []byte("numbered"), SequenceID: new(int64(41))},
		} {
			id := send(n.T, p, m)
			got := receive(n.T, c)
			keys := []string{}
			for k, v := range got.Properties() {
				keys = append(keys, k+"="+v)
			}
			sort.Strings(keys)
			n.note("%q payload nil %t, null %t, topic %s, from %s, key %q %q, properties nil %t %q, event %s, count %d",
				got.Payload(), got.Payload() == nil, got.IsNullValue(), got.Topic(), got.ProducerName(),
				got.Key(), got.OrderingKey(),
				got.Properties() == nil, keys, got.EventTime().UTC().Format(time.RFC3339Nano), got.RedeliveryCount())
			n.note("same id %t, batch %d, partition %d, sequence %d, replicated %t, index %v, since publish %t",
				id.String() == got.ID().String(), got.ID().BatchIdx(), got.ID().PartitionIdx(), p.LastSequenceID(),
				got.IsReplicated(), got.Index(), time.Since(got.PublishTime()) < time.Minute)
		}
	}, `
"full" payload nil false, null false, topic persistent://public/default/TOPIC, from me, key "k" "o", \
properties nil false ["a=" "b=2"], event 2026-02-03T04:05:06.789Z, count 0
same id true, batch 0, partition 0, sequence 0, replicated false, index <nil>, since publish true
"bare" payload nil false, null false, topic persistent://public/default/TOPIC, from me, key "" "", properties \
nil false [], event 1970-01-01T00:00:00Z, count 0
same id true, batch 0, partition 0, sequence 1, replicated false, index <nil>, since publish true
"" payload nil true, null true, topic persistent://public/default/TOPIC, from me, key "" "", properties nil \
false [], event 1970-01-01T00:00:00Z, count 0
same id true, batch 0, partition 0, sequence 2, replicated false, index <nil>, since publish true
"numbered" payload nil false, null false, topic persistent://public/default/TOPIC, from me, key "" "", \
properties nil false [], event 1970-01-01T00:00:00Z, count 0
same id true, batch 0, partition 0, sequence 41, replicated false, index <nil>, since publish true`},

	{"message: an empty payload arrives in a batch and is lost outside of one", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{})
		batching := produce(n.T, n.client, pulsar.ProducerOptions{Topic: n.topic})
		send(n.T, batching, pulsar.ProducerMessage{Payload: []byte{}})
		m := receive(n.T, c)
		n.note("%d bytes, nil %t, null %t", len(m.Payload()), m.Payload() == nil, m.IsNullValue())
		send(n.T, n.produce(pulsar.ProducerOptions{}), pulsar.ProducerMessage{Payload: []byte{}})
		n.quiet(c)
	}, "0 bytes, nil false, null false\nnothing more"},

	{"send: what is refused", func(n *notes) {
		p := n.produce(pulsar.ProducerOptions{})
		_, err := p.Send(n.Context(), nil)
		n.note("nil: %t %v", errors.Is(err, pulsar.ErrInvalidMessage), err)
		_, err = p.Send(n.Context(), &pulsar.ProducerMessage{Payload: []byte{}, Value: 1})
		n.note("payload and value: %t %v", errors.Is(err, pulsar.ErrInvalidMessage), err)
		_, err = p.Send(n.Context(), &pulsar.ProducerMessage{Value: 1})
		n.note("value without schema: %t %v", errors.Is(err, pulsar.ErrSchema), err)
		big := make([]byte, 5<<20+1)
		_, err = p.Send(n.Context(), &pulsar.ProducerMessage{Payload: big})
		n.note("payload over the limit: %t %v", errors.Is(err, pulsar.ErrMessageTooLarge), err)
		_, err = p.Send(n.Context(), &pulsar.ProducerMessage{Payload: big[1:]})
		n.note("over the limit with its metadata: %t %.40s", errors.Is(err, pulsar.ErrMessageTooLarge), fmt.Sprint(err))
		ctx, cancel := context.WithCancel(n.Context())
		cancel()
		_, err = p.Send(ctx, &pulsar.ProducerMessage{})
		n.note("context over: %v", err)
		p.Close()
		_, err = p.Send(n.Context(), &pulsar.ProducerMessage{})
		n.note("closed: %t", errors.Is(err, pulsar.ErrProducerClosed))
		n.note("flush closed: %t", errors.Is(p.FlushWithCtx(n.Context()), pulsar.ErrProducerClosed))
	}, `
nil: true invalid message: InvalidMessage
message is nil
payload and value: true invalid message: InvalidMessage
can not set Value and Payload both
value without schema: true schema error: SchemaFailure
set schema value without setting schema
payload over the limit: true message size exceeds MaxMessageSize: MessageTooBig
over the limit with its metadata: false encryptedPayload exceeds MaxMessageSize,
context over: context canceled
closed: true
flush closed: true`},

	{"settle: on a closed consumer, and where it is not allowed", func(n *notes) {
		for _, response := range []bool{false, true} {
			c := n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: response})
			p := n.produce(pulsar.ProducerOptions{})
			sendTexts(n.T, p, "a")
			m := receive(n.T, c)
			err := c.AckCumulative(m)
			n.note("cumulative on shared: %t %v", errors.Is(err, pulsar.ErrInvalidAck), err)
			n.note("ack: %v", c.Ack(m))
			n.note("ack list: %v", c.AckIDList([]pulsar.MessageID{m.ID()}))
			c.Close()
			p.Close()
			n.note("closed: %v", c.Ack(m))
			list := c.AckIDList([]pulsar.MessageID{m.ID()})
			var failed pulsar.AckError
			n.note("closed, list: %t %v", errors.As(list, &failed), failed[m.ID()])
			_, err = c.Receive(n.Context())
			var typed *pulsar.Error
			n.note("receive: %v, typed %t", err, errors.As(err, &typed) && typed.Result() == pulsar.ConsumerClosed)
			n.note("unsubscribe: %v", c.Unsubscribe())
			c.Nack(m)
			c.Close()
		}
	}, `
cumulative on shared: true cumulative ack is not allowed for the Shared/KeyShared subscription type: invalid ack
ack: <nil>
ack list: <nil>
closed: consumer state is closed
closed, list: false <nil>
receive: consumer closed: ConsumerClosed, typed true
unsubscribe: topic persistent://public/default/TOPIC, subscription sub: consumer state is closed
cumulative on shared: true cumulative ack is not allowed for the Shared/KeyShared subscription type: invalid ack
ack: <nil>
ack list: <nil>
closed: consumer state is closed
closed, list: true consumer state is closed
receive: consumer closed: ConsumerClosed, typed true
unsubscribe: topic persistent://public/default/TOPIC, subscription sub: consumer state is closed`},

	{"ack cumulatively: all up to the message", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{AckWithResponse: true})
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "a", "b", "c")
		ms := n.receive(c, 3)
		n.note("%v", c.AckCumulative(ms[1]))
		c.Close()
		c = n.subscribe(pulsar.ConsumerOptions{})
		n.receive(c, 1)
		n.quiet(c)
	}, "a\nb\nc\n<nil>\nc\nnothing more"},

	{"ids: from bytes and from a send they settle like the delivered one", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{AckWithResponse: true})
		p := n.produce(pulsar.ProducerOptions{})
		sent := send(n.T, p, pulsar.ProducerMessage{Payload: []byte("a")})
		sendTexts(n.T, p, "b", "c")
		ms := n.receive(c, 3)
		n.note("%v", c.AckID(sent))
		read, err := pulsar.DeserializeMessageID(ms[1].ID().Serialize())
		n.note("%v %v", err, c.AckID(read))
		n.note("%v", c.AckID(pulsar.EarliestMessageID()))
		n.note("%v", c.AckID(struct{ pulsar.MessageID }{ms[2].ID()}))
		c.Close()
		n.receive(n.subscribe(pulsar.ConsumerOptions{}), 1)
	}, `
a
b
c
<nil>
<nil> <nil>
invalid partition index -1 expected a partition between [0-0]
invalid message id type struct { pulsar.MessageID }
c`},

	{"seek: past the id, or at it when inclusive", func(n *notes) {
		hold := n.subscribe(pulsar.ConsumerOptions{SubscriptionName: "hold"}) // keeps the messages
		defer hold.Close()
		p := n.produce(pulsar.ProducerOptions{})
		for _, inclusive := range []bool{false, true} {
			c := n.subscribe(pulsar.ConsumerOptions{StartMessageIDInclusive: inclusive, AckWithResponse: true})
			sendTexts(n.T, p, "a", "b", "c")
			ms := n.receive(c, 3)
			ack(n.T, c, ms...)
			n.note("%v", c.Seek(ms[1].ID()))
			n.receive(c, map[bool]int{false: 1, true: 2}[inclusive])
			n.quiet(c)
			n.note("%v", c.Seek(pulsar.EarliestMessageID()))
			n.note("%v", c.Unsubscribe())
			c.Close()
		}
	}, `
a
b
c
<nil>
c
nothing more
invalid partition index -1 expected a partition between [0-0]
<nil>
a
b
c
<nil>
b
c
nothing more
invalid partition index -1 expected a partition between [0-0]
<nil>`},

	{"seek: by publish time", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared})
		p := n.produce(pulsar.ProducerOptions{})
		sendTexts(n.T, p, "a")
		<-time.After(5 * time.Millisecond) // so that the publish times differ
		sendTexts(n.T, p, "b", "c")
		ms := n.receive(c, 3)
		n.note("%v", c.SeekByTime(ms[1].PublishTime()))
		n.receive(c, 2)
		n.quiet(c)
	}, "a\nb\nc\n<nil>\nb\nc\nnothing more"},

	{"reader: from the earliest, the latest and an id", func(n *notes) {
		hold := n.subscribe(pulsar.ConsumerOptions{SubscriptionName: "hold"})
		defer hold.Close()
		p := n.produce(pulsar.ProducerOptions{})
		sendTexts(n.T, p, "a", "b")
		id := send(n.T, p, pulsar.ProducerMessage{Payload: []byte("c")})
		for _, o := range []pulsar.ReaderOptions{
			{StartMessageID: pulsar.EarliestMessageID()},
			{StartMessageID: pulsar.LatestMessageID()},
			{StartMessageID: pulsar.LatestMessageID(), StartMessageIDInclusive: true},
			{StartMessageID: id},
			{StartMessageID: id, StartMessageIDInclusive: true},
		} {
			o.Topic = n.topic
			r, err := n.client.CreateReader(o)
			if err != nil {
				n.Fatal(err)
			}
			var read []string
			for r.HasNext() {
				m, err := r.Next(deadline(n.T))
				if err != nil {
					n.Fatal(err)
				}
				read = append(read, text(m))
			}
			last, err := r.GetLastMessageID()
			n.note("%s reads %q, last known %t %v", r.Topic(), read, last.EntryID() == id.EntryID(), err)
			r.Close()
			_, err = r.Next(n.Context())
			n.note("%v", err)
		}
	}, strings.ReplaceAll(`
TOPIC reads ["a" "b" "c"], last known true <nil>
CLOSED
TOPIC reads [], last known true <nil>
CLOSED
TOPIC reads ["c"], last known true <nil>
CLOSED
TOPIC reads [], last known true <nil>
CLOSED
TOPIC reads ["c"], last known true <nil>
CLOSED`, "CLOSED", "consumer closed: ConsumerClosed")},

	{"partitions: names, and keys by hash", func(n *notes) {
		n.partition(n.topic, 3)
		parts, err := n.client.TopicPartitions(n.topic)
		n.note("%q %v", parts, err)
		parts, err = n.client.TopicPartitions(n.topic + "-plain")
		n.note("%q %v", parts, err)
		c := n.subscribe(pulsar.ConsumerOptions{})
		for _, scheme := range []pulsar.HashingScheme{pulsar.JavaStringHash, pulsar.Murmur3_32Hash} {
			p := n.produce(pulsar.ProducerOptions{HashingScheme: scheme})
			for _, m := range []pulsar.ProducerMessage{
				{Key: "a"}, {Key: "customer-7"}, {Key: "ключ"}, {Key: "a", OrderingKey: "hello"},
				{Key: "abcd"}, {Key: "abcdefg"},
			} {
				id := send(n.T, p, m)
				got := receive(n.T, c)
				n.note("%q %q to %s, id says %d and %d",
					m.Key, m.OrderingKey, got.Topic(), id.PartitionIdx(), got.ID().PartitionIdx())
				ack(n.T, c, got)
			}
			p.Close()
		}
		var seekErr *pulsar.Error
		n.note("seek: %t", errors.As(c.Seek(pulsar.EarliestMessageID()), &seekErr) && seekErr.Result() == pulsar.SeekFailed)
		ids, err := c.GetLastMessageIDs()
		n.note("%d last ids, %v, of %s", len(ids), err, ids[2].Topic())
	}, `
["TOPIC-partition-0" "TOPIC-partition-1" "TOPIC-partition-2"] <nil>
["persistent://public/default/TOPIC-plain"] <nil>
"a" "" to persistent://public/default/TOPIC-partition-1, id says 1 and 1
"customer-7" "" to persistent://public/default/TOPIC-partition-2, id says 2 and 2
"ключ" "" to persistent://public/default/TOPIC-partition-1, id says 1 and 1
"a" "hello" to persistent://public/default/TOPIC-partition-1, id says 1 and 1
"abcd" "" to persistent://public/default/TOPIC-partition-1, id says 1 and 1
"abcdefg" "" to persistent://public/default/TOPIC-partition-2, id says 2 and 2
"a" "" to persistent://public/default/TOPIC-partition-2, id says 2 and 2
"customer-7" "" to persistent://public/default/TOPIC-partition-1, id says 1 and 1
"ключ" "" to persistent://public/default/TOPIC-partition-0, id says 0 and 0
"a" "hello" to persistent://public/default/TOPIC-partition-1, id says 1 and 1
"abcd" "" to persistent://public/default/TOPIC-partition-0, id says 0 and 0
"abcdefg" "" to persistent://public/default/TOPIC-partition-1, id says 1 and 1
seek: true
3 last ids, <nil>, of persistent://public/default/TOPIC-partition-2`},

	{"topics: several in one consumer", func(n *notes) {
		one, two := n.topic+"-1", n.topic+"-2"
		c := n.subscribe(pulsar.ConsumerOptions{Topics: []string{one, two, one}, Type: shared, NackRedeliveryDelay: shortly})
		p, q := n.produce(pulsar.ProducerOptions{Topic: one}), n.produce(pulsar.ProducerOptions{Topic: two})
		sendTexts(n.T, p, "a")
		m := n.receive(c, 1)[0]
		n.note("%s", m.Topic())
		c.Nack(m)
		m = n.receive(c, 1)[0]
		n.note("ack: %v", c.Ack(m))
		id := send(n.T, q, pulsar.ProducerMessage{Payload: []byte("b")})
		n.receive(c, 1)
		n.note("ack of an id that does not know its topic: %v", c.AckID(id))
		var typed *pulsar.Error
		n.note("seek: %t", errors.As(c.SeekByTime(time.Now()), &typed) && typed.Result() == pulsar.SeekFailed)
	}, `
a
persistent://public/default/TOPIC-1
a/1
ack: <nil>
b
ack of an id that does not know its topic: unable to ack message because consumer is nil
seek: true`},

	{"names: what is refused", func(n *notes) {
		for _, name := range []string{"a/b", "x-partition-y", "bogus://a/b/c", "persistent://a/b"} {
			_, err := n.client.TopicPartitions(name)
			n.note("%s refused: %t", name, err != nil)
		}
	}, `
a/b refused: true
x-partition-y refused: true
bogus://a/b/c refused: true
persistent://a/b refused: true`},
}
