package bq

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/conformance"
)

// These tests run conformance cases through a whole consumer: one delivery each, with the redelivery count of the case.

// A script is a Pulsar consumer that delivers one message, and the producers of what replaces it.
type script struct {
	pulsar.Consumer
	message scriptedMessage
	refuse  bool // the producers' sends fail

	mu            sync.Mutex
	delivered     bool
	acked, nacked int
	retries, dead []*pulsar.ProducerMessage
	handled       int
	failed        int
	failedWith    *envelope.Envelope
	unknown       int
	mismatch      []string
	log           bytes.Buffer
}

type scriptedMessage struct {
	pulsar.Message
	body       []byte
	properties map[string]string
	redelivery uint32
}

const scriptedTopic = "persistent://public/default/orders"

var scriptedID = pulsar.NewMessageID(1, 1, 0, 0)

func (m *scriptedMessage) Topic() string                                   { return scriptedTopic }
func (m *scriptedMessage) Payload() []byte                                 { return m.body }
func (m *scriptedMessage) Properties() map[string]string                   { return m.properties }
func (m *scriptedMessage) ID() pulsar.MessageID                            { return scriptedID }
func (m *scriptedMessage) Key() string                                     { return "" }
func (m *scriptedMessage) OrderingKey() string                             { return "" }
func (m *scriptedMessage) RedeliveryCount() uint32                         { return m.redelivery }
func (m *scriptedMessage) PublishTime() time.Time                          { return time.Time{} }
func (m *scriptedMessage) EventTime() time.Time                            { return time.Time{} }
func (m *scriptedMessage) GetEncryptionContext() *pulsar.EncryptionContext { return nil }

func (s *script) Receive(ctx context.Context) (pulsar.Message, error) {
	s.mu.Lock()
	first := !s.delivered
	s.delivered = true
	s.mu.Unlock()
	if first {
		return &s.message, nil
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (s *script) AckIDList(ids []pulsar.MessageID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acked += len(ids)
	return nil
}

func (s *script) Nack(pulsar.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nacked++
}

func (s *script) NackID(pulsar.MessageID) { s.Nack(nil) }

// A scriptedProducer notes what is sent.
type scriptedProducer struct {
	pulsar.Producer
	s     *script
	topic string
	to    *[]*pulsar.ProducerMessage
}

func (p *scriptedProducer) Topic() string { return p.topic }

func (p *scriptedProducer) Send(_ context.Context, m *pulsar.ProducerMessage) (pulsar.MessageID, error) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if p.s.refuse {
		return nil, errors.New("refused")
	}
	*p.to = append(*p.to, m)
	return scriptedID, nil
}

func (s *script) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Write(b)
}

// A way is how the consumer of a script settles.
type way struct {
	subscription pulsar.SubscriptionType
	byNack       bool
	deadLetters  bool
	maxAttempts  int
	unknown      bool // there is a function for unknown URNs
	handle       func() error
}

