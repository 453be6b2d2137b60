package acceptance

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// A furious handler of logs panics.
type furious struct{ slog.Handler }

func (furious) Enabled(context.Context, slog.Level) bool  { return true }
func (furious) Handle(context.Context, slog.Record) error { panic("no disk") }
func (f furious) WithAttrs([]slog.Attr) slog.Handler      { return f }
func (f furious) WithGroup(string) slog.Handler           { return f }

func TestALoggerThatPanicsTakesNoMessageAlong(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		if m.Data.ID == 0 {
			return errors.New("no stock")
		}
		return nil
	}, bq.WithMaxAttempts(1), bq.WithLogger(slog.New(furious{})))
	b.publish(t, q, order{})
	body := strings.Replace(foreign, `"x":{`, `"timestamp":5,"x":{`, 1)
	b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(body), Properties: foreignProperties(nil)})
	if got := s.settle(2); got[bq.DeadLettered] != 1 || got[bq.Acknowledged] != 1 {
		t.Errorf("got %v", got)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}
