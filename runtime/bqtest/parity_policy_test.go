package bqtest_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// policyScenarios are about what an administrator limits and the broker refuses.
var policyScenarios = []scenario{
	{"dead-letter policy: what was delivered too often goes to another topic", func(n *notes) {
		dead := n.topic + "-dead"
		c := n.subscribe(pulsar.ConsumerOptions{
			Type: shared, AckWithResponse: true, NackRedeliveryDelay: 100 * time.Millisecond,
			DLQ: &pulsar.DLQPolicy{MaxDeliveries: 2, DeadLetterTopic: dead, InitialSubscriptionName: "first"},
		})
		p := n.produce(pulsar.ProducerOptions{})
		send(n.T, p, pulsar.ProducerMessage{
			Payload: []byte("bad"), Key: "k", OrderingKey: "o", Properties: map[string]string{"a": "b"},
		})
		for range 2 {
			c.Nack(n.receive(c, 1)[0])
		}
		send(n.T, p, pulsar.ProducerMessage{Payload: []byte("good")})
		n.note("%v", c.Ack(n.receive(c, 1)[0]))
		n.quiet(c)
		m := n.receive(n.subscribe(pulsar.ConsumerOptions{
			Topic: dead, SubscriptionName: "first", Type: shared,
			SubscriptionInitialPosition: pulsar.SubscriptionPositionLatest, // the policy has made it
		}), 1)[0]
		properties := m.Properties()
		n.note("%s %s %s %s %d", m.Key(), m.OrderingKey(), properties["a"], properties["REAL_TOPIC"], len(properties))
		n.note("%v", properties["ORIGIN_MESSAGE_ID"] != "" &&
			properties["ORIGIN_MESSAGE_ID"] == properties["ORIGIN_MESSAGE_IDY_TIME"])
	}, `
bad
bad/1
good
<nil>
nothing more
bad
k o b persistent://public/default/TOPIC 4
true`},
	{"unacknowledged limit: nothing more until half of it is free", func(n *notes) {
		n.setPolicies(n.topic, bqtest.Policies{MaxUnacked: 4})
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: true, NackRedeliveryDelay: shortly})
		p := n.produce(pulsar.ProducerOptions{})
		for i := range 12 {
			send(n.T, p, pulsar.ProducerMessage{Payload: fmt.Append(nil, i)})
		}
		ms := n.receive(c, 4)
		n.quiet(c)
		n.note("%v", c.Ack(ms[0]))
		n.quiet(c)
		n.note("%v", c.Ack(ms[1]))
		ms = append(ms[2:], n.receive(c, 2)...)
		n.quiet(c)
		c.Nack(ms[0])
		c.Nack(ms[1])
		n.receive(c, 2)
		n.quiet(c)
	}, `
0
1
2
3
nothing more
<nil>
nothing more
<nil>
4
5
nothing more
2/1
3/1
nothing more`},
	{"unacknowledged limit: of a batch", func(n *notes) {
		n.setPolicies(n.topic, bqtest.Policies{MaxUnacked: 4})
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, AckWithResponse: true})
		n.sendBatch(pulsar.ProducerOptions{}, "a", "b", "c")
		n.sendBatch(pulsar.ProducerOptions{}, "d", "e", "f")
		n.sendBatch(pulsar.ProducerOptions{}, "g", "h", "i")
		ms := n.receive(c, 6)
		n.quiet(c)
		n.note("%v", c.AckIDList([]pulsar.MessageID{ms[0].ID(), ms[1].ID(), ms[2].ID()}))
		n.quiet(c)
		n.note("%v", c.AckIDList([]pulsar.MessageID{ms[3].ID(), ms[4].ID(), ms[5].ID()}))
		n.receive(c, 3)
	}, `
a
b
c
d
e
f
nothing more
<nil>
nothing more
<nil>
g
h
i`},
	{"unacknowledged limit: not on exclusive", func(n *notes) {
		n.setPolicies(n.topic, bqtest.Policies{MaxUnacked: 2})
		c := n.subscribe(pulsar.ConsumerOptions{AckWithResponse: true})
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "a", "b", "c", "d")
		n.receive(c, 4)
	}, `
a
b
c
d`},
	{"size policy: the producer never hears again", func(n *notes) {
		n.setPolicies(n.topic, bqtest.Policies{MaxMessageSize: 1024})
		c := n.subscribe(pulsar.ConsumerOptions{})
		p := n.produce(pulsar.ProducerOptions{SendTimeout: shortly})
		sendTexts(n.T, p, "before")
		_, err := p.Send(n.Context(), &pulsar.ProducerMessage{Payload: make([]byte, 4096)})
		n.note("large: timeout %t %v", errors.Is(err, pulsar.ErrSendTimeout), err)
		_, err = p.Send(n.Context(), &pulsar.ProducerMessage{Payload: []byte("small")})
		n.note("small: timeout %t", errors.Is(err, pulsar.ErrSendTimeout))
		n.receive(c, 2)
		n.quiet(c)
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "of another producer")
		n.receive(c, 1)
		n.unload(n.topic)
		_, err = p.Send(n.Context(), &pulsar.ProducerMessage{Payload: []byte("after an unload")})
		n.note("after an unload: timeout %t", errors.Is(err, pulsar.ErrSendTimeout))
	}, `
large: timeout true message send timeout: TimeoutError
small: timeout true
before
small
nothing more
of another producer
after an unload: timeout true`},
	{"size policy: others in flight", func(n *notes) {
		n.setPolicies(n.topic, bqtest.Policies{MaxMessageSize: 1024})
		c := n.subscribe(pulsar.ConsumerOptions{})
		p := n.produce(pulsar.ProducerOptions{SendTimeout: shortly})
		results := make(chan string, 3)
		for _, body := range []string{strings.Repeat("x", 4096), "two"} {
			p.SendAsync(n.Context(), &pulsar.ProducerMessage{Payload: []byte(body)},
				func(_ pulsar.MessageID, m *pulsar.ProducerMessage, err error) {
					results <- fmt.Sprintf("%.3s: timeout %t", m.Payload, errors.Is(err, pulsar.ErrSendTimeout))
				})
		}
		n.anyOrder(func() {
			for range 2 {
				n.note("%s", <-results)
			}
		})
		n.receive(c, 1)
		n.quiet(c)
	}, `
two: timeout true
xxx: timeout true
two
nothing more`},
	{"delay policy: the same", func(n *notes) {
		n.setPolicies(n.topic, bqtest.Policies{MaxDelay: time.Second})
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared})
		p := n.produce(pulsar.ProducerOptions{SendTimeout: shortly})
		_, err := p.Send(n.Context(), &pulsar.ProducerMessage{Payload: []byte("late"), DeliverAfter: time.Hour})
		n.note("timeout %t", errors.Is(err, pulsar.ErrSendTimeout))
		_, err = p.Send(n.Context(), &pulsar.ProducerMessage{Payload: []byte("now")})
		n.note("timeout %t", errors.Is(err, pulsar.ErrSendTimeout))
		n.receive(c, 1)
		n.quiet(c)
	}, `
timeout true
timeout true
now
nothing more`},
	{"producers: too many", func(n *notes) {
		n.setPolicies(n.topic, bqtest.Policies{MaxProducers: 1})
		p := n.produce(pulsar.ProducerOptions{})
		_, err := n.client.CreateProducer(pulsar.ProducerOptions{Topic: n.topic})
		n.note("%v", err)
		p.Close()
		n.produce(pulsar.ProducerOptions{})
	}, `
server error: ProducerBusy: Topic 'persistent://public/default/TOPIC' reached max producers limit`},
	{"consumers: too many", func(n *notes) {
		n.setPolicies(n.topic, bqtest.Policies{MaxConsumers: 1})
		n.subscribe(pulsar.ConsumerOptions{Type: shared})
		_, err := n.client.Subscribe(pulsar.ConsumerOptions{Topic: n.topic, SubscriptionName: "other"})
		n.note("%v", err)
	}, `
server error: ConsumerBusy: Topic reached max consumers limit`},
	{"terminated: what is there is delivered", func(n *notes) {
		// The connection of a consumer is closed once it has acknowledged everything: the broker then sends a command
		// that the client does not know. So nothing else may use that connection, nor wait for an answer on it.
		c := subscribe(n.T, n.connect(), pulsar.ConsumerOptions{Topic: n.topic, Type: shared})
		p := n.produce(pulsar.ProducerOptions{SendTimeout: shortly})
		sendTexts(n.T, p, "a")
		n.terminate(n.topic)
		n.note("%v", c.Ack(n.receive(c, 1)[0]))
		_, err := n.client.CreateProducer(pulsar.ProducerOptions{Topic: n.topic})
		n.note("%v", err)
		// At first a send can fail with ErrTopicTerminated, or make the broker close the connection.
		_, err = p.Send(n.Context(), &pulsar.ProducerMessage{Payload: []byte("b")})
		for until := time.Now().Add(time.Minute); err != nil && time.Now().Before(until); {
			if strings.Contains(err.Error(), "already been closed") {
				break
			}
			<-time.After(100 * time.Millisecond)
			_, err = p.Send(n.Context(), &pulsar.ProducerMessage{Payload: []byte("b")})
		}
		n.note("terminated %t, %v", errors.Is(err, pulsar.ErrTopicTerminated), err)
		_, err = p.Send(n.Context(), &pulsar.ProducerMessage{Payload: []byte("c")})
		n.note("terminated %t, closed %t, %v",
			errors.Is(err, pulsar.ErrTopicTerminated), errors.Is(err, pulsar.ErrProducerClosed), err)
		n.quiet(c)
		c.Close() // a client that is closed while a consumer reconnects leaves the new connection open
	}, `
a
<nil>
server error: TopicTerminatedError: \
org.apache.pulsar.broker.service.BrokerServiceException$TopicTerminatedException: Topic was already terminated
terminated false, producer already been closed: ProducerClosed
terminated false, closed true, producer already been closed: ProducerClosed
nothing more`},
	{"schema: incompatible", func(n *notes) {
		one := pulsar.NewJSONSchema(`{"type":"record","name":"O","fields":[{"name":"id","type":"int"}]}`, nil)
		two := pulsar.NewJSONSchema(`{"type":"record","name":"O","fields":[{"name":"id","type":"string"}]}`, nil)
		n.produce(pulsar.ProducerOptions{Schema: one})
		_, err := n.client.CreateProducer(pulsar.ProducerOptions{Topic: n.topic, Schema: two})
		n.note("%.34s", err)
		_, err = n.client.Subscribe(pulsar.ConsumerOptions{Topic: n.topic, SubscriptionName: "sub", Schema: two})
		n.note("%.34s", err)
		p := n.produce(pulsar.ProducerOptions{})
		_, err = p.Send(n.Context(), &pulsar.ProducerMessage{Payload: []byte("{}"), Schema: two})
		n.note("schema %t %.55s", errors.Is(err, pulsar.ErrSchema), err)
		_, err = p.Send(n.Context(), &pulsar.ProducerMessage{Payload: []byte("{}")})
		n.note("without a schema: %v", err)
	}, `
server error: IncompatibleSchema: 
server error: IncompatibleSchema: 
schema true schema error: SchemaFailure
get schema version fail, er
without a schema: <nil>`},
	{"schema: required, and versions", func(n *notes) {
		namespace := "public/schemas-" + n.topic
		n.setNamespace(namespace, bqtest.Namespace{SchemaRequired: true, AnySchema: true})
		topic := namespace + "/orders"
		open := func(schema pulsar.Schema) (pulsar.Producer, error) {
			p, err := n.client.CreateProducer(pulsar.ProducerOptions{Topic: topic, Schema: schema})
			if err != nil {
				n.note("%.195s", err)
				return nil, err
			}
			n.Cleanup(p.Close)
			return p, nil
		}
		one := pulsar.NewJSONSchema(`{"type":"record","name":"O","fields":[{"name":"id","type":"int"}]}`, nil)
		two := pulsar.NewAvroSchema(`{"type":"record","name":"O","fields":[{"name":"no","type":"string"}]}`, nil)
		if _, err := open(nil); err != nil { // no schema is needed where there is none yet
			return
		}
		p, err := open(one)
		if err != nil {
			return
		}
		_, _ = open(nil)
		c := n.subscribe(pulsar.ConsumerOptions{ // which needs none
			Topic: topic, Type: shared, NackRedeliveryDelay: 100 * time.Millisecond,
		})
		for _, m := range []pulsar.ProducerMessage{
			{Payload: []byte("a")}, {Payload: []byte("b"), Schema: two}, {Payload: []byte("c"), Schema: one},
			{Payload: []byte("alone"), Schema: one, DeliverAfter: time.Millisecond},
		} {
			send(n.T, p, m)
			got := n.receive(c, 1)[0]
			n.note("version:%x", got.SchemaVersion())
			if got.RedeliveryCount() == 0 && string(got.Payload()) == "b" {
				c.Nack(got)
				n.note("again: %x", n.receive(c, 1)[0].SchemaVersion())
			}
		}
	}, `
server error: IncompatibleSchema: org.apache.pulsar.broker.service.schema.exceptions.IncompatibleSchemaException: \
Producers cannot connect or send message without a schema to topics with a schema
a
version:0000000000000000
b
version:0000000000000001
b/1
again: 0000000000000001
c
version:0000000000000000
alone
version:`},
}
