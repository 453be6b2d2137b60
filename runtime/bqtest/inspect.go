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

// Record is a message as the broker keeps it, copied.
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

// Messages returns what a topic keeps, in order. A partitioned topic's partitions follow one another. Messages that
// every subscription has acknowledged are gone, and so are all of a topic without subscriptions, unless the broker was
// made with [WithRetention]. A topic that does not exist has none.
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

// Topics lists the topics there are, partitions one by one, sorted.
func (b *Broker) Topics() []string {
	b.lock()
	defer b.unlock()
	return slices.Sorted(maps.Keys(b.topics))
}

// Subscriptions lists a topic's subscriptions, sorted.
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

// SendCount counts the messages that were ever stored in a topic.
func (b *Broker) SendCount(name string) int {
	return b.sum(name, func(t *topic) int { return t.sent })
}

// Producers counts the producers connected to a topic. On a partitioned topic each counts once.
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

// Consumers counts the consumers connected to a subscription. On a partitioned topic each counts once.
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

// Backlog counts a subscription's messages that are not acknowledged: those it has still to deliver (delayed ones among
// them) and those delivered.
func (b *Broker) Backlog(topic, sub string) int {
	return b.sumSub(topic, sub, func(s *subscription) int { return s.cursor.backlog })
}

// Unacked counts a subscription's messages that consumers have been sent and have not acknowledged: prefetched ones,
// those in the hands of a handler, and those waiting for the delay of a negative acknowledgement.
func (b *Broker) Unacked(topic, sub string) int {
	return b.sumSub(topic, sub, func(s *subscription) int { return s.d.unacked() })
}

// Acked counts the messages that a subscription has acknowledged so far.
func (b *Broker) Acked(topic, sub string) int {
	return b.sumSub(topic, sub, func(s *subscription) int { return s.acked })
}

// WaitUntil waits until ok returns true, or for the end of ctx; its error is then ctx's, wrapped. ok is asked at once
// and after every change of the broker's state; it may call the broker.
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
