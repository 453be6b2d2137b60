package bqtest

import (
	"errors"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// Policies are limits that an administrator sets for a topic. A zero value sets no limit.
type Policies struct {
	// MaxMessageSize is the limit in bytes of the payload and its frame. The broker refuses a larger message in a way
	// that the client does not understand. From then on the producer gets no response for any message: each send fails
	// with pulsar.ErrSendTimeout, although the broker stores the smaller messages.
	MaxMessageSize int
	// MaxDelay limits the delay of a message. A message with a longer delay is refused like one that is too large.
	MaxDelay time.Duration
	// MaxProducers and MaxConsumers limit how many are connected at a time. Further ones are refused with ProducerBusy
	// and ConsumerBusy.
	MaxProducers, MaxConsumers int
	// MaxUnacked limits the unacknowledged messages of a consumer on Shared and Key_Shared. At the limit it receives no
	// more until it has at most half as many. Pulsar's own default is 50,000.
	MaxUnacked int
	// NoProduce and NoConsume forbid creating producers and consumers.
	NoProduce, NoConsume bool
}

// SetPolicies sets the limits of a topic, which need not exist yet, and replaces earlier ones. The limits of a
// partitioned topic apply to each of its partitions. SetPolicies panics if name is not the name of a topic.
func (b *Broker) SetPolicies(name string, p Policies) {
	tn := mustParseTopic("SetPolicies", name)
	b.lock()
	defer b.unlock()
	b.policies[tn.Full] = p
	for _, t := range b.topics {
		for _, s := range t.subs {
			for _, l := range s.links {
				l.unblock()
			}
			s.d.dispatch()
		}
	}
	b.notify()
}

// policies are those that hold for the topic.
func (t *topic) policies() Policies {
	if p, own := t.b.policies[t.name.Full]; own {
		return p
	}
	return t.b.policies[t.name.Base]
}

// block notes that the consumer holds as many messages as it may: the broker sends it no more.
func (l *link) block() {
	if most := l.topic.policies().MaxUnacked; most > 0 && l.unacked >= most {
		l.blocked = true
	}
}

// unblock lets the consumer have messages again when it holds no more than half of what it may.
func (l *link) unblock() {
	if most := l.topic.policies().MaxUnacked; most == 0 || l.unacked <= most/2 {
		l.blocked = false
	}
}

// mayProduce returns why the topic cannot have another producer, or nil.
func (t *topic) mayProduce() error {
	switch p := t.policies(); {
	case p.NoProduce:
		return wire.ServerError("AuthorizationError", "Client is not authorized to Produce")
	case t.terminated:
		return errTerminated
	case p.MaxProducers > 0 && len(t.producers) >= p.MaxProducers:
		return wire.ServerError("ProducerBusy", "Topic '"+t.name.Full+"' reached max producers limit")
	}
	return nil
}

// mayConsume returns why the topic cannot have another consumer, or nil.
func (t *topic) mayConsume() error {
	p := t.policies()
	if p.NoConsume {
		return wire.ServerError("AuthorizationError", "Client is not authorized to subscribe")
	}
	n := 0
	for _, s := range t.subs {
		n += len(s.links)
	}
	if p.MaxConsumers > 0 && n >= p.MaxConsumers {
		return wire.ServerError("ConsumerBusy", "Topic reached max consumers limit")
	}
	return nil
}

// refuses reports whether the broker refuses the entry with an error that the client does not tell its producer about.
func (t *topic) refuses(s *shipment) bool {
	p := t.policies()
	size, delay := 0, time.Duration(0)
	for _, m := range s.sends {
		size += m.content.size()
	}
	if at := s.sends[0].deliverAt; !at.IsZero() {
		delay = at.Sub(t.b.timers.current())
	}
	return p.MaxMessageSize > 0 && size > p.MaxMessageSize || p.MaxDelay > 0 && delay > p.MaxDelay
}

var errTerminated = wire.ServerError("TopicTerminatedError",
	"org.apache.pulsar.broker.service.BrokerServiceException$TopicTerminatedException: Topic was already terminated")

// Terminate ends a topic: what it keeps is delivered, but nothing more can be sent to it. The client closes its
// producers, and messages whose sending was not confirmed fail with pulsar.ErrTopicTerminated. The name of a
// partitioned topic means all its partitions. Terminate does not create a topic that does not exist.
func (b *Broker) Terminate(topic string) {
	b.lock()
	defer b.unlock()
	for _, t := range b.find(topic) {
		t.terminated = true
		for name, pp := range t.producers {
			pp.close(errors.Join(pulsar.ErrTopicTerminated, errTerminated))
			delete(t.producers, name)
		}
	}
	b.notify()
}
