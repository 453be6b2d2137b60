package bqtest_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestAManualClockStandsStill(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	broker.Advance(time.Minute)
	if got := broker.Now(); !got.Equal(start.Add(time.Minute)) {
		t.Errorf("Now = %v", got)
	}
	c := subscribe(t, broker.Client(), pulsar.ConsumerOptions{})
	send(t, produce(t, broker.Client(), pulsar.ProducerOptions{}), pulsar.ProducerMessage{})
	if got := receive(t, c).PublishTime(); !got.Equal(start.Add(time.Minute)) {
		t.Errorf("PublishTime = %v", got)
	}
}

func TestAdvanceRunsWhatIsDueInTheOrderOfTime(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	client := broker.Client()
	var log []string
	clocked := &nackLog{note: func() { log = append(log, broker.Now().Sub(start).String()) }}
	opts := pulsar.ConsumerOptions{Type: pulsar.Shared, Interceptors: pulsar.ConsumerInterceptors{clocked}}
	opts.NackBackoffPolicy = &policy{delay: func(n uint32) time.Duration { return time.Duration(3-n) * time.Second }}
	c := subscribe(t, client, opts)
	p := produce(t, client, pulsar.ProducerOptions{})
	sendTexts(t, p, "a")
	c.Nack(receive(t, c)) // due at 3s
	broker.Advance(500 * time.Millisecond)
	sendTexts(t, p, "b")
	c.Nack(receive(t, c)) // at 3.5s
	send(t, p, pulsar.ProducerMessage{Payload: []byte("d"), DeliverAfter: 2800 * time.Millisecond})
	broker.Advance(time.Hour)
	if diff := cmp.Diff([]string{"a/1", "d", "b/1"}, ready(t, c)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"3s", "3.5s"}, log); diff != "" {
		t.Errorf("the clock that a timer sees: %s", diff)
	}
}

type nackLog struct {
	interceptor
	note func()
}

func (l *nackLog) OnNegativeAcksSend(pulsar.Consumer, []pulsar.MessageID) { l.note() }

func TestAdvanceNeedsAManualClock(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Advance did not panic")
		}
	}()
	bqtest.NewBroker(t).Advance(time.Second)
}

// TestTheRealClockInABubble shows that the broker waits in a way that testing/synctest understands: time passes at
// once, and exactly.
func TestTheRealClockInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broker := bqtest.NewBroker(t)
		client := broker.Client()
		c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, NackRedeliveryDelay: 10 * time.Second})
		p := produce(t, client, pulsar.ProducerOptions{})
		began := time.Now()
		var log []string
		done := make(chan struct{})
		go func() {
			defer close(done)
			for len(log) < 4 {
				m, err := c.Receive(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				log = append(log, fmt.Sprint(text(m), " ", time.Since(began)))
				if text(m) == "a" {
					c.Nack(m)
				}
			}
		}()
		send(t, p, pulsar.ProducerMessage{Payload: []byte("late"), DeliverAfter: time.Hour})
		send(t, p, pulsar.ProducerMessage{Payload: []byte("soon"), DeliverAfter: time.Minute})
		sendTexts(t, p, "a")
		<-done
		if diff := cmp.Diff([]string{"a 0s", "a/1 10s", "soon 1m0s", "late 1h0m0s"}, log); diff != "" {
			t.Error(diff)
		}

		f := broker.Fail(bqtest.OnSend().Hang())
		began = time.Now()
		if _, err := p.Send(t.Context(), &pulsar.ProducerMessage{}); err != pulsar.ErrSendTimeout {
			t.Errorf("Send: %v, want ErrSendTimeout", err)
		}
		if d := time.Since(began); d != 30*time.Second {
			t.Errorf("timed out after %v, want 30s", d)
		}
		f.Release()

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := c.Receive(ctx); err != context.DeadlineExceeded {
			t.Errorf("Receive: %v, want the deadline", err)
		}
		synctest.Wait()
	})
}

func TestTheRealClock(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, NackRedeliveryDelay: 5 * time.Millisecond})
	p := produce(t, client, pulsar.ProducerOptions{})
	send(t, p, pulsar.ProducerMessage{Payload: []byte("c"), DeliverAfter: 30 * time.Millisecond})
	send(t, p, pulsar.ProducerMessage{Payload: []byte("b"), DeliverAfter: 15 * time.Millisecond})
	sendTexts(t, p, "a")
	m := receive(t, c)
	c.Nack(m)
	got := append([]string{text(m)}, receiveTexts(t, c, 3)...)
	if diff := cmp.Diff([]string{"a", "a/1", "b", "c"}, got); diff != "" {
		t.Error(diff)
	}
}
