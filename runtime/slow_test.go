package bq

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// A lineWriter sends each line of a log to a channel.
type lineWriter chan string

func (w lineWriter) Write(b []byte) (int, error) { w <- string(b); return len(b), nil }

// TestAHandlerThatRunsForLongIsLogged: the limit is a minute; here it is shorter.
func TestAHandlerThatRunsForLongIsLogged(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	q := Queue{Name: "payments", Topic: "payments"}
	definition := paymentDefinition
	definition.Queue = q
	lines, finish := make(lineWriter, 1000), make(chan struct{})
	route := Handle(definition, func(context.Context, *Message[payment]) error { <-finish; return nil })
	c, err := NewConsumer(broker.Client(), q, Routes(route), WithLogger(slog.New(slog.NewTextHandler(lines, nil))),
		consumerOption(func(c *consumerConfig) { c.slowAfter = 20 * time.Millisecond }))
	if err != nil {
		t.Fatal(err)
	}
	if d := (flowConfig{}); d.complete() != nil || d.slowAfter != time.Minute {
		t.Errorf("by default the limit is %s", d.slowAfter)
	}
	producers := NewProducers(broker.Client())
	defer producers.Close(context.Background())
	sent, err := NewPublisher(producers, definition).Publish(t.Context(), aPayment)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	for range 2 { // once more when the time has doubled
		select {
		case line := <-lines:
			if !strings.Contains(line, "a handler has not returned yet") || !strings.Contains(line, sent.ID) ||
				!strings.Contains(line, "level=WARN") {
				t.Errorf("got %s", line)
			}
		case <-time.After(time.Minute):
			t.Fatal("nothing is logged")
		}
	}
	close(finish)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
