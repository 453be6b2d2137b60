package bqtest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// deliveryScenarios are about who is sent what, how often and when.
var deliveryScenarios = []scenario{
	{"exclusive: a nack brings everything unacknowledged again", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{NackRedeliveryDelay: shortly})
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "a", "b", "c")
		ms := n.receive(c, 2)
		ack(n.T, c, ms[1])
		c.Nack(ms[0])
		n.receive(c, 3)
		n.quiet(c)
	}, "a\nb\nc\na\nc\nnothing more"},

	{"failover: a nack brings everything unacknowledged again", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: pulsar.Failover, NackRedeliveryDelay: shortly})
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "a", "b")
		ms := n.receive(c, 2)
		c.Nack(ms[1])
		n.receive(c, 2)
		n.quiet(c)
	}, "a\nb\na\nb\nnothing more"},

	{"shared: a nack brings one message again and counts", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, NackRedeliveryDelay: shortly})
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "a", "b")
		ms := n.receive(c, 2)
		c.Nack(ms[0])
		ms = n.receive(c, 1)
		c.Nack(ms[0])
		n.receive(c, 1)
		n.quiet(c)
	}, "a\nb\na/1\na/2\nnothing more"},

	{"shared: the last consumer takes the counts with it", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, NackRedeliveryDelay: shortly})
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "a", "b")
		c.Nack(n.receive(c, 2)[0])
		n.receive(c, 1)
		c.Close()
		c = n.subscribe(pulsar.ConsumerOptions{Type: shared})
		n.receive(c, 2)
	}, "a\nb\na/1\na\nb"},

	{"shared: what a closing consumer had, prefetched too, goes to the others", func(n *notes) {
		one := n.subscribe(pulsar.ConsumerOptions{Type: shared, ReceiverQueueSize: 10})
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "a", "b", "c")
		n.receive(one, 1)
		two := n.subscribe(pulsar.ConsumerOptions{Type: shared})
		one.Close()
		n.anyOrder(func() { n.receive(two, 3) })
		n.quiet(two)
	}, "a\na\nb\nc\nnothing more"},

	{"shared: closing does not wait for the delay of a nack", func(n *notes) {
		one := n.subscribe(pulsar.ConsumerOptions{Type: shared, NackRedeliveryDelay: time.Hour})
		two := n.subscribe(pulsar.ConsumerOptions{Type: shared, PriorityLevel: 1})
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "a")
		one.Nack(n.receive(one, 1)[0])
		one.Close()
		n.receive(two, 1)
	}, "a\na"},

	{"shared: a better priority gets everything while it has room", func(n *notes) {
		second := n.subscribe(pulsar.ConsumerOptions{Type: shared, PriorityLevel: 1})
		first := n.subscribe(pulsar.ConsumerOptions{Type: shared})
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "a", "b", "c")
		n.receive(first, 3)
		n.quiet(second)
	}, "a\nb\nc\nnothing more"},

	{"failover: the next consumer takes over what is not acknowledged", func(n *notes) {
		one := n.subscribe(pulsar.ConsumerOptions{Type: pulsar.Failover, Name: "one"})
		two := n.subscribe(pulsar.ConsumerOptions{Type: pulsar.Failover, Name: "two"})
		p := n.produce(pulsar.ProducerOptions{})
		sendTexts(n.T, p, "a")
		active, m := first(n, one, two)
		standby := map[pulsar.Consumer]pulsar.Consumer{one: two, two: one}[active]
		n.note("%s", text(m))
		ack(n.T, active, m)
		sendTexts(n.T, p, "b", "c")
		n.receive(active, 1)
		n.quiet(standby)
		active.Close()
		n.receive(standby, 2)
	}, "a\nb\nnothing more\nb\nc"},

	{"failover: the topic and the names choose the active consumer", func(n *notes) {
		opts := pulsar.ConsumerOptions{
			Topic: "parity-failover", SubscriptionName: fmt.Sprint(time.Now().UnixNano(), topicNumber.Add(1)),
			Type: pulsar.Failover,
		}
		p := n.produce(pulsar.ProducerOptions{Topic: opts.Topic})
		var consumers []pulsar.Consumer
		for _, name := range []string{"delta", "alpha", "echo", "bravo", "charlie", "foxtrot"} {
			opts.Name = name
			consumers = append(consumers, n.subscribe(opts))
			send(n.T, p, pulsar.ProducerMessage{Payload: []byte("x")})
			c, m := first(n, consumers...)
			n.note("with %s it is %s", name, c.Name())
			if err := c.Ack(m); err != nil {
				n.Fatal(err)
			}
		}
		for _, c := range consumers {
			c.Close()
		}
	}, `
with delta it is delta
with alpha it is alpha
with echo it is echo
with bravo it is echo
with charlie it is echo
with foxtrot it is echo`},

	{"key shared: a key stays with its consumer", func(n *notes) {
		one := n.subscribe(pulsar.ConsumerOptions{Type: keyShared, Name: "one"})
		two := n.subscribe(pulsar.ConsumerOptions{Type: keyShared, Name: "two"})
		p := n.produce(pulsar.ProducerOptions{})
		for i := range 40 {
			send(n.T, p, pulsar.ProducerMessage{Key: fmt.Sprint("k", i%8), Payload: fmt.Append(nil, i)})
		}
		by := map[string]map[string]bool{}
		for got := 0; got < 40; {
			for _, c := range []pulsar.Consumer{one, two} {
				ctx, cancel := context.WithTimeout(n.Context(), 50*time.Millisecond)
				if m, err := c.Receive(ctx); err == nil {
					if by[m.Key()] == nil {
						by[m.Key()] = map[string]bool{}
					}
					by[m.Key()][c.Name()] = true
					got++
				}
				cancel()
			}
		}
		consumers := map[string]bool{}
		for _, names := range by {
			for name := range names {
				consumers[name] = true
			}
			if len(names) != 1 {
				n.note("a key has %d consumers", len(names))
			}
		}
		n.note("%d keys over %d consumers", len(by), len(consumers))
	}, "8 keys over 2 consumers"},

	{"key shared: a key in flight does not move to a consumer that joins", func(n *notes) {
		opts := pulsar.ConsumerOptions{Type: keyShared, AckWithResponse: true}
		one := n.subscribe(opts)
		p := n.produce(pulsar.ProducerOptions{})
		const keys = 16
		for i := range keys {
			send(n.T, p, pulsar.ProducerMessage{Key: fmt.Sprint("k", i), Payload: []byte("first")})
		}
		var first []pulsar.Message
		for range keys {
			first = append(first, receive(n.T, one))
		}
		two := n.subscribe(opts)
		for i := range keys {
			send(n.T, p, pulsar.ProducerMessage{Key: fmt.Sprint("k", i), Payload: []byte("second")})
		}
		n.quiet(two)
		ack(n.T, one, first...)
		n.receive(two, 1)
	}, "nothing more\nsecond"},

	{"key shared: a nack brings one message again and counts", func(n *notes) {
		c := n.subscribe(pulsar.ConsumerOptions{Type: keyShared, NackRedeliveryDelay: shortly})
		p := n.produce(pulsar.ProducerOptions{})
		for _, s := range []string{"a", "b", "c"} {
			send(n.T, p, pulsar.ProducerMessage{Key: "k", Payload: []byte(s)})
		}
		c.Nack(n.receive(c, 1)[0])
		n.receive(c, 3)
		n.quiet(c)
	}, "a\nb\nc\na/1\nnothing more"},

	{"delay: kept on shared, ignored on exclusive", func(n *notes) {
		s := n.subscribe(pulsar.ConsumerOptions{SubscriptionName: "s", Type: shared})
		x := n.subscribe(pulsar.ConsumerOptions{SubscriptionName: "x"})
		p := n.produce(pulsar.ProducerOptions{})
		send(n.T, p, pulsar.ProducerMessage{Payload: []byte("later"), DeliverAfter: shortly})
		send(n.T, p, pulsar.ProducerMessage{Payload: []byte("now")})
		n.receive(s, 1)
		n.receive(x, 2)
		n.receive(s, 1)
	}, "now\nlater\nnow\nlater"},

	{"zero queue: one message per Receive", func(n *notes) {
		one := n.subscribe(pulsar.ConsumerOptions{Type: shared, EnableZeroQueueConsumer: true})
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "a", "b")
		n.receive(one, 1)
		two := n.subscribe(pulsar.ConsumerOptions{Type: shared})
		n.receive(two, 1)
	}, "a\nb"},
}
