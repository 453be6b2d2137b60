package bq

import (
	"bytes"
	"maps"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// A Message is a received message: a delivery and its payload.
type Message[T any] struct {
	Delivery
	Data T
}

// A Delivery describes a received message. It is a copy: changing it has no effect on what happens to the message.
type Delivery struct {
	URN       string    // the URN that decided the routing (RTE-1); empty if there is none
	ID        string    // meta.id, the same in every delivery of the message
	TraceID   string    // trace_id
	Queue     string    // meta.queue, the queue that the message was published to
	Lang      string    // meta.lang, the SDK of the producer
	CreatedAt time.Time // meta.created_at; zero if unknown
	// Attempts is how often the message was delivered before, according to its property, its body and the broker
	// (ATT-4).
	Attempts int64

	Topic       string // the topic that the message was received from, which can be a partition
	Key         string
	PublishTime time.Time
	MessageID   pulsar.MessageID

	msg        pulsar.Message
	properties map[string]string // the client's own
	body       []byte            // the client's own
	data       []byte            // a part of body, or what replaces it
	bodyURN    string
	call       call
	schemas    *schemas
	handle     flow.Handle
}

// Properties returns the message's properties: a copy, made by each call, that is the caller's to change.
func (d *Delivery) Properties() map[string]string { return maps.Clone(d.properties) }

// Property returns one of the message's properties, or "".
func (d *Delivery) Property(name string) string { return d.properties[name] }

// Data returns the payload as it was received, or what [Delivery.SetData] replaced it with: a copy, made by each call.
// It is nil if the message could not be parsed.
func (d *Delivery) Data() []byte { return bytes.Clone(d.data) }

// SetData replaces the payload that the handler decodes, for example after decrypting it. A retry and a dead letter
// always contain the payload as it was received. data must not change afterwards.
func (d *Delivery) SetData(data []byte) { d.data = data }

// Body returns the whole body of the message as it was received: a copy, made by each call.
func (d *Delivery) Body() []byte { return bytes.Clone(d.body) }

// OrderingKey returns the key that decides the order of messages instead of Key, or "".
func (d *Delivery) OrderingKey() string {
	if d.msg == nil {
		return ""
	}
	return d.msg.OrderingKey()
}

// EventTime returns the time that the producer has set, or the zero time.
func (d *Delivery) EventTime() time.Time {
	if d.msg == nil || d.msg.EventTime().UnixMilli() <= 0 { // the client says 1970 for no time
		return time.Time{}
	}
	return d.msg.EventTime()
}

// ProducerName returns the name of the Pulsar producer that has sent the message.
func (d *Delivery) ProducerName() string {
	if d.msg == nil {
		return ""
	}
	return d.msg.ProducerName()
}

// RedeliveryCount returns how often Pulsar says that it has redelivered the message. Attempts is what counts.
func (d *Delivery) RedeliveryCount() uint32 {
	if d.msg == nil {
		return 0
	}
	return d.msg.RedeliveryCount()
}

// BodyURN returns the URN that the body names; it is empty if it names none. The field URN is the same, unless a
// property says otherwise (RTE-1).
func (d *Delivery) BodyURN() string { return d.bodyURN }

// Attempt returns the number of this delivery. The first one is 1 (MAX-2).
func (d *Delivery) Attempt() int64 { return d.Attempts + 1 }

// newDelivery returns what a verdict and its message say.
func newDelivery(v *flow.Verdict, msg pulsar.Message) (d Delivery) {
	d.fill(v, msg)
	return d
}

// fill sets everything that a verdict and its message say.
func (d *Delivery) fill(v *flow.Verdict, msg pulsar.Message) {
	*d = Delivery{
		URN:         v.URN,
		Attempts:    v.Attempts,
		Topic:       msg.Topic(),
		Key:         msg.Key(),
		PublishTime: msg.PublishTime(),
		MessageID:   msg.ID(),
		msg:         msg,
		properties:  msg.Properties(),
		body:        msg.Payload(),
	}
	if e := v.Envelope; e != nil {
		d.data = e.Data
		d.bodyURN = e.URN()
		d.ID, d.TraceID = e.Meta.ID, e.TraceID
		d.Queue, d.Lang, d.CreatedAt = e.Meta.Queue, e.Meta.Lang, e.Meta.CreatedAt
	}
	// The body decides. Where it has no value, the properties may have one.
	if d.ID == "" {
		d.ID = d.properties[envelope.PropertyMessageID]
	}
	if d.TraceID == "" {
		d.TraceID = d.properties[envelope.PropertyTraceID]
	}
}
