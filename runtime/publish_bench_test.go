package bq

import (
	"context"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
)

// instantClient confirms every message at once.
type instantClient struct{ pulsar.Client }

func (instantClient) CreateProducer(o pulsar.ProducerOptions) (pulsar.Producer, error) {
	return &instantProducer{topic: o.Topic}, nil
}

type instantProducer struct {
	pulsar.Producer
	topic string
}

func (p *instantProducer) Topic() string { return p.topic }
func (p *instantProducer) Close()        {}
func (p *instantProducer) SendAsync(
	_ context.Context, m *pulsar.ProducerMessage, done func(pulsar.MessageID, *pulsar.ProducerMessage, error),
) {
	done(nil, m, nil)
}

// BenchmarkPublish is what the runtime adds to the Pulsar client: encoding and the lane.
func BenchmarkPublish(b *testing.B) {
	producers := NewProducers(instantClient{})
	publisher := NewPublisher(producers, Definition[payment]{
		URN: paymentDefinition.URN, Queue: Queue{Name: "payments", Topic: "payments"}, Codec: paymentDefinition.Codec,
	})
	ctx := context.Background()
	b.Run("sync", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := publisher.Publish(ctx, aPayment); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("async", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			publisher.PublishAsync(ctx, aPayment, func(PublishResult, error) {})
		}
		if err := producers.Flush(ctx); err != nil {
			b.Fatal(err)
		}
	})
}
