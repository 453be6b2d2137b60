package bqtest_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// entryScenarios are about entries: what the broker delivers and acknowledges as one.
var entryScenarios = []scenario{
	{"unload: everything unacknowledged comes again under the same ids", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: true, NackRedeliveryDelay: shortly})
		p := n.produce(pulsar.ProducerOptions{})
		sendTexts(n.T, p, "a", "b", "c")
		ms := n.receive(c, 3)
		c.Nack(ms[2])
		again := n.receive(c, 1)[0] // counted once, which the unload forgets
		ack(n.T, c, ms[1])
		n.unload(n.topic)
		copies := n.receive(c, 2)
		n.note("same ids %t %t", same(ms[0], copies[0]), same(again, copies[1]))
		n.quiet(c)
		n.note("the copy handed out before: %v", c.Ack(ms[0]))
		n.note("its copy: %v", c.Ack(copies[0]))
		id := send(n.T, p, pulsar.ProducerMessage{Payload: []byte("d")})
		n.note("another ledger %t", id.LedgerID() > ms[0].ID().LedgerID())
		n.receive(c, 1)
		n.unload(n.topic)
		n.receive(c, 2)
		n.quiet(c)
	}, `
a
b
c
c/1
a
c
same ids true true
nothing more
the copy handed out before: <nil>
its copy: <nil>
another ledger true
d
c
d
nothing more`},
	{"unload: what waited for Receive comes twice", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: true, ReceiverQueueSize: 20})
		p := n.produce(pulsar.ProducerOptions{})
		for i := range 15 {
			send(n.T, p, pulsar.ProducerMessage{Payload: fmt.Append(nil, i)})
		}
		n.receive(c, 1)
		<-time.After(shortly)
		n.unload(n.topic)
		<-time.After(shortly)
		n.receive(c, 25)
		n.quiet(c)
	}, `
0
1
2
3
4
5
6
7
8
9
10
0
1
2
3
4
5
6
7
8
9
10
11
12
13
14
nothing more`},
	{"batch: one entry, and a nack gives back all of it", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: true, NackRedeliveryDelay: shortly})
		n.sendBatch(pulsar.ProducerOptions{}, "a", "b", "c")
		ms := n.receive(c, 3)
		for _, m := range ms {
			n.note("entry of the first %t, index %d of %d",
				m.ID().EntryID() == ms[0].ID().EntryID(), m.ID().BatchIdx(), m.ID().BatchSize())
		}
		n.note("%v", c.Ack(ms[0]))
		c.Nack(ms[1])
		n.receive(c, 3)
		n.quiet(c)
	}, `
a
b
c
entry of the first true, index 0 of 3
entry of the first true, index 1 of 3
entry of the first true, index 2 of 3
<nil>
a/1
b/1
c/1
nothing more`},
	{"batch: acknowledged when each member of one copy is", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: true, NackRedeliveryDelay: shortly})
		n.sendBatch(pulsar.ProducerOptions{}, "a", "b", "c")
		first := n.receive(c, 3)
		n.note("%v %v", c.Ack(first[0]), c.AckIDList([]pulsar.MessageID{first[1].ID()}))
		n.unload(n.topic)
		second := n.receive(c, 3)
		n.note("%v, a copy of the first lot", c.Ack(first[2]))
		n.note("%v %v", c.Ack(second[0]), c.Ack(second[1]))
		n.unload(n.topic)
		n.quiet(c)
	}, `
a
b
c
<nil> <nil>
a
b
c
<nil>, a copy of the first lot
<nil> <nil>
nothing more`},
	{"batch: members of two copies complete nothing", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: true, NackRedeliveryDelay: shortly})
		n.sendBatch(pulsar.ProducerOptions{}, "a", "b")
		first := n.receive(c, 2)
		n.note("%v", c.Ack(first[0]))
		n.unload(n.topic)
		second := n.receive(c, 2)
		n.note("%v", c.AckIDList([]pulsar.MessageID{second[1].ID()}))
		n.unload(n.topic)
		third := n.receive(c, 2)
		n.note("%v", c.AckIDList([]pulsar.MessageID{third[0].ID(), third[1].ID()}))
		n.unload(n.topic)
		n.quiet(c)
	}, `
a
b
<nil>
a
b
<nil>
a
b
<nil>
nothing more`},
	{"batch: an id without its copy acknowledges the whole entry", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: true})
		n.sendBatch(pulsar.ProducerOptions{}, "a", "b")
		ms := n.receive(c, 2)
		id, err := pulsar.DeserializeMessageID(ms[0].ID().Serialize())
		n.note("%v index %d of %d: %v", err, id.BatchIdx(), id.BatchSize(), c.AckIDList([]pulsar.MessageID{id}))
		n.unload(n.topic)
		n.quiet(c)
	}, `
a
b
<nil> index 0 of 2: <nil>
nothing more`},
	{"batch: exclusive", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{AckWithResponse: true, NackRedeliveryDelay: shortly})
		n.sendBatch(pulsar.ProducerOptions{}, "a", "b")
		n.sendBatch(pulsar.ProducerOptions{}, "c", "d")
		ms := n.receive(c, 4)
		n.note("%v", c.Ack(ms[0]))
		c.Nack(ms[3])
		ms = n.receive(c, 4)
		n.note("cumulative %v", c.AckCumulative(ms[2]))
		c.Close()
		c = n.subscribe(pulsar.ConsumerOptions{AckWithResponse: true, NackRedeliveryDelay: shortly})
		n.receive(c, 2)
		n.quiet(c)
	}, `
a
b
c
d
<nil>
a
b
c
d
cumulative <nil>
c
d
nothing more`},
	{"batch: a reader goes on within it", func(n *notes) {
		r, err := n.client.CreateReader(pulsar.ReaderOptions{Topic: n.topic, StartMessageID: pulsar.EarliestMessageID()})
		if err != nil {
			n.Fatal(err)
		}
		defer r.Close()
		var payloads []string
		for i := range 24 {
			payloads = append(payloads, fmt.Sprint(i))
		}
		n.sendBatch(pulsar.ProducerOptions{}, payloads...)
		for range 24 {
			m, err := r.Next(deadline(n.T))
			if err != nil {
				n.Fatal(err)
			}
			n.note("%s", text(m))
			if text(m) == "3" {
				n.unload(n.topic)
				<-time.After(2 * shortly)
			}
		}
		n.note("more %t", r.HasNext())
	}, `
0
1
2
3
4
5
6
7
8
9
10
11
12
13
14
15
16
17
18
19
20
21
22
23
more false`},
	{"batch: by key", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: keyShared})
		p := n.batching(pulsar.ProducerOptions{BatcherBuilderType: pulsar.KeyBasedBatchBuilder})
		for i, key := range []string{"k", "l", "k", "l", "k"} {
			p.SendAsync(n.Context(), &pulsar.ProducerMessage{Key: key, Payload: fmt.Append(nil, i)}, nil)
		}
		n.note("flush: %v", p.FlushWithCtx(deadline(n.T)))
		n.anyOrder(func() {
			for range 5 {
				m := receive(n.T, c)
				n.note("%s %s index %d of %d", m.Key(), text(m), m.ID().BatchIdx(), m.ID().BatchSize())
			}
		})
	}, `
flush: <nil>
k 0 index 0 of 3
k 2 index 1 of 3
k 4 index 2 of 3
l 1 index 0 of 2
l 3 index 1 of 2`},
	{"batch: what ends one", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared})
		p := n.batching(pulsar.ProducerOptions{BatchingMaxMessages: 3})
		async := func(m pulsar.ProducerMessage) { p.SendAsync(n.Context(), &m, nil) }
		for _, s := range []string{"a", "b", "c", "d"} {
			async(pulsar.ProducerMessage{Payload: []byte(s)})
		}
		sendTexts(n.T, p, "e")
		async(pulsar.ProducerMessage{Payload: []byte("f")})
		async(pulsar.ProducerMessage{Payload: []byte("later"), DeliverAfter: shortly})
		async(pulsar.ProducerMessage{Payload: []byte("g")})
		n.note("flush: %v", p.FlushWithCtx(deadline(n.T)))
		for range 8 {
			m := receive(n.T, c)
			n.note("%s index %d of %d", text(m), m.ID().BatchIdx(), m.ID().BatchSize())
		}
	}, `
flush: <nil>
a index 0 of 3
b index 1 of 3
c index 2 of 3
d index 0 of 2
e index 1 of 2
f index 0 of 2
g index 1 of 2
later index 0 of 1`},
	{"batch: what a send returns", func(n *notes) {
		p := n.batching(pulsar.ProducerOptions{})
		ids := make(chan pulsar.MessageID, 2)
		for _, s := range []string{"a", "b"} {
			p.SendAsync(n.Context(), &pulsar.ProducerMessage{Payload: []byte(s)},
				func(id pulsar.MessageID, _ *pulsar.ProducerMessage, err error) { ids <- id })
		}
		n.note("flush: %v", p.FlushWithCtx(deadline(n.T)))
		for range 2 {
			id := <-ids
			n.note("index %d of %d", id.BatchIdx(), id.BatchSize())
		}
		n.note("last sequence id %d", p.LastSequenceID())
	}, `
flush: <nil>
index 0 of 2
index 1 of 2
last sequence id 0`},
	{"ack list: what the client cannot place is left out", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: true})
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "a", "b")
		ms := n.receive(c, 2)
		foreign := struct{ pulsar.MessageID }{ms[0].ID()}
		n.note("%v", c.AckIDList([]pulsar.MessageID{foreign, pulsar.EarliestMessageID()}))
		n.note("%v", c.AckIDList(nil))
		c.Close()
		err := c.AckIDList([]pulsar.MessageID{foreign, ms[1].ID()})
		var failed pulsar.AckError
		n.note("%t %d %v", errors.As(err, &failed), len(failed), failed[ms[1].ID()])
	}, `
a
b
<nil>
<nil>
true 1 consumer state is closed`},
	{"reset cursor: the same ids again, not counted", func(n *notes) {
		hold := n.subscribe(pulsar.ConsumerOptions{SubscriptionName: "hold"})
		defer hold.Close()
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: true, NackRedeliveryDelay: shortly})
		begin := time.Now().Add(-time.Minute)
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "a", "b")
		ms := n.receive(c, 2)
		c.Nack(ms[1])
		n.receive(c, 1)
		ack(n.T, c, ms[0])
		n.resetCursor(n.topic, "sub", begin)
		again := n.receive(c, 2)
		n.note("same ids %t %t", same(ms[0], again[0]), same(ms[1], again[1]))
		n.quiet(c)
	}, `
a
b
b/1
a
b
same ids true true
nothing more`},
}

func same(a, b pulsar.Message) bool { return string(a.ID().Serialize()) == string(b.ID().Serialize()) }
