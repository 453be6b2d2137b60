package services

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// FS22: a queue is moved to services as docs/services.md says, with messages in flight, retries, a delayed one, and
// dead letters. Nothing that was not handled before is lost, and what runs once more is known beforehand.
func TestMovingAQueueToServices(t *testing.T) {
	for name, partitions := range map[string]int{"one topic": 0, "partitions": 2} {
		t.Run(name, func(t *testing.T) { t.Parallel(); moveToServices(t, partitions) })
	}
}

func moveToServices(t *testing.T, partitions int) {
	p := onPulsar(t)
	if partitions > 0 {
		p.partitioned(p.queue.Topic, partitions)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	old := bq.Queue{Name: "orders", Topic: p.queue.Topic, DeadLetterTopic: p.queue.Topic + ".dlq", MaxAttempts: 3}
	if err := bq.Declare(ctx, p.client, []bq.Queue{old}); err != nil {
		t.Fatal(err)
	}
	// The old consumer: 0 to 19 are handled, 0 after a delay and so behind what is in hand, 20 to 24 dead-lettered,
	// 25 to 29 retried and then in hand, 30 to 34 in hand, 35 to 39 are handled, behind what is in hand.
	var mu sync.Mutex
	inHand, ended := 0, 0
	published := make(chan struct{}) // so that retries are behind all messages
	handle := func(ctx context.Context, m *bq.Message[note]) error {
		id := m.Data.ID
		switch {
		case id == 0 && m.Attempts == 0:
			<-published
			return bq.RetryAfter(time.Second, errors.New("later"))
		case id >= 20 && id < 25:
			return bq.Permanent(errors.New("no"))
		case id >= 25 && id < 30 && m.Attempts == 0:
			<-published
			return errors.New("not yet")
		case id >= 25 && id < 35:
			mu.Lock()
			inHand++
			mu.Unlock()
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}
	consumer, err := bq.NewConsumer(p.client, old, bq.Routes(bq.Handle(definition(urnA, old), handle)),
		bq.WithLogger(quiet), bq.WithRetryBackoff(bq.NoBackoff), bq.WithConcurrency(20), bq.WithUnordered(),
		bq.WithGracePeriod(time.Millisecond), bq.WithObserver(bq.Observer{Settled: func(s bq.Settlement) {
			if s.Action == bq.Acknowledged || s.Action == bq.DeadLettered {
				mu.Lock()
				ended++
				mu.Unlock()
			}
		}}))
	if err != nil {
		t.Fatal(err)
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	stopped := make(chan error, 1)
	go func() { stopped <- consumer.Run(running) }()
	p.publish(urnA, 0, 40)
	close(published)
	p.until("all to be handled, dead or in hand", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return inHand == 10 && ended == 30
	})
	stop()
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	p.giveBack(old.DeadLetterTopic, "babelqueue", p.queue.Topic, 5)
	p.publish(urnA, 40, 50) // publishers never stop

	const waiting = 25 // 20 to 34 and 40 to 49
	backlog := func(name string) (n int64) {
		for _, at := range p.partitions() {
			n += p.backlog(at, name)
		}
		return n
	}
	p.until("all acknowledgements", func() bool { return backlog("babelqueue") == waiting })
	for _, name := range order {
		for _, at := range p.partitions() {
			p.must(http.MethodPut, path(at)+"/subscription/"+name, p.after(at, "babelqueue"))
		}
		if again := backlog(name) - waiting; again != 6 { // 35 to 39, and the retry of 0
			t.Errorf("%d messages will run once more in %s, want 6", again, name)
		}
	}
	p.declare()
	var services []*replica
	for _, name := range order {
		services = append(services, p.start(name, fine, bq.HandleForeignRetries()))
	}
	p.expect("all services", count{Runs: 93, Acknowledged: 93}, services...)
	for _, name := range order {
		p.drainedPartitions(name)
	}
	for _, r := range services {
		seen := r.seen()
		for id := int64(20); id < 50; id++ {
			want := []int64{0}
			if id >= 25 && id < 30 {
				want[0] = 1 // the retry of an old consumer
			}
			if fmt.Sprint(seen[id]) != fmt.Sprint(want) {
				t.Errorf("%s has seen %d with the attempts %v, want %v", r.name, id, seen[id], want)
			}
		}
		r.stop()
	}
	for _, at := range p.partitions() {
		p.must(http.MethodDelete, path(at)+"/subscription/babelqueue", "")
	}
	services = nil
	for _, name := range order {
		services = append(services, p.start(name, fine))
	}
	p.publish(urnA, 50, 60)
	p.expect("without HandleForeignRetries", count{Runs: 30, Acknowledged: 30}, services...)
}

// FS22: a retry that is due in a day holds the position of the old subscription. The services have it in a day, and
// run what was handled behind it once more; after the wait that docs/services.md asks for they run nothing again.
func TestMovingAQueueWithALongDelay(t *testing.T) {
	for _, x := range []struct {
		name    string
		wait    bool
		waiting int64 // messages for each service: the retry, and what was handled behind it
	}{{"moved at once", false, 11}, {"after the wait", true, 0}} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			const day, before, behind, id = 24 * time.Hour, 5, 10, 100
			broker := bqtest.NewBroker(t, bqtest.WithRetention(), bqtest.WithManualClock(time.Now()))
			p := &place{t: t, client: broker.Client(), memory: broker, queue: newQueue(newTopic())}
			work := *p
			work.queue.Services = nil
			work.queue.DeadLetterTopic = work.queue.Topic + ".dlq"
			var position time.Time // of the old subscription: the first message that it has not acknowledged
			old := work.startConsumer("the old consumer", work.queue.URNs, func(_ context.Context, m *bq.Message[note]) error {
				if m.Data.ID == id && m.Attempts == 0 {
					broker.Advance(time.Second)
					position = broker.Now()
					return bq.RetryAfter(day, errors.New("tomorrow"))
				}
				return nil
			}, bq.WithLogger(quiet))
			work.publish(urnA, 0, before)
			work.publish(urnA, id, id+1)
			work.expect("the retry", count{Runs: before + 1, Acknowledged: before, Retried: 1}, old)
			broker.Advance(time.Second)
			work.publish(urnA, before, before+behind)
			handled := count{Runs: before + 1 + behind, Acknowledged: before + behind, Retried: 1}
			work.expect("behind it", handled, old)
			broker.Advance(time.Second)
			if x.wait {
				broker.Advance(day)
				handled.Runs, handled.Acknowledged = handled.Runs+1, handled.Acknowledged+1
				work.expect("a day later", handled, old)
				work.until("all acknowledgements", func() bool { return work.backlog(work.queue.Topic, "babelqueue") == 0 })
				position = broker.Now()
			}
			old.stop()
			p.declare()
			var services []*replica
			for _, name := range order {
				broker.ResetCursor(p.queue.Topic, name, position)
				if got := p.backlog(p.queue.Topic, name); got != x.waiting {
					t.Errorf("%d messages wait for %s, want %d", got, name, x.waiting)
				}
				services = append(services, p.start(name, fine, bq.HandleForeignRetries()))
			}
			p.publish(urnA, 200, 201)
			runs := func(n int) count { return count{Runs: 3 * n, Acknowledged: 3 * n} }
			if x.wait {
				p.expect("from then on", runs(1), services...)
			} else {
				p.expect("what was behind the retry", runs(behind+1), services...)
				broker.Advance(day)
				p.expect("the retry, a day later", runs(behind+2), services...)
				for _, r := range services {
					if got := r.seen()[id]; !slices.Equal(got, []int64{1}) {
						t.Errorf("%s has seen the retry with the attempts %v, want 1", r.name, got)
					}
				}
			}
			p.drained()
		})
	}
}

// after returns the position after the last message up to which a subscription has acknowledged everything, as the
// admin API wants it.
func (p *place) after(at, subscription string) string {
	p.t.Helper()
	var stats struct {
		Cursors map[string]struct{ MarkDeletePosition string }
	}
	if err := json.Unmarshal(p.must(http.MethodGet, path(at)+"/internalStats", ""), &stats); err != nil {
		p.t.Fatal(err)
	}
	position := stats.Cursors[subscription].MarkDeletePosition
	var ledger, entry int64
	if _, err := fmt.Sscanf(strings.Replace(position, ":", " ", 1), "%d %d", &ledger, &entry); err != nil {
		p.t.Fatalf("the position %q: %v", position, err)
	}
	return fmt.Sprintf(`{"ledgerId":%d,"entryId":%d,"partitionIndex":-1}`, ledger, entry+1)
}