// run has the script's message consumed and returns what was done with it.
func (s *script) run(t *testing.T, w way) Settlement {
	t.Helper()
	q := Queue{Name: "orders", Topic: scriptedTopic}
	settled := make(chan Settlement, 1)
	options := []ConsumerOption{
		WithPulsarConsumer(s), WithSubscriptionType(w.subscription), WithMaxAttempts(w.maxAttempts),
		WithSettleTries(1), // the letter of the contract
		WithRetryBackoff(ExponentialBackoff(time.Millisecond, time.Millisecond)),
		WithLogger(slog.New(slog.NewTextHandler(s, nil))),
		WithObserver(Observer{
			Failed: func(_ context.Context, f Failure) {
				s.failed++
				s.failedWith = f.Envelope
			},
			Mismatch: func(_ context.Context, m Mismatch) { s.mismatch = append(s.mismatch, m.PropertyURN, m.BodyURN) },
			Settled:  func(x Settlement) { settled <- x },
		}),
	}
	if w.unknown {
		options = append(options, WithUnknownURN(func(context.Context, *Delivery) error {
			s.unknown++
			return nil
		}))
	}
	if w.byNack {
		options = append(options, WithRetryByNack())
	} else {
		options = append(options, WithRetryProducer(&scriptedProducer{s: s, topic: q.Topic, to: &s.retries}))
	}
	if w.deadLetters {
		options = append(options, WithDeadLetterProducer(&scriptedProducer{s: s, topic: q.Topic + ".dlq", to: &s.dead}))
	}
	handle := func(context.Context, *Delivery) error {
		s.handled++
		return w.handle()
	}
	route := Route{urn: "urn:babel:orders:created", open: func() call { return &rawCall{fn: handle} }}
	c, err := NewConsumer(nil, q, Routes(route), options...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	var result Settlement
	select {
	case result = <-settled:
	case <-time.After(time.Minute):
		t.Fatal("nothing is settled")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return result
}

const acceptable = `{"job":"urn:babel:orders:created","trace_id":"t","data":{},` +
	`"meta":{"schema_version":1},"attempts":0}`

func TestGatedDeliveriesConformance(t *testing.T) {
	const with, without = "raw body to <queue>.dlq then ack; write failure -> nack", "ack + WARNING log"
	conformance.Run(t, cases, "gate.json", func(t *testing.T, c conformance.Gate) {
		if !c.Expect.Gated {
			s := &script{message: scriptedMessage{body: []byte(acceptable), properties: c.Properties}}
			got := s.run(t, way{subscription: pulsar.Shared, maxAttempts: 3, handle: func() error { return nil }})
			if got.Action != Acknowledged || s.handled != 1 || s.failed != 0 {
				t.Errorf("not gated: got %s (%v), %d handler calls", got.Action, got.Err, s.handled)
			}
			return
		}
		if c.Expect.With != with || c.Expect.Without != without || c.Expect.OnError != nil || c.Expect.Decoded {
			t.Fatalf("a case that this test does not know: %+v", c.Expect)
		}
		for _, body := range []string{acceptable, "not json", strings.Replace(acceptable, "created", "archived", 1)} {
			for _, way := range []way{{deadLetters: true}, {}} {
				way.subscription, way.maxAttempts, way.unknown = pulsar.Shared, 3, true
				way.handle = func() error { return nil }
				s := &script{message: scriptedMessage{body: []byte(body), properties: c.Properties}}
				got := s.run(t, way)
				if (s.handled > 0) != c.Expect.Handler || (s.unknown > 0) != c.Expect.Unknown || len(s.mismatch) > 0 {
					t.Errorf("%s: %d handler calls, %d of the function for unknown URNs", body, s.handled, s.unknown)
				}
				if s.failed != 1 || s.failedWith != nil {
					t.Errorf("%s: onError was called %d times, with the envelope %v", body, s.failed, s.failedWith)
				}
				if got.Reason != Gated || s.acked != 1 || s.nacked != 0 || len(s.retries) > 0 {
					t.Errorf("%s: got %s (%s), %d acks, %d nacks", body, got.Action, got.Reason, s.acked, s.nacked)
				}
				switch {
				case !way.deadLetters:
					if got.Action != Dropped || !strings.Contains(s.log.String(), "level=WARN msg=\"message dropped\"") {
						t.Errorf("%s: got %s, logged %s", body, got.Action, s.log.String())
					}
				case got.Action != DeadLettered || len(s.dead) != 1 || string(s.dead[0].Payload) != body:
					t.Errorf("%s: got %s, dead letters %v", body, got.Action, s.dead)
				case !cmp.Equal(s.dead[0].Properties, c.Properties):
					t.Errorf("%s: the dead letter has the properties %v", body, s.dead[0].Properties)
				}
			}
		}
		s := &script{message: scriptedMessage{body: []byte(acceptable), properties: c.Properties}, refuse: true}
		got := s.run(t, way{subscription: pulsar.Shared, maxAttempts: 3, deadLetters: true})
		if got.Action != Returned || s.acked != 0 || s.nacked != 1 {
			t.Errorf("write failure: got %s, %d acks, %d nacks", got.Action, s.acked, s.nacked)
		}
	})
}

func TestMaxAttemptsDeliveriesConformance(t *testing.T) {
	conformance.Run(t, cases, "max_attempts.json", func(t *testing.T, c conformance.MaxAttempts) {
		for i, d := range c.Deliveries {
			for _, deadLetters := range []bool{true, false} {
				body := "poison"
				if d.Body != nil {
					body = strings.Replace(acceptable, `"attempts":0`, fmt.Sprintf(`"attempts":%d`, *d.Body), 1)
				}
				s := &script{message: scriptedMessage{
					body: []byte(body), properties: map[string]string{"bq-attempts": d.Property}, redelivery: d.Redelivery,
				}}
				if c.RetryMode != "nack" && c.RetryMode != "republish" {
					t.Fatalf("unknown retry mode %q", c.RetryMode)
				}
				got := s.run(t, way{
					subscription: subscriptionTypes[c.Subscription], byNack: c.RetryMode == "nack",
					deadLetters: deadLetters, maxAttempts: c.MaxAttempts, handle: func() error { return errors.New("no stock") },
				})
				at := fmt.Sprintf("delivery %d, dead letters: %v", i+1, deadLetters)
				if got.Delivery.Attempts != d.Expect.Reconciled || got.Delivery.Attempt() != d.Expect.Counted {
					t.Errorf("%s: reconciled %d, want %d", at, got.Delivery.Attempts, d.Expect.Reconciled)
				}
				type result struct {
					Action                     Action
					Acks, Nacks, Retries, Dead int
				}
				var want result
				switch {
				case d.Expect.Action == "nack":
					want = result{Action: Retried, Nacks: 1}
				case d.Expect.Action == "republish+ack",
					// Without dead letters poison is retried like any other (SET-8).
					strings.HasPrefix(d.Expect.Action, "poison record") && !deadLetters:
					want = result{Action: Retried, Acks: 1, Retries: 1}
				case !deadLetters && d.Expect.Action == "exhausted":
					want = result{Action: Dropped, Acks: 1}
				case d.Expect.Action == "exhausted", d.Expect.Action == "poison record to <queue>.dlq, ack":
					want = result{Action: DeadLettered, Acks: 1, Dead: 1}
				default:
					t.Fatalf("unknown action %q", d.Expect.Action)
				}
				have := result{got.Action, s.acked, s.nacked, len(s.retries), len(s.dead)}
				if diff := cmp.Diff(want, have); diff != "" {
					t.Errorf("%s (-want +got):\n%s", at, diff)
					continue
				}
				if r := d.Expect.Republished; r != nil {
					again, err := envelope.Parse(s.retries[0].Payload)
					if err != nil || again.Attempts != r.Body || s.retries[0].Properties["bq-attempts"] != r.Property {
						t.Errorf("%s: the retry has %v, %v", at, again, s.retries[0].Properties)
					}
				}
				if want.Retries == 1 && d.Body == nil && string(s.retries[0].Payload) != body {
					t.Errorf("%s: the retry of poison is %q", at, s.retries[0].Payload)
				}
				if n := d.Expect.DeadLetter; n != 0 && want.Dead == 1 &&
					!strings.Contains(string(s.dead[0].Payload), fmt.Sprintf(`"attempts":%d,"lang":"go"}`, n)) {
					t.Errorf("%s: the dead letter is %s", at, s.dead[0].Payload)
				}
			}
		}
	})
}

func TestRoutedDeliveriesConformance(t *testing.T) {
	conformance.Run(t, cases, "routing.json", func(t *testing.T, c conformance.Routing) {
		s := &script{message: scriptedMessage{body: c.Bytes(), properties: c.Properties}}
		got := s.run(t, way{
			subscription: pulsar.Shared, deadLetters: true, maxAttempts: 1, handle: func() error { return nil },
		})
		if c.Expect.Verdict == "accept" && got.Delivery.URN != c.Expect.RouteURN {
			t.Errorf("routed by %q, want %q", got.Delivery.URN, c.Expect.RouteURN)
		}
		if want := c.Expect.Handler; want != nil && (s.handled > 0) != *want {
			t.Errorf("the handler was called %d times, want it called: %v", s.handled, *want)
		}
		var want []string
		if m := c.Expect.Mismatch; m != nil {
			want = []string{m.Property, m.Body}
		}
		if diff := cmp.Diff(want, s.mismatch); diff != "" {
			t.Errorf("the mismatch hook (-want +got):\n%s", diff)
		}
		reason := map[string]envelope.Reason{"poison": envelope.Poison, "gated": Gated}[c.Expect.Verdict]
		if reason != "" && got.Reason != reason {
			t.Errorf("got %s (%s), want the verdict %s", got.Action, got.Reason, c.Expect.Verdict)
		}
	})
}

func TestPoisonRecordModesConformance(t *testing.T) {
	conformance.Run(t, cases, "poison_record.json", func(t *testing.T, c conformance.PoisonRecord) {
		got := envelope.PoisonRecord(c.Bytes(), envelope.DeadLetter{Reason: envelope.Poison})
		mode := "splice"
		switch {
		case bytes.Contains(got, []byte(`,"raw_encoding":"base64","dead_letter":{`)):
			mode = "base64"
		case bytes.HasPrefix(got, []byte(`{"raw":"`)) && !bytes.HasPrefix(bytes.TrimSpace(c.Bytes()), []byte(`{"raw":`)):
			mode = "wrap"
		}
		if mode != c.Expect.Mode {
			t.Errorf("POI-5, POI-12, POI-13: got %s, want %s: %s", mode, c.Expect.Mode, got)
		}
	})
}
