package flow

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/topic"
)

// This file owns the producers of retries and dead letters.

// Publish publishes a message and returns when the broker has confirmed it.
type Publish func(*pulsar.ProducerMessage) error

// A Sender publishes in the background. Send returns at once; job is called with a way to publish to the topic, and
// done with what job returned.
type Sender interface {
	Send(topic string, job func(Publish) error, done func(error))
	Close()
}

// sendersPerTopic is how many messages are published to a topic at a time. Each has a producer of its own meanwhile:
// the client forgets a producer of which the broker has refused one message, and what else was on its way with it is
// stored but never confirmed. So a message that is refused spoils nobody else's, and none is stored twice.
const sendersPerTopic = 8

// errClosing is the outcome of what is to be sent after Close.
var errClosing = errors.New("the consumer is closing")

// Outboxes are Senders over a client: producers are created when they are needed, and closed at the end.
type Outboxes struct {
	create  func(topic string) (pulsar.Producer, error)
	timeout time.Duration
	protect func(func() error) error

	mu     sync.Mutex
	topics map[string]*outbox
	closed bool
}

// NewOutboxes returns Outboxes that create producers with create. Creating one and sending with it may take the
// timeout. protect turns panics into errors.
func NewOutboxes(
	create func(topic string) (pulsar.Producer, error), timeout time.Duration, protect func(func() error) error,
) *Outboxes {
	return &Outboxes{create: create, timeout: timeout, protect: protect, topics: make(map[string]*outbox)}
}

// For returns a Sender to one topic, whatever the topic is that Send is called with; "" leaves it to the call.
func (o *Outboxes) For(topic string) Sender { return &toTopic{o, topic} }

type toTopic struct {
	*Outboxes
	topic string
}

func (t *toTopic) Send(topic string, job func(Publish) error, done func(error)) {
	if t.topic != "" {
		topic = t.topic
	}
	t.Outboxes.send(topic, job, done)
}

// NewOutbox returns a Sender over a producer of the caller's. It publishes one message at a time.
func NewOutbox(p pulsar.Producer, timeout time.Duration, protect func(func() error) error) Sender {
	o := NewOutboxes(nil, timeout, protect)
	o.topics[""] = &outbox{owner: o, idle: []pulsar.Producer{p}, most: 1, own: true}
	return &ownProducer{o}
}

type ownProducer struct {
	*Outboxes
}

func (p *ownProducer) Send(_ string, job func(Publish) error, done func(error)) {
	p.send("", job, done)
}

// OnlyTo returns a Sender that sends with own to its topic, and with others to all other topics (RET-1). Without others
// such a message is not sent.
func OnlyTo(name string, own, others Sender) Sender { return &divided{name, own, others} }

type divided struct {
	topic       string
	own, others Sender
}

func (s *divided) Send(name string, job func(Publish) error, done func(error)) {
	switch {
	case topic.Same(topic.WithoutPartition(name), topic.WithoutPartition(s.topic)):
		s.own.Send(name, job, done)
	case s.others != nil:
		s.others.Send(name, job, done)
	default:
		go done(fmt.Errorf("the retry producer is for %s, the message came from %s (RET-1)", s.topic, name))
	}
}

func (s *divided) Close() {
	s.own.Close()
	if s.others != nil {
		s.others.Close()
	}
}

// An outbox is what is to be sent to one topic.
type outbox struct {
	owner *Outboxes
	topic string
	most  int
	own   bool // the producer is the caller's

	jobs    []outboxJob
	workers int
	idle    []pulsar.Producer
	opening int
}

type outboxJob struct {
	run  func(Publish) error
	done func(error)
}

func (o *Outboxes) send(topic string, job func(Publish) error, done func(error)) {
	o.mu.Lock()
	if o.closed {
		o.mu.Unlock()
		go done(errClosing)
		return
	}
	b := o.topics[topic]
	if b == nil {
		b = &outbox{owner: o, topic: topic, most: sendersPerTopic}
		o.topics[topic] = b
	}
	b.jobs = append(b.jobs, outboxJob{job, done})
	if b.workers < b.most {
		b.workers++
		go b.work()
	}
	o.mu.Unlock()
}

