package flow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/crypto"

	"github.com/babelqueue/bqgen/internal/text"
)

// This file owns Pulsar consumers: how they are made, received from, and closed.

// closeTimeout is how long the client may take to close something.
const closeTimeout = 10 * time.Second

// A source is a Pulsar consumer that messages come from.
type source struct {
	consumer pulsar.Consumer
	own      bool // the caller's: not ours to close, and made with options that we do not know
	shares   bool // see Shares

	// more is where the client puts the messages that Receive returns. The intake looks there for what has come together
	// with the one that it has waited for. Of a consumer of the caller's, Receive may do more than that.
	more <-chan pulsar.ConsumerMessage

	closed closeWatch // nil of a consumer of the caller's

	last *acker // of the message that came last

	from   Source
	policy Policy // of its queue
	gone   bool   // closed, while the flow goes on

	unsettled int   // of the flow's
	bytes     int64 // of the flow's

	answer Answer // the latest of its broker
	asked  bool   // there is no answer yet to what it was asked last
}

// name names what the source is subscribed to; "" of a consumer of the caller's.
func (s *source) name() string {
	if p := s.from.Subscription.Prefix; p != nil {
		return "persistent://" + p.Namespace + "/" + p.Name + "*"
	}
	return s.from.Subscription.Topic
}

// handedOn is how many messages the client has on their way from its receive queue to Receive.
const handedOn = 10

// isClosed reports whether a receive error says that the consumer will not receive again.
func isClosed(err error) bool {
	var e *pulsar.Error
	return errors.As(err, &e) && (e.Result() == pulsar.ConsumerClosed || e.Result() == pulsar.AlreadyClosedError)
}

// giveBack negatively acknowledges a message. Of a message in chunks the client's Nack would give back the last chunk
// only.
func (s *source) giveBack(msg pulsar.Message, id pulsar.MessageID) {
	if fmt.Sprintf("%T", id) == "*pulsar.chunkMessageID" || id != msg.ID() {
		s.consumer.NackID(id)
		return
	}
	s.consumer.Nack(msg)
}

// givenBackAfter is the client's own wait before a message that was given back is asked for again. The waits that users
// know are kept by the flow, so this one is short; a shorter one has the client's clock tick for nothing.
const givenBackAfter = 100 * time.Millisecond

// shortWait is givenBackAfter as a policy, whatever the redelivery count is. (The client's own policy overflows at
// redelivery 34 and then does not wait at all.)
type shortWait struct{}

// Next returns the wait before a redelivery.
func (shortWait) Next(uint32) time.Duration { return givenBackAfter }

// A Subscription is what a source is made of.
type Subscription struct {
	Topic     string
	Prefix    *Prefix // instead of the topic
	Name      string
	Type      pulsar.SubscriptionType
	Position  pulsar.SubscriptionInitialPosition
	QueueSize int // 0: the default for the type and the number of partitions
	// Template contains options that are set besides these; nil for none.
	Template *pulsar.ConsumerOptions

	ConsumerName string // "" leaves it to the client; consumers of one name get most keys on the same of two topics
}

// Options returns the options of the client for the subscription of a topic with so many partitions.
func (s Subscription) Options(partitions int) pulsar.ConsumerOptions {
	if s.Template != nil {
		o := *s.Template
		o.ReceiverQueueSize = s.queueSize(partitions)
		if o.Name == "" {
			o.Name = s.ConsumerName
		}
		o.Decryption = Decryption(o.Decryption) // of its own: the client writes to it
		return o
	}
	return pulsar.ConsumerOptions{
		Topic:                       s.Topic,
		SubscriptionName:            s.Name,
		Name:                        s.ConsumerName,
		Type:                        s.Type,
		SubscriptionInitialPosition: s.Position,
		ReceiverQueueSize:           s.queueSize(partitions),
		NackBackoffPolicy:           shortWait{},
		// For messages in chunks, which the client gives back by their id and without the policy.
		NackRedeliveryDelay: givenBackAfter,
		AckWithResponse:     true, // otherwise an acknowledgement that got lost looks like one that did not
		Decryption:          Decryption(nil),
	}
}

// ofPrefix returns the options for the topics that a pattern matches now. Nothing is discovered by the client: it would
// leave what it finds while it is closed subscribed, and give up the subscriptions of topics that it finds no more.
func (s Subscription) ofPrefix(pattern string) pulsar.ConsumerOptions {
	o := s.Options(sharedQueue)
	o.Topic, o.TopicsPattern, o.AutoDiscoveryPeriod = "", pattern, never
	return o
}

