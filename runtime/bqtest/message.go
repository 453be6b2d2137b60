package bqtest

import (
	"bytes"
	"errors"
	"maps"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// delivery is one handing-out of an entry to a consumer. The same entry can be
// delivered again, as another delivery with another redelivery count.
type delivery struct {
	link    *link
	entry   *entry
	count   uint32
	settled settlement
	msg     *message // once a receiver has it
}

// settlement is what the application has said about a delivery.
type settlement int

const (
	unsettled settlement = iota
	acknowledged
	negativelyAcknowledged
)

// message is what the application sees of a delivery. Properties and payload
// are copies of its own.
type message struct {
	pulsar.Message // nil; a newer client's interface still compiles

	id         *messageID
	topic      string
	entry      *entry
	properties map[string]string
	payload    []byte
	count      uint32
	schema     pulsar.Schema
}

func newMessage(d *delivery) *message {
	e, t := d.entry, d.link.topic
	m := &message{
		id:         &messageID{MessageID: newID(t.ledger, e.id, d.link.index), d: d},
		topic:      t.name.full,
		entry:      e,
		properties: maps.Clone(e.properties),
		payload:    bytes.Clone(e.payload),
		count:      d.count,
		schema:     d.link.c.opts.Schema,
	}
	if m.properties == nil {
		m.properties = map[string]string{}
	}
	return m
}

func (m *message) Topic() string                 { return m.topic }
func (m *message) ProducerName() string          { return m.entry.producer }
func (m *message) Properties() map[string]string { return m.properties }
func (m *message) Payload() []byte               { return m.payload }
func (m *message) IsNullValue() bool             { return m.entry.null }
func (m *message) ID() pulsar.MessageID          { return m.id }
func (m *message) PublishTime() time.Time        { return millis(m.entry.publishTime) }

// EventTime of a message without one is the Unix epoch and not the zero time,
// as in the real client.
func (m *message) EventTime() time.Time { return millis(m.entry.eventTime) }

func (m *message) Key() string             { return m.entry.key }
func (m *message) OrderingKey() string     { return m.entry.orderingKey }
func (m *message) RedeliveryCount() uint32 { return m.count }
func (m *message) IsReplicated() bool      { return false }
func (m *message) GetReplicatedFrom() string {
	return ""
}
func (m *message) SchemaVersion() []byte                           { return nil }
func (m *message) GetEncryptionContext() *pulsar.EncryptionContext { return nil }
func (m *message) Index() *uint64                                  { return nil }
func (m *message) BrokerPublishTime() *time.Time                   { return nil }

// GetSchemaValue decodes the payload with the schema of the consumer.
func (m *message) GetSchemaValue(v any) error {
	if m.schema == nil {
		return errors.New("get schema value: the consumer was made without a schema")
	}
	return m.schema.Decode(m.payload, v)
}

// millis cuts a time to what travels on the wire: milliseconds since the
// epoch.
func millis(t time.Time) time.Time {
	if t.IsZero() {
		return time.UnixMilli(0)
	}
	return time.UnixMilli(t.UnixMilli())
}
