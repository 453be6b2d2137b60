package bqtest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// Record is a copy of a message as the broker keeps it.
type Record struct {
	Topic       string // full name, with the partition if it has one
	ID          pulsar.MessageID
	Producer    string
	SequenceID  int64
	Key         string
	OrderingKey string
	Properties  map[string]string
	Payload     []byte
	PublishTime time.Time
	EventTime   time.Time // zero if it has none
	DeliverAt   time.Time // zero if it is not delayed
}

// Messages returns the messages that a topic keeps, in order; those of a partitioned topic partition by partition.
// Unless the broker was made with [WithRetention], a topic keeps only what some subscription has not acknowledged, and
// nothing without subscriptions. For a topic that does not exist the result is empty.
func (b *Broker) Messages(topic string) []Record {
	b.lock()
	defer b.unlock()
	var records []Record
	for _, t := range b.find(topic) {
		for _, e := range t.entries {
			for i, m := range e.members {
				records = append(records, Record{
					Topic: t.name.Full, ID: memberID(e, i, int32(max(0, t.name.Partition))),
					Producer: m.producer, SequenceID: m.sequenceID,
					Key: m.key, OrderingKey: m.orderingKey,
					Properties: maps.Clone(m.properties), Payload: bytes.Clone(m.payload),
					PublishTime: m.publishTime, EventTime: m.eventTime, DeliverAt: e.deliverAt,
				})
			}
		}
	}
	return records
}

// Topics returns the names of all topics, sorted. Each partition is a topic.
func (b *Broker) Topics() []string {
	b.lock()
	defer b.unlock()
	return slices.Sorted(maps.Keys(b.topics))
}

// Subscriptions returns the names of a topic's subscriptions, sorted.
func (b *Broker) Subscriptions(topic string) []string {
	b.lock()
	defer b.unlock()
	names := map[string]bool{}
	for _, t := range b.find(topic) {
		for name := range t.subs {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// SendCount returns the number of messages that a topic has ever stored.
func (b *Broker) SendCount(name string) int {
	return b.sum(name, func(t *topic) int { return t.sent })
}

// Producers returns the number of producers connected to a topic. A producer of a partitioned topic counts once.
func (b *Broker) Producers(topic string) int {
	b.lock()
	defer b.unlock()
	names := map[string]bool{}
	for _, t := range b.find(topic) {
		for name := range t.producers {
			names[name] = true
		}
	}
	return len(names)
}

// Consumers returns the number of consumers connected to a subscription. A consumer of a partitioned topic counts once.
func (b *Broker) Consumers(topic, subscription string) int {
	b.lock()
	defer b.unlock()
	seen := map[*consumer]bool{}
	for _, t := range b.find(topic) {
		if s := t.subs[subscription]; s != nil {
			for _, l := range s.links {
				seen[l.c] = true
			}
		}
	}
	return len(seen)
}

// Backlog returns the number of a subscription's messages that are not acknowledged, whether they have been delivered,
// are delayed, or wait to be delivered.
func (b *Broker) Backlog(topic, sub string) int {
	return b.sumSub(topic, sub, func(s *subscription) int { return s.cursor.backlog })
}

// Unacked returns the number of a subscription's messages that were sent to consumers and are not acknowledged:
// prefetched ones, those being handled, and those waiting for the delay of a negative acknowledgement.
func (b *Broker) Unacked(topic, sub string) int {
	return b.sumSub(topic, sub, func(s *subscription) int { return s.d.unacked() })
}

// Acked returns the number of messages that a subscription has acknowledged so far.
func (b *Broker) Acked(topic, sub string) int {
	return b.sumSub(topic, sub, func(s *subscription) int { return s.acked })
}

// WaitUntil waits until ok returns true or ctx ends; then it returns the error of ctx, wrapped. It calls ok at once and
// after every change of the broker's state. ok may call the broker.
func (b *Broker) WaitUntil(ctx context.Context, ok func() bool) error {
	for {
		b.lock()
		changed := b.changed.wait()
		b.unlock()
		if ok() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("wait for the broker: %w", ctx.Err())
		}
	}
}

func (b *Broker) sum(name string, count func(*topic) int) int {
	b.lock()
	defer b.unlock()
	n := 0
	for _, t := range b.find(name) {
		n += count(t)
	}
	return n
}

func (b *Broker) sumSub(name, sub string, count func(*subscription) int) int {
	return b.sum(name, func(t *topic) int {
		if s := t.subs[sub]; s != nil {
			return count(s)
		}
		return 0
	})
}

// find returns the topics that a name stands for and that exist.
func (b *Broker) find(name string) []*topic {
	tn, err := wire.ParseTopic(strings.TrimSpace(name))
	if err != nil {
		return nil
	}
	var found []*topic
	for _, n := range b.topicNames(tn) {
		if t := b.topics[n.Full]; t != nil {
			found = append(found, t)
		}
	}
	return found
}
