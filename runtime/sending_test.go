package bq

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// A lateProducer has no room for some messages and refuses some, which it says at once. Of the others it confirms most
// on another goroutine, in batches, as the Pulsar client does. The rest it keeps, and confirms when it is told to.
type lateProducer struct {
	instantProducer
	t     *testing.T
	calls int
	line  chan sentMessage

	mu        sync.Mutex
	confirmed map[string]bool // by id
	late      []sentMessage
}

type sentMessage struct {
	*pulsar.ProducerMessage
	done func(pulsar.MessageID, *pulsar.ProducerMessage, error)
}

type lateClient struct {
	pulsar.Client
	producer *lateProducer
}

func (c lateClient) CreateProducer(o pulsar.ProducerOptions) (pulsar.Producer, error) {
	c.producer.topic = o.Topic
	return c.producer, nil
}

func (p *lateProducer) SendAsync(
	_ context.Context, m *pulsar.ProducerMessage, done func(pulsar.MessageID, *pulsar.ProducerMessage, error),
) {
	switch p.calls++; {
	case p.calls%50 == 0:
		done(nil, m, pulsar.ErrSendQueueIsFull)
	case p.calls%11 == 0:
		done(nil, m, pulsar.ErrInvalidMessage)
	default:
		p.line <- sentMessage{m, done}
	}
}

// run confirms messages until there is one without a body.
func (p *lateProducer) run() {
	var batch []sentMessage
	for n := 0; ; n++ {
		var m sentMessage
		select {
		case m = <-p.line:
		default:
			p.confirm(batch)
			batch = batch[:0]
			m = <-p.line
		}
		if m.ProducerMessage == nil {
			p.confirm(batch)
			return
		}
		if n%101 == 0 {
			p.late = append(p.late, m)
		} else if batch = append(batch, m); len(batch) == 20 {
			p.confirm(batch)
			batch = batch[:0]
		}
	}
}

// confirm confirms messages, whose bodies and properties must agree until then.
func (p *lateProducer) confirm(batch []sentMessage) {
	for _, m := range batch {
		e, err := envelope.Parse(m.Payload)
		if err != nil || e.Meta.ID != m.Properties[envelope.PropertyMessageID] || len(m.Properties) != 6 {
			p.t.Errorf("a message has the body %s and the properties %v: %v", m.Payload, m.Properties, err)
		} else {
			p.mu.Lock()
			p.confirmed[e.Meta.ID] = true
			p.mu.Unlock()
		}
		m.done(nil, m.ProducerMessage, nil)
	}
}

// TestRecordsAreUsedAgainOnlyWhenNobodyNeedsThem: a message is the same until it is confirmed, and a result is that of
// its message, also when messages fail, are tried again, or are confirmed after their time.
func TestRecordsAreUsedAgainOnlyWhenNobodyNeedsThem(t *testing.T) {
	p := &lateProducer{t: t, line: make(chan sentMessage, 100), confirmed: map[string]bool{}}
	run := func() (stop func()) {
		ended := make(chan struct{})
		go func() { defer close(ended); p.run() }()
		return func() { p.line <- sentMessage{}; <-ended }
	}
	stop := run()
	const n, timeout = 1000, 50 * time.Millisecond
	producers, publisher := newPaymentPublisher(lateClient{producer: p}, WithSendTimeout(timeout))
	var mu sync.Mutex
	calls, good := make([]int, n), 0
	publish := func(from, to int) {
		for i := from; i < to; i++ {
			v := aPayment
			v.OrderID = int64(i)
			publisher.PublishAsync(t.Context(), v, func(r PublishResult, err error) {
				mu.Lock()
				defer mu.Unlock()
				calls[i]++
				p.mu.Lock()
				defer p.mu.Unlock()
				if err == nil {
					if good++; !p.confirmed[r.ID] {
						t.Errorf("message %d, %s: success before it was confirmed", i, r.ID)
					}
				}
			})
		}
	}
	publish(0, n/2)
	if err := producers.Flush(t.Context()); err != nil { // those that are late are, by now
		t.Fatal(err)
	}
	stop()
	late := p.late
	stop = run()
	for i, m := range late { // while their records would be others'
		publish(n/2+i, n/2+i+1)
		m.done(nil, m.ProducerMessage, nil)
	}
	publish(n/2+len(late), n)
	if err := producers.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop()
	for i, c := range calls {
		if c != 1 {
			t.Fatalf("the callback of message %d was called %d times", i, c)
		}
	}
	if good == 0 || len(late) == 0 {
		t.Errorf("%d messages were confirmed and %d late; the test tests nothing", good, len(late))
	}
}
