package crash

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
)

// window is how many tasks may be under way at once: enough that something is always in flight, few enough that no long
// queue builds up.
const window = 60

// Roles of processes.
const (
	publisher = "publisher"
	consumer  = "consumer"
)

// A stream is a queue and everything that works on it: a publisher process that runs until it is told to stop, consumer
// processes, and a reader of the dead letters.
type stream struct {
	t       *testing.T
	variant *variant
	bounded bool // only consumers are killed, so the number of second runs has a limit
	ledger  *ledger
	fleet   *fleet

	source     *process // publishes
	stopFeed   context.CancelFunc
	publishing sync.WaitGroup
}

// newStream starts a stream that is consumed as the variant says.
func newStream(t *testing.T, url string, number int) *stream {
	t.Helper()
	topic := "persistent://public/default/tasks-" + uuid.NewString()
	q := bq.Queue{Name: "tasks", Topic: topic, DeadLetterTopic: topic + ".dlq"}
	s := &stream{t: t, variant: &variants[number], ledger: newLedger()}
	s.readLetters(url, q.DeadLetterTopic)

	logs := t.ArtifactDir()
	t.Cleanup(func() { showLogs(t, logs) })
	s.fleet = &fleet{job: job{consumer, url, q, number}, ledger: s.ledger, logs: logs}
	t.Cleanup(s.fleet.abandon)
	s.fleet.mu.Lock()
	defer s.fleet.mu.Unlock()
	for range variants[number].processes {
		if err := s.fleet.start(); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if s.source, err = spawn(job{publisher, url, q, number}, logs); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.stopFeed = cancel
	t.Cleanup(func() { cancel(); _ = s.source.cmd.Process.Kill(); s.publishing.Wait() })
	s.publishing.Go(func() { s.feed(ctx) })
	s.publishing.Go(s.confirm)
	return s
}

// feed tells the publisher what to publish, at most a window at a time, until ctx ends.
func (s *stream) feed(ctx context.Context) {
	defer s.source.stdin.Close()
	for n := int64(0); ; n++ {
		room := func() bool { return len(s.ledger.attempted)-len(s.ledger.unconfirmed)-s.ledger.settled() < window }
		if !s.ledger.await(ctx, room) {
			return
		}
		s.ledger.enter(func() { s.ledger.attempted[n] = true })
		if _, err := fmt.Fprintln(s.source.stdin, n); err != nil {
			s.ledger.complain(err)
			return
		}
	}
}

// confirm records the publisher's reports.
func (s *stream) confirm() {
	defer s.source.reports.Close()
	for lines := bufio.NewScanner(s.source.reports); lines.Scan(); {
		s.ledger.report(lines.Text(), nil)
	}
	if err := s.source.cmd.Wait(); err != nil {
		s.ledger.complain(fmt.Errorf("the publisher process: %w", err))
	}
}

// readLetters records the dead letters until the test ends.
func (s *stream) readLetters(url, topic string) {
	s.t.Helper()
	client, err := newClient(url, io.Discard)
	if err != nil {
		s.t.Fatal(err)
	}
	letters, err := client.Subscribe(pulsar.ConsumerOptions{
		Topic: topic, SubscriptionName: "count", SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var reading sync.WaitGroup
	s.t.Cleanup(func() { cancel(); reading.Wait(); client.Close() })
	reading.Go(func() {
		for {
			msg, err := letters.Receive(ctx)
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				s.ledger.complain(fmt.Errorf("the reader of dead letters: %w", err))
				return
			}
			n, err := strconv.ParseInt(msg.Properties()[idProperty], 10, 64)
			if err != nil {
				s.ledger.complain(fmt.Errorf("a dead letter: %w: %q %v", err, msg.Payload(), msg.Properties()))
				continue
			}
			s.ledger.letter(n, reasonOf(msg))
			_ = letters.Ack(msg)
		}
	})
}

// reasonOf returns the reason of a dead letter. A gated message has none.
func reasonOf(msg pulsar.Message) string {
	if msg.Properties()["bq-schema-version"] == "2" && !bytes.Contains(msg.Payload(), []byte("dead_letter")) {
		return "gated"
	}
	if bytes.HasPrefix(msg.Payload(), []byte(`{"raw":`)) || bytes.Contains(msg.Payload(), []byte(`"reason":"poison"`)) {
		return "poison"
	}
	var record struct {
		DeadLetter struct {
			Reason string `json:"reason"`
		} `json:"dead_letter"`
	}
	if err := json.Unmarshal(msg.Payload(), &record); err != nil {
		return err.Error()
	}
	return record.DeadLetter.Reason
}

// progress waits until that many more tasks are settled than when it was called. If it waits in vain, it makes the
// processes print their goroutines, which ends them.
func (s *stream) progress(more int) bool {
	s.ledger.mu.Lock()
	before := s.ledger.settled()
	s.ledger.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if s.ledger.await(ctx, func() bool { return s.ledger.settled() >= before+more }) {
		return true
	}
	s.t.Logf("%s: within %s %d tasks were settled; what is wrong: %v", s.variant.name, patience, s.ledger.gain(before),
		s.ledger.faults())
	s.fleet.dump()
	_ = s.source.cmd.Process.Signal(syscall.SIGQUIT)
	return false
}

// finish ends the stream: it stops publishing, waits until the remaining tasks are settled, stops the consumers
// gracefully, and reports every fault.
func (s *stream) finish() {
	s.stopFeed()
	s.publishing.Wait()
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s.ledger.await(ctx, func() bool { return len(s.ledger.missing()) == 0 })
	drained := time.Since(began)
	s.fleet.stop()
	wrong := append(s.ledger.audit(), races(s.fleet.logs)...)
	if s.bounded {
		wrong = append(wrong, s.ledger.bound(s.variant)...)
	}
	for _, wrong := range wrong {
		s.t.Errorf("%s: %s", s.variant.name, wrong)
	}
	s.t.Logf("%s: %s; %d consumers started; drained in %.1f s", s.variant.name, s.ledger.summary(), s.fleet.started,
		drained.Seconds())
}
