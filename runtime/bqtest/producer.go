package bqtest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// producer is a pulsar.Producer of a topic and its partitions.
type producer struct {
	pulsar.Producer // nil; a newer client's interface still compiles

	b      *Broker
	cl     *client
	opts   pulsar.ProducerOptions
	parts  []*partitionProducer
	router *router
	closed bool

	encrypting sync.Mutex
}

// partitionProducer sends to one topic or partition, in order.
type partitionProducer struct {
	p        *producer
	topic    *topic
	index    int32
	nextSeq  int64
	lastSeq  int64
	batch    batch
	line     []*shipment // on the way to the broker; the first is there
	pending  []*shipment // not answered
	answered signal      // one of them was
	advances bool        // advance is running
	closed   bool
	deaf     bool // the client has dropped the producer: it hears no answers
	unknown  bool // and the broker has lost its connection: nothing arrives
}

func newProducer(cl *client, opts pulsar.ProducerOptions) *producer {
	if opts.SendTimeout == 0 {
		opts.SendTimeout = 30 * time.Second
	}
	if opts.MaxPendingMessages <= 0 {
		opts.MaxPendingMessages = 1000
	}
	if opts.BatchingMaxPublishDelay <= 0 {
		opts.BatchingMaxPublishDelay = 10 * time.Millisecond
	}
	if opts.BatchingMaxMessages == 0 {
		opts.BatchingMaxMessages = 1000
	}
	if opts.BatchingMaxSize == 0 {
		opts.BatchingMaxSize = 128 << 10
	}
	return &producer{b: cl.b, cl: cl, opts: opts}
}

// open registers the producer with the broker. A name can be had once per topic.
func (p *producer) open(tn wire.Topic) error {
	if p.cl.closed {
		return errClientClosed
	}
	if p.opts.Name == "" {
		p.opts.Name = p.b.newName()
	}
	var parts []*partitionProducer
	topics, err := p.b.lookup(tn)
	if err != nil {
		return err
	}
	for i, t := range topics {
		if err := t.mayProduce(); err != nil {
			return err
		}
		if err := t.acceptProducer(p.opts.Schema); err != nil {
			return wire.ServerError("IncompatibleSchema", err.Error())
		}
		if t.producers[p.opts.Name] != nil {
			return wire.ServerError("ProducerBusy", fmt.Sprintf(
				"org.apache.pulsar.broker.service.BrokerServiceException$NamingException: "+
					"Producer with name '%s' is already connected to topic '%s'", p.opts.Name, t.name.Full))
		}
		parts = append(parts, &partitionProducer{p: p, topic: t, index: int32(i), lastSeq: -1})
	}
	for _, pp := range parts {
		pp.topic.producers[p.opts.Name] = pp
	}
	p.parts = parts
	p.router = newRouter(p.opts.HashingScheme, len(parts))
	p.cl.parts[p] = struct{}{}
	p.b.notify()
	return nil
}

// Topic is the topic's name as it was given.
func (p *producer) Topic() string { return p.opts.Topic }
func (p *producer) Name() string  { return p.opts.Name }

func (p *producer) LastSequenceID() int64 {
	p.b.lock()
	defer p.b.unlock()
	last := int64(-1)
	for _, pp := range p.parts {
		last = max(last, pp.lastSeq)
	}
	return last
}

func (p *producer) Flush() error { return p.FlushWithCtx(context.Background()) }

// FlushWithCtx sends the messages that wait in batches, and waits until the broker has confirmed everything sent
// before.
func (p *producer) FlushWithCtx(ctx context.Context) error {
	p.b.lock()
	parts := slices.Clone(p.parts)
	p.b.unlock()
	for _, pp := range parts {
		p.b.lock()
		if p.closed || pp.closed {
			p.b.unlock()
			return pulsar.ErrProducerClosed
		}
		pp.flushBatch()
		var last *shipment
		if n := len(pp.pending); n > 0 {
			last = pp.pending[n-1]
		}
		p.b.unlock()
		if last == nil {
			continue
		}
		select {
		case <-last.ended:
			if last.err != nil {
				return last.err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Close fails the sends that the broker has not confirmed with pulsar.ErrProducerClosed. Messages that wait in a batch
// are lost and their callbacks never called, as in the real client: flush first.
func (p *producer) Close() {
	p.b.lock()
	defer p.b.unlock()
	if p.closed {
		return
	}
	p.closed = true
	for _, pp := range p.parts {
		if !pp.closed {
			pp.close(pulsar.ErrProducerClosed)
			delete(pp.topic.producers, p.opts.Name)
		}
	}
	delete(p.cl.parts, p)
	p.b.notify()
}
