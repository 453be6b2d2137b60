package bq

import (
	"maps"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// A Message is a delivery with its payload.
type Message[T any] struct {
	Delivery
	Data T
}

// A Delivery is what is known of a received message besides its payload. Changing it changes nothing else.
type Delivery struct {
	URN       string    // the URN it was routed by (RTE-1); empty when there is none
	ID        string    // meta.id, the same on every delivery of the message
	TraceID   string    // trace_id
	Queue     string    // meta.queue, where it was published to
	Lang      string    // meta.lang, the producer's SDK
	CreatedAt time.Time // meta.created_at; zero when unknown
	// Attempts is how often the message was delivered before, by its property, its body and the broker (ATT-4).
	Attempts int64

	Topic       string // the topic it was received from, a partition's name included
	Key         string
	PublishTime time.Time
	MessageID   pulsar.MessageID

	properties map[string]string // the client's own
}

// Properties returns the message's properties: a copy, made by each call, that is the caller's to change.
func (d *Delivery) Properties() map[string]string { return maps.Clone(d.properties) }

// Property returns one of the message's properties, or "".
func (d *Delivery) Property(name string) string { return d.properties[name] }

// Attempt returns the number of this delivery, counted from 1 (MAX-2).
func (d *Delivery) Attempt() int64 { return d.Attempts + 1 }

// newDelivery returns what a verdict and its message say.
func newDelivery(v *flow.Verdict, msg pulsar.Message) Delivery {
	d := Delivery{
		URN:         v.URN,
		Attempts:    v.Attempts,
		Topic:       msg.Topic(),
		Key:         msg.Key(),
		PublishTime: msg.PublishTime(),
		MessageID:   msg.ID(),
		properties:  msg.Properties(),
	}
	if e := v.Envelope; e != nil {
		d.ID, d.TraceID = e.Meta.ID, e.TraceID
		d.Queue, d.Lang, d.CreatedAt = e.Meta.Queue, e.Meta.Lang, e.Meta.CreatedAt
	}
	// The body's word counts, but a body that has none may still have been announced.
	if d.ID == "" {
		d.ID = d.properties[envelope.PropertyMessageID]
	}
	if d.TraceID == "" {
		d.TraceID = d.properties[envelope.PropertyTraceID]
	}
	return d
}
