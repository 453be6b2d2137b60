package acceptance

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

func TestHeadersAreTheSameInEveryMode(t *testing.T) { // L25
	const n = 30
	event := time.UnixMilli(1_700_000_000_000)
	for _, mode := range []string{"one by one", "in batches", "as a stream"} {
		b, q := memory(t), newQueue()
		b.partition(t, q.Topic, 3)
		b.subscribe(t, q.Topic, "babelqueue").Close()
		producer, err := b.client.CreateProducer(pulsar.ProducerOptions{
			Topic: q.Topic, Name: "the-producer", DisableBatching: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer producer.Close()
		sent := make(map[int64]pulsar.MessageID)
		for id := int64(1); id <= n; id++ {
			m := &pulsar.ProducerMessage{
				Payload: fmt.Appendf(nil, `{"job":%q,"trace_id":"trace-%d","data":{"order_id":%d},"meta":{"schema_version":1}}`,
					orderURN, id, id),
				Key: fmt.Sprint("key-", id), OrderingKey: fmt.Sprint("order-", id),
				Properties: map[string]string{"tenant": fmt.Sprint(id)},
			}
			if id%2 == 0 {
				m.EventTime = event.Add(time.Duration(id) * time.Millisecond)
			}
			if id == 7 {
				m.Properties["bq-attempts"] = "1"
			}
			if sent[id], err = producer.Send(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		var mu sync.Mutex
		seen := map[int64]bool{}
		check := func(d *bq.Delivery, id int64) {
			mu.Lock()
			defer mu.Unlock()
			seen[id] = true
			at := time.Time{}
			if id%2 == 0 {
				at = event.Add(time.Duration(id) * time.Millisecond)
			}
			attempts := int64(0)
			if id == 7 {
				attempts = 1
			}
			if d.Key != fmt.Sprint("key-", id) || d.OrderingKey() != fmt.Sprint("order-", id) ||
				!d.EventTime().Equal(at) || d.ProducerName() != "the-producer" || d.RedeliveryCount() != 0 ||
				d.Attempts != attempts || d.TraceID != fmt.Sprint("trace-", id) || d.Property("tenant") != fmt.Sprint(id) ||
				d.PublishTime.IsZero() || d.MessageID.EntryID() != sent[id].EntryID() ||
				d.MessageID.PartitionIdx() != sent[id].PartitionIdx() {
				t.Errorf("%s: order %d is %+v", mode, id, d)
			}
			d.Properties()["tenant"] = "changed"
		}
		switch mode {
		case "one by one":
			s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
				check(&m.Delivery, m.Data.ID)
				return nil
			})
			s.settlements(n)
		case "in batches":
			s := b.serveBatches(t, q, func(_ context.Context, batch []*bq.Message[order]) error {
				for _, m := range batch {
					check(&m.Delivery, m.Data.ID)
				}
				return nil
			}, bq.Batch{Size: 10, Wait: 20 * time.Millisecond}, bq.WithConcurrency(2))
			s.settlements(n)
		default:
			s, _ := b.stream(t, q)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			got := 0
			for m, err := range s.Messages(ctx) {
				if err != nil {
					t.Fatal(err)
				}
				check(&m.Delivery, idOf(m))
				if err := m.Ack(); err != nil {
					t.Error(err)
				}
				if got++; got == n {
					cancel()
				}
			}
		}
		if len(seen) != n {
			t.Errorf("%s: %d messages, want %d", mode, len(seen), n)
		}
	}
}

func TestPartitionsThatAreAddedWhileItRuns(t *testing.T) { // L54
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		b.partition(t, q.Topic, 2)
		s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return nil }, bq.WithConcurrency(4),
			bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) { o.AutoDiscoveryPeriod = time.Second }))
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		publish := func(topic string, first, last int64) {
			t.Helper()
			producer, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: topic, DisableBatching: true})
			if err != nil {
				t.Fatal(err)
			}
			defer producer.Close()
			for id := first; id <= last; id++ {
				_, err := producer.Send(ctx, &pulsar.ProducerMessage{Key: fmt.Sprint(id % 50), Payload: fmt.Appendf(nil,
					`{"job":%q,"trace_id":"t","data":{"order_id":%d},"meta":{"schema_version":1}}`, orderURN, id)})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		publish(q.Topic, 1, 40)
		b.addPartitions(t, q.Topic, 4)
		publish(q.Topic+"-partition-3", 41, 50)
		publish(q.Topic, 51, 90)
		topics := map[string]bool{}
		for range 90 {
			x := s.next()
			if x.Action != bq.Acknowledged || x.SettleErr != nil {
				t.Errorf("%+v", x)
			}
			topics[x.Delivery.Topic] = true
		}
		if !topics[q.Topic+"-partition-3"] {
			t.Errorf("nothing came from the new partition: %v", topics)
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
}
