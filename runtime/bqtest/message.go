package bqtest

import (
	"bytes"
	"errors"
	"maps"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// copyOf is one handing-out of an entry to a consumer. The same entry can be delivered again, as another copy with
// another redelivery count. The client counts per copy which members of a batch have been acknowledged: the entry is
// acknowledged when all of one copy are.
type copyOf struct {
	link  *link
	entry *entry
	count uint32
	open  map[int]bool // the members that are not acknowledged; nil for a message alone in its entry
}

// ack notes that a member is acknowledged and reports whether the whole copy is.
func (c *copyOf) ack(index int) bool {
	delete(c.open, index)
	return len(c.open) == 0
}

// ackUpTo notes that a member and those before it are acknowledged and reports whether the whole copy is.
func (c *copyOf) ackUpTo(index int) bool {
	for i := range index + 1 {
		delete(c.open, i)
	}
	return len(c.open) == 0
}

// delivery is one message of a copy.
type delivery struct {
	*copyOf
	index   int // in the batch
	payload []byte
	sealed  bool // the whole entry as it is stored: the client could not decrypt it
	settled settlement
	msg     *message // once a receiver has it
}

func (d *delivery) content() *content { return d.entry.members[d.index] }

func (d *delivery) id() pulsar.MessageID {
	if d.sealed {
		return wire.NewID(d.entry.ledger, d.entry.number, -1, d.link.index, 0)
	}
	return memberID(d.entry, d.index, d.link.index)
}

// shown returns a copy of the payload that the application sees.
func (d *delivery) shown() []byte {
	if !d.sealed {
		return bytes.Clone(d.payload)
	}
	var all []byte
	for _, m := range d.entry.members {
		all = append(all, m.payload...)
	}
	return all
}

// messageID is the id of a delivery: the client's own id (it serializes and compares as a real one does) that also
// knows what it was delivered to.
type messageID struct {
	pulsar.MessageID
	d *delivery
}

// topicMessageID is an id with its topic, as GetLastMessageIDs returns it.
type topicMessageID struct {
	pulsar.MessageID
	topic string
}

func (id topicMessageID) Topic() string { return id.topic }

// memberID returns the client's id of an entry's member. A message alone in its entry is the first of one.
func memberID(e *entry, index int, partition int32) pulsar.MessageID {
	if n := int64(len(e.parts)); n > 0 {
		return wire.NewChunkedID(e.ledger, e.number, n+1, partition)
	}
	return wire.NewID(e.ledger, e.number, int32(index), partition, int32(len(e.members)))
}

// settlement is what the application has said about a delivery.
type settlement int

const (
	unsettled     settlement = iota
	acknowledging            // not confirmed by the broker
	acknowledged
	negativelyAcknowledged
)

// message is what the application sees of a delivery. Properties and payload are copies of its own.
type message struct {
	pulsar.Message // nil; a newer client's interface still compiles

	id         *messageID
	topic      string
	content    *content
	properties map[string]string
	payload    []byte
	count      uint32
	schema     pulsar.Schema
	sealed     *pulsar.EncryptionContext
}

func newMessage(d *delivery) *message {
	m := &message{
		id:         &messageID{MessageID: d.id(), d: d},
		topic:      d.link.topic.name.Full,
		content:    d.content(),
		properties: maps.Clone(d.content().properties),
		payload:    d.shown(),
		count:      d.count,
		schema:     d.link.c.opts.Schema,
	}
	if d.sealed {
		m.sealed = d.content().seal.context()
	}
	if m.properties == nil {
		m.properties = map[string]string{}
	}
	return m
}

func (m *message) Topic() string                 { return m.topic }
func (m *message) ProducerName() string          { return m.content.producer }
func (m *message) Properties() map[string]string { return m.properties }
func (m *message) Payload() []byte               { return m.payload }
func (m *message) IsNullValue() bool             { return m.content.null }
func (m *message) ID() pulsar.MessageID          { return m.id }
func (m *message) PublishTime() time.Time        { return millis(m.content.publishTime) }

// EventTime of a message without one is the Unix epoch and not the zero time, as in the real client.
func (m *message) EventTime() time.Time { return millis(m.content.eventTime) }

func (m *message) Key() string             { return m.content.key }
func (m *message) OrderingKey() string     { return m.content.orderingKey }
func (m *message) RedeliveryCount() uint32 { return m.count }
func (m *message) IsReplicated() bool      { return false }
func (m *message) GetReplicatedFrom() string {
	return ""
}
func (m *message) SchemaVersion() []byte                           { return m.content.schema }
func (m *message) GetEncryptionContext() *pulsar.EncryptionContext { return m.sealed }
func (m *message) Index() *uint64                                  { return nil }
func (m *message) BrokerPublishTime() *time.Time                   { return nil }

// GetSchemaValue decodes the payload with the schema of the consumer.
func (m *message) GetSchemaValue(v any) error {
	if m.schema == nil {
		return errors.New("get schema value: the consumer was made without a schema")
	}
	return m.schema.Decode(m.payload, v)
}

// millis cuts a time to what travels on the wire: milliseconds since the epoch.
func millis(t time.Time) time.Time {
	if t.IsZero() {
		return time.UnixMilli(0)
	}
	return time.UnixMilli(t.UnixMilli())
}