// never is a time that does not come.
const never = 10 * 365 * 24 * time.Hour

// Decryption returns how messages are decrypted, with the keys of d if there are any. What cannot be decrypted is
// always handed over: otherwise the client gives it back by itself, without a word and without room for another
// message, until it receives nothing more.
func Decryption(d *pulsar.MessageDecryptionInfo) *pulsar.MessageDecryptionInfo {
	all := pulsar.MessageDecryptionInfo{KeyReader: noKeys{}}
	if d != nil {
		all = *d
		all.KeyReader = Keys(d.KeyReader)
	}
	all.ConsumerCryptoFailureAction = crypto.ConsumerCryptoFailureActionConsume
	return &all
}

// The default receive queues. What lies in the queue of a busy replica is out of an idle one's reach, so it is short
// where replicas share; where one consumer has all there is nobody to share with.
const (
	sharedQueue = 128 // over all partitions
	leastQueue  = 16  // per partition
	singleQueue = 1000
)

func (s Subscription) queueSize(partitions int) int {
	switch {
	case s.QueueSize > 0:
		return s.QueueSize
	case Shares(s.Type):
		return max(sharedQueue/max(partitions, 1), leastQueue)
	}
	return singleQueue
}

// Shares reports whether a subscription's consumers share its messages. Such a subscription knows delays, counts
// redeliveries and gives back one entry alone.
func Shares(t pulsar.SubscriptionType) bool { return t == pulsar.Shared || t == pulsar.KeyShared }

// A listener follows which partitions of a Failover subscription are this consumer's.
type listener struct {
	f    *Flow
	s    *source
	user pulsar.ConsumerEventListener // told as well; nil for none
}

// BecameActive is called by the client.
func (l listener) BecameActive(c pulsar.Consumer, topic string, partition int32) {
	l.f.turn(topic, l.s, true)
	l.tell(func() { l.user.BecameActive(c, topic, partition) })
}

// BecameInactive is called by the client.
func (l listener) BecameInactive(c pulsar.Consumer, topic string, partition int32) {
	l.f.turn(topic, l.s, false)
	l.tell(func() { l.user.BecameInactive(c, topic, partition) })
}

// tell tells the user's listener, if there is one.
func (l listener) tell(fn func()) {
	if l.user != nil {
		l.f.customized(fn)
	}
}

// turn takes in that a partition has come or gone. What was received of one that has gone and not begun is dropped: its
// new owner gets it. What is received of it after that is parked.
func (f *Flow) turn(topic string, s *source, active bool) {
	f.mu.Lock()
	defer f.unlock()
	a := f.ackerOf(topic, s)
	a.active = active
	if active {
		f.unpark(a)
		return
	}
	for d := range f.live.all {
		if d.acker == a {
			f.apply(d, lost)
		}
	}
}

// maxPattern limits what errors show of a pattern, in characters.
const maxPattern = 200

// untilDone has the Pulsar client called, and returns what it returned. It returns when ctx ends; the call is then left
// to itself.
func untilDone[T any](ctx context.Context, call func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		r := result{err: errors.New("the Pulsar client ended its goroutine")}
		defer func() { done <- r }()
		r.err = guard(func() (err error) { r.value, err = call(); return err })
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// closeConsumer closes a consumer. It returns when that is done, when it takes too long, or when ctx ends.
func closeConsumer(ctx context.Context, c pulsar.Consumer) {
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	_, _ = untilDone(ctx, func() (none struct{}, err error) { c.Close(); return none, nil })
}

// subscribe is client.Subscribe, but it returns when ctx ends. A consumer that comes too late is closed.
func subscribe(
	ctx context.Context, client pulsar.Client, options pulsar.ConsumerOptions,
) (pulsar.Consumer, error) {
	type result struct {
		consumer pulsar.Consumer
		err      error
	}
	done := make(chan result)
	go func() {
		var consumer pulsar.Consumer
		err := guard(func() (err error) { consumer, err = client.Subscribe(options); return err })
		select {
		case done <- result{consumer, err}:
		case <-ctx.Done():
			if err == nil {
				consumer.Close()
			}
		}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, fmt.Errorf("subscribe %s to %s: %w", options.SubscriptionName,
				options.Topic+text.Shorten(options.TopicsPattern, maxPattern), r.err)
		}
		return r.consumer, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
