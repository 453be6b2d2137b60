package bq

import (
	"context"
	"errors"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/record"
)

// WithRecords calls h with each message that is not an envelope, instead of treating it as poison: for topics that
// others write to, with a Pulsar schema or without. [Delivery.Body] is what they wrote, and [Delivery.Fields] reads it
// by the schema that it was written with. What h returns means what it means when a [HandlerFunc] returns it.
//
// A message that h fails is not published again, so it keeps its schema: it is negatively acknowledged on Shared and
// Key_Shared, and waits in the consumer on the others, with the messages of its key behind it. When its attempts are
// used up, it is dead-lettered as poison is, with the error of h.
//
// h never sees gated messages (GATE-8), and messages that are envelopes go to their handlers, or to that of
// [WithUnknownURN]. With WithRecords, a consumer needs no routes.
func WithRecords(h Handler) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		c.refuse(h == nil, "WithRecords: the handler is nil")
		c.refuse(c.records != nil, "WithRecords is given twice")
		c.records = h
	})
}

// ErrNoSchema says that a message was published without a schema: its body is bytes, and nothing says what they are.
var ErrNoSchema = errors.New("the message was published without a schema")

// Schema returns the Pulsar schema that the message was written with. If there is none, the error is [ErrNoSchema].
// What others have put on the topic is in it: do not give it to a constructor of the Pulsar client such as
// pulsar.NewAvroSchema, which ends the process when it cannot parse the definition.
func (d *Delivery) Schema(ctx context.Context) (*pulsar.SchemaInfo, error) {
	known, err := d.writtenWith(ctx)
	if err != nil {
		return nil, err
	}
	return known.copy(), nil
}

// Fields returns the fields of the message's body, by the Pulsar schema that it was written with: in the order of the
// schema, with exact integers. The schema is looked up once for each version (see [WithSchemas]). The error is
// [ErrNoSchema] if the message has no schema. It is another one if its schema is not of JSON or Avro records, if the
// definition cannot be parsed or does not fit the body, or if the look-up fails. A handler that returns it has the
// message retried.
func (d *Delivery) Fields(ctx context.Context) (record.Fields, error) {
	known, err := d.writtenWith(ctx)
	if err != nil {
		return nil, err
	}
	return known.fields(d.body)
}

func (d *Delivery) writtenWith(ctx context.Context) (*knownSchema, error) {
	if d.msg == nil {
		return nil, ErrNoSchema
	}
	return d.schemas.of(ctx, d.msg)
}
