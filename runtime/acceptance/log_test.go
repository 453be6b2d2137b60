package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// A logbook records log entries.
type logbook struct {
	mu    sync.Mutex
	lines bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Write(p)
}

func (l *logbook) logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// entry returns the only entry with that message.
func (l *logbook) entry(t *testing.T, message string) map[string]any {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	var found map[string]any
	for line := range strings.Lines(l.lines.String()) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e["msg"] == message {
			if found != nil {
				t.Errorf("%q is logged twice", message)
			}
			found = e
		}
	}
	if found == nil {
		t.Fatalf("%q is not logged:\n%s", message, l.lines.String())
	}
	return found
}

func TestSettlementsAreLogged(t *testing.T) {
	huge := strings.Repeat("9", 10_000)
	for _, c := range []struct {
		name       string
		properties map[string]string
		err        error
		noLetters  bool
		message    string
		want       map[string]any
	}{
		{"handled", foreignProperties(nil), nil, false, "message acknowledged",
			map[string]any{"level": "DEBUG", "urn": orderURN, "message_id": "m-1", "trace_id": "trace-1", "attempts": 1.0}},
		{"retried", foreignProperties(nil), errors.New("no stock"), false, "message retried",
			map[string]any{"level": "INFO", "error": "no stock"}},
		{"dead-lettered", foreignProperties(map[string]string{"bq-attempts": "4"}), errors.New("no stock"), false,
			"message dead-lettered",
			map[string]any{"level": "WARN", "reason": "failed", "error": "no stock", "attempts": 5.0}},
		{"SET-3 dropped", foreignProperties(map[string]string{"bq-attempts": "4"}), errors.New("no stock"), true,
			"message dropped",
			map[string]any{"level": "WARN", "urn": orderURN, "message_id": "m-1", "attempts": 5.0, "reason": "failed",
				"error": "no stock"}},
		{"GATE-7 the version is cut", foreignProperties(map[string]string{"bq-schema-version": huge}), nil, true,
			"message dropped",
			map[string]any{"level": "WARN", "reason": "gated",
				"error": `envelope version "` + huge[:64] + `" is not supported`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := inMemory(t)
			q := newQueue()
			if c.noLetters {
				q.DeadLetterTopic = ""
			}
			var book logbook
			fail := c.err
			s := b.serve(t, q, func(context.Context, *bq.Message[order]) error {
				defer func() { fail = nil }()
				return fail
			}, bq.WithLogger(book.logger()))
			b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(foreign), Properties: c.properties})
			s.next()
			got := book.entry(t, c.message)
			for name, want := range c.want {
				if got[name] != want {
					t.Errorf("%s is %v, want %v", name, got[name], want)
				}
			}
		})
	}
}

func TestIgnoredMembersAreLoggedOncePerDelivery(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	var book logbook
	s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return nil }, bq.WithLogger(book.logger()))
	body := strings.Replace(foreign, `"x":{`, `"urn":"urn:y","timestamp":5,"x":{`, 1)
	body = strings.Replace(body, `"ext":`, `"source":"s","ts":1,"ext":`, 1)
	b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(body), Properties: foreignProperties(nil)})
	s.next()
	got := book.entry(t, "members of the envelope are ignored")
	if got["level"] != "WARN" || got["members"] != "/timestamp /meta/source /meta/ts /urn" || got["message_id"] != "m-1" {
		t.Errorf("ENV-9, ENV-13: got %v", got)
	}
}
