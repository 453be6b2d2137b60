package send

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/apache/pulsar-client-go/pulsar"
)

// errRefused is in errors of messages that were not sent because user code refused them or broke the contract.
var errRefused = errors.New("the message was not sent")

// A guard keeps user code that the client would call from harming the client, the process or the contract.
type guard struct {
	interceptors pulsar.ProducerInterceptors
	routes       bool
	current      *Item // that the lane's sender passes to the client
}

// active reports whether there is user code.
func (g *guard) active() bool { return g.routes || len(g.interceptors) > 0 }

// A refusal is what the router panics with, so that the client does not send the message.
type refusal struct{ err error }

// router returns a router that calls the user's with a copy of the message, and refuses what is no partition.
func (g *guard) router(
	route func(*pulsar.ProducerMessage, pulsar.TopicMetadata) int,
) func(*pulsar.ProducerMessage, pulsar.TopicMetadata) int {
	return func(msg *pulsar.ProducerMessage, topic pulsar.TopicMetadata) int {
		it := g.current
		partition, partitions := route(copyOf(msg), topic), topic.NumPartitions()
		if partition < 0 || uint64(partition) >= uint64(partitions) {
			panic(refusal{fmt.Errorf("%w: its router chose partition %d of %d", errRefused, partition, partitions)})
		}
		if it.lane.isDone(it) { // the router took too long
			panic(refusal{errRefused})
		}
		return partition
	}
}

func (l *lane) isDone(it *Item) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return it.finished
}

func copyOf(msg *pulsar.ProducerMessage) *pulsar.ProducerMessage {
	c := *msg
	c.Payload, c.Properties = bytes.Clone(msg.Payload), maps.Clone(msg.Properties)
	return &c
}

// before calls the interceptors before a message is sent.
func (g *guard) before(l *lane, p *producer, it *Item) error {
	if len(g.interceptors) == 0 || it.intercepted {
		return nil
	}
	it.intercepted = true
	return Intercept(g.interceptors, l.pool.config.Protect, p.Producer, &it.Message)
}

// Intercept calls interceptors before a message is sent. The error says that one of them panicked, or changed what the
// contract governs: the body or a property of the contract. The key and other properties are theirs to change.
func Intercept(
	interceptors pulsar.ProducerInterceptors, protect func(func() error) error, p pulsar.Producer,
	msg *pulsar.ProducerMessage,
) error {
	for _, i := range interceptors {
		err := Unchanged(fmt.Sprintf("the interceptor %T", i), msg, func() error {
			return protect(func() error { i.BeforeSend(p, msg); return nil })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Unchanged calls user code that may change a message, but not what the contract governs. The error names the code.
func Unchanged(name string, msg *pulsar.ProducerMessage, call func() error) error {
	before := copyOf(msg)
	if err := call(); err != nil {
		return fmt.Errorf("%w: %s: %w", errRefused, name, err)
	}
	if msg.Value != nil || !bytes.Equal(before.Payload, msg.Payload) {
		return fmt.Errorf("%w: %s changed the body", errRefused, name)
	}
	for _, side := range [][2]map[string]string{{before.Properties, msg.Properties}, {msg.Properties, before.Properties}} {
		for property, value := range side[0] {
			if other, ok := side[1][property]; strings.HasPrefix(property, "bq-") && (!ok || other != value) {
				return fmt.Errorf("%w: %s changed the property %s", errRefused, name, property)
			}
		}
	}
	return nil
}

// Create creates a producer whose interceptors can do no harm.
func Create(
	create func(pulsar.ProducerOptions) (pulsar.Producer, error), options pulsar.ProducerOptions,
	protect func(func() error) error,
) (pulsar.Producer, error) {
	interceptors := options.Interceptors
	options.Interceptors = nil
	p, err := create(options)
	if err != nil || len(interceptors) == 0 {
		return p, err
	}
	return &intercepted{p, interceptors, protect}, nil
}

// intercepted is a producer whose Send calls interceptors.
type intercepted struct {
	pulsar.Producer
	interceptors pulsar.ProducerInterceptors
	protect      func(func() error) error
}

// Send calls the interceptors before and after sending.
func (p *intercepted) Send(ctx context.Context, msg *pulsar.ProducerMessage) (pulsar.MessageID, error) {
	if err := Intercept(p.interceptors, p.protect, p.Producer, msg); err != nil {
		return nil, err
	}
	id, err := p.Producer.Send(ctx, msg)
	if err == nil {
		for _, i := range p.interceptors {
			_ = p.protect(func() error { i.OnSendAcknowledgement(p.Producer, msg, id); return nil })
		}
	}
	return id, err
}
