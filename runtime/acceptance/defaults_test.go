package acceptance

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// TestAnOutageOfTwoSecondsDeadLettersNothing uses a consumer without options: F16.
func TestAnOutageOfTwoSecondsDeadLettersNothing(t *testing.T) {
	const messages, outage = 300, 2 * time.Second
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start), bqtest.WithRetention())
	b := &backend{client: broker.Client(), memory: broker}
	q := newQueue()
	b.publishAll(t, q, messages, keyless)
	settled := make(chan bq.Settlement, 10*messages)
	handle := func(context.Context, *bq.Message[order]) error {
		if broker.Now().Before(start.Add(outage)) {
			return errors.New("the database is down")
		}
		return nil
	}
	c, err := bq.NewConsumer(b.client, q, bq.Routes(bq.Handle(orders(q), handle)), bq.WithLogger(quiet),
		bq.WithObserver(bq.Observer{Settled: func(s bq.Settlement) { settled <- s }}))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	for range messages { // fails once before the clock moves
		if s := await(t, settled, "the first attempts"); s.Action != bq.Retried {
			t.Fatalf("got %s, %v", s.Action, s.Err)
		}
	}
	for acknowledged := 0; acknowledged < messages; {
		broker.Advance(50 * time.Millisecond)
		select {
		case s := <-settled:
			switch s.Action {
			case bq.Acknowledged:
				acknowledged++
			case bq.Retried:
			default:
				t.Fatalf("F16: got %s in attempt %d: %v", s.Action, s.Delivery.Attempt(), s.Err)
			}
		case <-time.After(time.Millisecond): // nobody is due: on with the clock
		}
	}
	cancel()
	if err := await(t, ended, "Run to return"); err != nil {
		t.Error(err)
	}
}

// TestNoPayloadValuesInErrorsByDefault: F26.
func TestNoPayloadValuesInErrorsByDefault(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		for _, values := range []bool{false, true} {
			q := newQueue()
			var log lockedBuilder
			opts := []bq.ConsumerOption{bq.WithMaxAttempts(1), bq.WithLogger(slog.New(slog.NewTextHandler(&log, nil)))}
			if values {
				opts = append(opts, bq.WithPayloadValuesInErrors())
			}
			handle, _ := failing(0)
			s := b.serve(t, q, handle, opts...)
			b.send(t, q.Topic, &pulsar.ProducerMessage{
				Payload:    []byte(strings.Replace(foreign, "9007199254740993", `"jane.doe@example.com"`, 1)),
				Properties: foreignProperties(nil),
			})
			got := s.next()
			var refused *bq.PayloadError
			if !errors.As(got.Err, &refused) || !strings.Contains(refused.Violations[0].Value, "jane.doe") {
				t.Errorf("F26: the program does not get the value: %+v", got.Err)
			}
			letter := string(b.deadLetter(t, q).Payload())
			_, block, _ := strings.Cut(letter, "dead_letter")
			for where, text := range map[string]string{"error": got.Err.Error(), "log": log.String(), "dead letter": block} {
				if !strings.Contains(text, "/order_id: want") || strings.Contains(text, "jane.doe") != values {
					t.Errorf("F26: values %v: the %s is %s", values, where, text)
				}
			}
		}
	})
}

// A lockedBuilder is a writer that a test may read at any time.
type lockedBuilder struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuilder) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuilder) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
