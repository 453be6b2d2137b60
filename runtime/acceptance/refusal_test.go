package acceptance

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// limitDelay has a topic refuse messages that are to be delivered in more than a second.
func (b *backend) limitDelay(t *testing.T, topic string) {
	t.Helper()
	if b.memory != nil {
		b.memory.SetPolicies(topic, bqtest.Policies{MaxDelay: time.Second})
		return
	}
	operate(t, http.MethodPut, adminPath(topic), "", http.StatusNoContent)
	operate(t, http.MethodPost, adminPath(topic)+"/delayedDelivery",
		`{"active":true,"tickTime":100,"maxDeliveryDelayInMillis":1000}`, http.StatusNoContent)
	for deadline := time.Now().Add(patience); ; { // the broker learns of it through a topic of its own
		if time.Now().After(deadline) {
			t.Fatal("the topic does not get its policy")
		}
		producer, err := b.client.CreateProducer(pulsar.ProducerOptions{
			Topic: topic, DisableBatching: true, SendTimeout: time.Second,
		})
		if err != nil {
			t.Fatal(err)
		}
		probe := &pulsar.ProducerMessage{Payload: []byte("probe"), DeliverAfter: time.Hour}
		_, err = producer.Send(context.Background(), probe)
		producer.Close()
		if err != nil {
			return
		}
	}
}

// F1: the broker refuses one dead letter for its size. Those of other messages are published, once each.
func TestARefusedDeadLetterSpoilsNobodyElses(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const small, size = 4, 1024
		q := newQueue()
		b.limitSize(t, q.DeadLetterTopic, size)
		var mu sync.Mutex
		runs := map[int64]int{}
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			mu.Lock()
			defer mu.Unlock()
			runs[m.Data.ID]++
			return bq.Permanent(errors.New("no"))
		}, bq.WithConcurrency(small+1), bq.WithSendTimeout(2*time.Second), bq.WithSettleTries(2))
		b.publish(t, q, order{Note: strings.Repeat("x", 4096)})
		for id := range int64(small) {
			b.publish(t, q, order{ID: id + 1})
		}
		ended := map[bq.Action]int{}
		for ended[bq.DeadLettered] < small || ended[bq.Returned] == 0 {
			x := s.next()
			ended[x.Action]++
			if big := len(x.Delivery.Data()) > size; big != (x.Action == bq.Returned) {
				t.Errorf("F1: a message of %d bytes was %s", len(x.Delivery.Data()), x.Action)
			}
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		for id := range int64(small) {
			if runs[id+1] != 1 {
				t.Errorf("F1: message %d ran %d times", id+1, runs[id+1])
			}
		}
		b.send(t, q.DeadLetterTopic, &pulsar.ProducerMessage{Payload: []byte("last")})
		letters := b.subscribe(t, q.DeadLetterTopic, "babelqueue")
		seen := map[string]int{}
		for {
			m := receive(t, letters)
			if string(m.Payload()) == "last" {
				break
			}
			if len(m.Payload()) > size { // a probe of limitSize, from before the limit was in force
				continue
			}
			seen[m.Properties()["bq-message-id"]]++
		}
		if len(seen) != small {
			t.Errorf("F1: there are dead letters of %d messages, want %d", len(seen), small)
		}
		for id, n := range seen {
			if n != 1 {
				t.Errorf("F1: %d dead letters of %s", n, id)
			}
		}
	})
}

// F1: the broker refuses one retry for its delay. Those of other messages are published, once each.
func TestARefusedRetrySpoilsNobodyElses(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const others = 8
		q := newQueue()
		b.limitDelay(t, q.Topic)
		var mu sync.Mutex
		runs := map[int64]int{}
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			mu.Lock()
			defer mu.Unlock()
			runs[m.Data.ID]++
			switch {
			case m.Data.ID == 0:
				return bq.RetryAfter(time.Hour, errors.New("later"))
			case m.Attempts == 0:
				return bq.RetryAfter(100*time.Millisecond, errors.New("soon"))
			}
			return nil
		}, bq.WithConcurrency(others+1), bq.WithSendTimeout(2*time.Second), bq.WithSettleTries(2))
		for id := range int64(others + 1) {
			b.publish(t, q, order{ID: id})
		}
		ended := map[bq.Action]int{}
		for ended[bq.Acknowledged] < others || ended[bq.Returned] == 0 {
			ended[s.next().Action]++
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		if ended[bq.Retried] != others || ended[bq.Acknowledged] != others || ended[bq.DeadLettered] != 0 {
			t.Errorf("F1: got %v", ended)
		}
		for id := range int64(others) {
			if runs[id+1] != 2 {
				t.Errorf("F1: message %d ran %d times, want 2", id+1, runs[id+1])
			}
		}
	})
}
