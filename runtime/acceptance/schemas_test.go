package acceptance

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// recordSchema returns the definition of a record with one field.
func recordSchema(field, kind string) string {
	return `{"type":"record","name":"Order","fields":[{"name":"` + field + `","type":"` + kind + `"}]}`
}

// withSchema sets the schema of producers.
func withSchema(schema pulsar.Schema, only ...bq.Queue) bq.Option {
	return bq.WithProducerOptions(func(o *pulsar.ProducerOptions) { o.Schema = schema }, only...)
}

// L75: schemas that do not agree are errors that say so, and dead letters arrive all the same.
func TestSchemasThatDoNotAgree(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		avro, other := pulsar.NewAvroSchema(recordSchema("order_id", "long"), nil),
			pulsar.NewJSONSchema(recordSchema("order_id", "string"), nil)
		for topic, schema := range map[string]pulsar.Schema{q.Topic: avro, q.DeadLetterTopic: other} {
			b.keep(t, topic)
			p, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: topic, Schema: schema})
			if err != nil {
				t.Fatal(err)
			}
			p.Close()
		}

		disagreeing := bq.NewPublisher(b.producers(t, withSchema(other)), orders(q))
		for range 2 {
			_, err := disagreeing.Publish(t.Context(), order{ID: 1})
			for _, want := range []string{q.Topic, "JSON", "IncompatibleSchema"} {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("L75: the error does not say %s: %v", want, err)
				}
			}
		}
		publisher := bq.NewPublisher(b.producers(t, withSchema(avro)), orders(q))

		incompatible := bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) { o.Schema = other })
		for _, policy := range []bq.Startup{bq.StartupStop, bq.StartupRetry(1, time.Millisecond)} {
			log := new(logbook)
			c, err := bq.NewConsumer(b.client, q, bq.Routes(bq.Handle(orders(q), succeed)), incompatible,
				bq.WithStartup(policy), bq.WithLogger(log.logger()))
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "IncompatibleSchema") {
				t.Errorf("L75: Run: %v", err)
			}
			tried := strings.Count(log.lines.String(), "it is tried again")
			if want := map[bool]int{true: 0, false: 1}[policy == bq.StartupStop]; tried != want {
				t.Errorf("L75: tried %d times more, want %d", tried, want)
			}
		}

		client := &recorder{Client: b.client}
		b.client = client
		handle, _ := failing(always)
		s := b.serve(t, q, handle, withSchema(avro, q), bq.WithMaxAttempts(2),
			bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) { o.Schema = avro }))
		if _, err := publisher.Publish(t.Context(), order{ID: 1}); err != nil {
			t.Fatalf("L75: the schema that agrees: %v", err)
		}
		all := s.until()
		if last := all[len(all)-1]; len(all) != 2 || last.Action != bq.DeadLettered || last.SettleErr != nil {
			t.Errorf("L75: %+v", all)
		}
		if got := b.deadLetter(t, q); !strings.Contains(string(got.Payload()), "dead_letter") {
			t.Errorf("L75: the dead letter is %s", got.Payload())
		}
		for _, o := range client.producers {
			if o.Topic == q.Topic && o.Schema == nil {
				t.Error("L75: a retry has no schema")
			}
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
}

// Where a namespace enforces schemas, producers with the topic's schema publish, and so do retries and dead letters.
func TestANamespaceThatEnforcesSchemas(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueueIn(b.namespace(t, bqtest.Namespace{SchemaRequired: true}))
		schema := pulsar.NewJSONSchema(recordSchema("job", "string"), nil)
		for _, topic := range []string{q.Topic, q.DeadLetterTopic} {
			b.keep(t, topic)
			p, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: topic, Schema: schema})
			if err != nil {
				t.Fatal(err)
			}
			p.Close()
		}
		_, err := bq.NewPublisher(b.producers(t), orders(q)).Publish(t.Context(), order{ID: 1})
		for _, want := range []string{q.Topic, "WithProducerOptions", "IncompatibleSchema"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("without a schema: the error does not say %s: %v", want, err)
			}
		}
		client := &recorder{Client: b.client}
		b.client = client
		handle, calls := failing(always)
		s := b.serve(t, q, handle, withSchema(schema), bq.WithMaxAttempts(2))
		if _, err := bq.NewPublisher(b.producers(t, withSchema(schema)), orders(q)).
			Publish(t.Context(), order{ID: 1}); err != nil {
			t.Fatalf("with the schema: %v", err)
		}
		all := s.until()
		if last := all[len(all)-1]; last.Action != bq.DeadLettered || last.SettleErr != nil || calls.Load() != 2 {
			t.Errorf("%d runs, settled %+v", calls.Load(), all)
		}
		if got := b.deadLetter(t, q); !strings.Contains(string(got.Payload()), "dead_letter") {
			t.Errorf("the dead letter is %s", got.Payload())
		}
		for _, o := range client.producers {
			if o.Schema == nil {
				t.Errorf("a producer of %s has no schema", o.Topic)
			}
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
}

// A retry that the broker refuses for its schema is tried again, and its message is not acknowledged.
func TestARefusedSchemaOfARetryIsVisible(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	avro, other := pulsar.NewAvroSchema(recordSchema("order_id", "long"), nil),
		pulsar.NewJSONSchema(recordSchema("order_id", "string"), nil)
	p, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: q.Topic, Schema: avro})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	handle, calls := failing(1)
	s := b.serve(t, q, handle, withSchema(other), bq.WithSettleTries(2),
		bq.WithRetryBackoff(bq.ExponentialBackoff(time.Millisecond, time.Millisecond)))
	b.publish(t, q, order{ID: 1})
	if x := s.next(); x.Action != bq.Returned || x.SettleErr == nil ||
		!strings.Contains(x.SettleErr.Error(), "IncompatibleSchema") || errors.Is(x.SettleErr, bq.ErrAbandoned) {
		t.Errorf("L75: %s, %v", x.Action, x.SettleErr)
	}
	if x := s.next(); x.Action != bq.Acknowledged || calls.Load() != 2 {
		t.Errorf("L75: %s after %d runs", x.Action, calls.Load())
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}