// work sends until there is nothing left to send.
func (b *outbox) work() {
	o := b.owner
	for {
		o.mu.Lock()
		if len(b.jobs) == 0 || o.closed {
			jobs := b.jobs
			b.jobs = nil
			b.workers--
			o.mu.Unlock()
			for _, job := range jobs {
				job.done(errClosing)
			}
			return
		}
		job := b.jobs[0]
		b.jobs[0] = outboxJob{}
		b.jobs = b.jobs[1:]
		o.mu.Unlock()
		job.done(b.do(job))
	}
}

// do carries out one job with a producer that nobody else has.
func (b *outbox) do(job outboxJob) error {
	limit := b.owner.timeout
	cause := fmt.Errorf("no confirmation within %s: %w", limit, context.DeadlineExceeded)
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit, cause)
	defer cancel()
	p, err := b.producer(ctx)
	if err != nil {
		return err
	}
	err = job.run(func(m *pulsar.ProducerMessage) error { return b.publish(ctx, p, m) })
	b.putBack(p, err)
	return err
}

// publish sends a message and returns by ctx's deadline, whatever the client does.
func (b *outbox) publish(ctx context.Context, p pulsar.Producer, m *pulsar.ProducerMessage) error {
	done := make(chan error, 1)
	go func() {
		done <- b.owner.protect(func() error { // of the user's interceptors and routers
			_, err := p.Send(ctx, m)
			return err
		})
	}()
	select {
	case err := <-done:
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	case <-ctx.Done():
		return context.Cause(ctx) // the client can be stuck past its context
	}
}

// producer returns an idle producer or a new one.
func (b *outbox) producer(ctx context.Context) (pulsar.Producer, error) {
	o := b.owner
	o.mu.Lock()
	if n := len(b.idle); n > 0 {
		p := b.idle[n-1]
		b.idle = b.idle[:n-1]
		o.mu.Unlock()
		return p, nil
	}
	if b.own {
		o.mu.Unlock()
		return nil, errClosing
	}
	tooMany := b.opening >= b.most // which hang: another would too
	if !tooMany {
		b.opening++
	}
	o.mu.Unlock()
	if tooMany {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	type result struct {
		producer pulsar.Producer
		err      error
	}
	created := make(chan result)
	go func() {
		var r result
		r.err = o.protect(func() (err error) { // of the user's function
			r.producer, err = o.create(b.topic)
			return err
		})
		o.mu.Lock()
		b.opening--
		o.mu.Unlock()
		select {
		case created <- r:
		case <-ctx.Done():
			if r.err == nil {
				b.putBack(r.producer, nil) // for the next message
			}
		}
	}()
	select {
	case r := <-created:
		if r.err != nil {
			return nil, fmt.Errorf("create a producer for %s: %w", b.topic, r.err)
		}
		return r.producer, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// putBack keeps a producer for the next message, unless something went wrong with it.
func (b *outbox) putBack(p pulsar.Producer, err error) {
	sound := err == nil || errors.Is(err, pulsar.ErrMessageTooLarge)
	o := b.owner
	o.mu.Lock()
	keep := b.own || sound && !o.closed
	if keep {
		b.idle = append(b.idle, p)
	}
	o.mu.Unlock()
	if !keep {
		go o.end(p)
	}
}

// end closes a producer. Its interceptors are the user's.
func (o *Outboxes) end(p pulsar.Producer) {
	_ = o.protect(func() error { p.Close(); return nil })
}

// Close closes the producers, side by side. What is still to be sent fails.
func (o *Outboxes) Close() {
	o.mu.Lock()
	o.closed = true
	var open []pulsar.Producer
	for _, b := range o.topics {
		if !b.own {
			open = append(open, b.idle...)
			b.idle = nil
		}
	}
	o.mu.Unlock()
	var all sync.WaitGroup
	for _, p := range open {
		all.Go(func() { o.end(p) })
	}
	all.Wait()
}
