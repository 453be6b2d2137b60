package bench

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

func aPayment(i int) payment {
	return payment{OrderID: int64(i), Amount: 99.9, Currency: "EUR", Note: strings.Repeat("leave it at the door ", 4)}
}

// rawMessages returns a function that returns messages as the runtime would publish them. They are one message that is
// encoded once, or each is encoded.
func rawMessages(t *testing.T, q bq.Queue, encodes bool) func(i int) *pulsar.ProducerMessage {
	t.Helper()
	codec := paymentsOf(q).Codec
	encode := func(i int) *pulsar.ProducerMessage {
		header, err := envelope.NewHeader(paymentURN, "", q.Name, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		p := aPayment(i)
		body, err := envelope.Append(make([]byte, 0, 512), header, func(dst []byte) ([]byte, error) {
			return codec.Append(dst, &p)
		})
		if err != nil {
			t.Fatal(err)
		}
		return &pulsar.ProducerMessage{Payload: body, Properties: header.Properties()}
	}
	if encodes {
		return encode
	}
	one := encode(1)
	return func(int) *pulsar.ProducerMessage {
		return &pulsar.ProducerMessage{Payload: one.Payload, Properties: one.Properties}
	}
}

// measured runs publish and returns how long it took.
func measured(publish func()) (took, cpu time.Duration) {
	began, before := time.Now(), processorTime()
	publish()
	return time.Since(began), processorTime() - before
}

func rawProducer(t *testing.T, client pulsar.Client, q bq.Queue, batched bool) pulsar.Producer {
	t.Helper()
	producer, err := client.CreateProducer(pulsar.ProducerOptions{
		Topic: q.Topic, DisableBatching: !batched, BatcherBuilderType: pulsar.KeyBasedBatchBuilder,
	})
	if err != nil {
		t.Fatal(err)
	}
	return producer
}

func rawAsync(batched, encodes bool) run {
	return func(t *testing.T, client pulsar.Client, q bq.Queue, n int) (took, cpu time.Duration) {
		producer, message := rawProducer(t, client, q, batched), rawMessages(t, q, encodes)
		defer producer.Close()
		var all sync.WaitGroup
		all.Add(n)
		return measured(func() {
			for i := range n {
				producer.SendAsync(t.Context(), message(i), func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) {
					if err != nil {
						t.Error(err)
					}
					all.Done()
				})
			}
			all.Wait()
		})
	}
}

func rawSend(t *testing.T, client pulsar.Client, q bq.Queue, n int) (took, cpu time.Duration) {
	producer, message := rawProducer(t, client, q, false), rawMessages(t, q, false)
	defer producer.Close()
	return measured(func() {
		for i := range n {
			if _, err := producer.Send(t.Context(), message(i)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// publishers returns a publisher that has published one message.
func publishers(t *testing.T, client pulsar.Client, q bq.Queue, batched bool) (*bq.Publisher[payment], func()) {
	t.Helper()
	opts := []bq.PublisherOption{bq.WithLogger(quiet)}
	if batched {
		opts = append(opts, bq.WithBatching(bq.Batching{}))
	}
	producers := bq.NewProducers(client, opts...)
	publisher := bq.NewPublisher(producers, paymentsOf(q))
	if _, err := publisher.Publish(t.Context(), aPayment(0)); err != nil {
		t.Fatal(err)
	}
	return publisher, func() {
		if err := producers.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

func publishAsync(batched bool) run {
	return func(t *testing.T, client pulsar.Client, q bq.Queue, n int) (took, cpu time.Duration) {
		publisher, stop := publishers(t, client, q, batched)
		defer stop()
		var all sync.WaitGroup
		all.Add(n)
		return measured(func() {
			for i := range n {
				publisher.PublishAsync(t.Context(), aPayment(i), func(_ bq.PublishResult, err error) {
					if err != nil {
						t.Error(err)
					}
					all.Done()
				})
			}
			all.Wait()
		})
	}
}

func publish(t *testing.T, client pulsar.Client, q bq.Queue, n int) (took, cpu time.Duration) {
	publisher, stop := publishers(t, client, q, false)
	defer stop()
	return measured(func() {
		for i := range n {
			if _, err := publisher.Publish(t.Context(), aPayment(i)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestBenchPublish(t *testing.T) {
	url := needPulsar(t, *pairs > 0)
	fmt.Printf("%d processors, %d pairs of up to %d messages\n\n", runtime.GOMAXPROCS(0), *pairs, *messages)
	fmt.Println("| what | base/s | ours/s | ratio | spread | CPU more | aim |\n|---|---|---|---|---|---|---|")
	for _, r := range []row{
		{name: "PublishAsync, unbatched, against SendAsync of a message encoded once",
			base: rawAsync(false, false), our: publishAsync(false), aim: "0.85"},
		{name: "PublishAsync, unbatched, against SendAsync of messages that are encoded",
			base: rawAsync(false, true), our: publishAsync(false), aim: "0.85"},
		{name: "PublishAsync, batched, against SendAsync of a message encoded once",
			base: rawAsync(true, false), our: publishAsync(true), aim: "0.85"},
		{name: "PublishAsync, batched, against SendAsync of messages that are encoded",
			base: rawAsync(true, true), our: publishAsync(true), aim: "0.85"},
		{name: "Publish from one goroutine, against Send", base: rawSend, our: publish, aim: "0.90", part: 100},
	} {
		if strings.Contains(r.name, *only) {
			q := bq.Queue{Name: "payments", Topic: "persistent://public/default/payments-" + uuid.NewString()}
			r.measure(t, url, q)
		}
	}
}
