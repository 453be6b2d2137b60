package services

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// fill publishes n messages with ids from from on, each with a key of its own, to a topic of the queue.
func (p *place) fill(topic, urn string, from, n int64, attempts string) {
	p.t.Helper()
	producer, err := p.client.CreateProducer(pulsar.ProducerOptions{
		Topic: topic, DisableBatching: true, MaxPendingMessages: 1000,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	defer producer.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	failed := make(chan error, n)
	for id := from; id < from+n; id++ {
		producer.SendAsync(ctx, &pulsar.ProducerMessage{
			Payload: []byte(body(urn, id, attempts)), Key: fmt.Sprint(id),
			Properties: properties(urn, map[string]string{"bq-attempts": attempts}),
		}, func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) { failed <- err })
	}
	for range n {
		if err := <-failed; err != nil {
			p.t.Fatal(err)
		}
	}
}

// unacked returns how many messages of a subscription its consumers have.
func (p *place) unacked(name, subscription string) int64 {
	p.t.Helper()
	if p.memory != nil {
		return int64(p.memory.Unacked(name, subscription))
	}
	var n int64
	for _, c := range p.stats(name).Subscriptions[subscription].Consumers {
		n += int64(c.(map[string]any)["unackedMessages"].(float64))
	}
	return n
}

// FS18: a source with a long queue does not starve the other one. How many messages of the long queue begin before the
// one message of the other source, which has arrived, is counted, one by one.
func TestNeitherSourceStarvesTheOther(t *testing.T) {
	const weakID = 1_000_000
	for _, x := range []struct {
		name         string
		strong, weak func(*place) string // topics
		urn          string              // of the strong
		attempts     string
	}{
		{"retries and a trickle of new messages", retriesOf, queueOf, urnB, "1"},
		{"new messages and a trickle of retries", queueOf, retriesOf, urnB, "0"},
	} {
		t.Run(x.name, func(t *testing.T) {
			inTurn(t, func(t *testing.T, p *place, settle func(), most int) {
				const slots, limit, rounds = 4, 16, 5
				strong := (most + slots) * (rounds + 1)
				p.declare()
				p.fill(x.strong(p), x.urn, 0, int64(strong), x.attempts)
				begun, ran := make(chan struct{}), make(chan struct{}, 1)
				step, free := make(chan struct{}), make(chan struct{})
				r := p.start("billing", func(_ context.Context, m *bq.Message[note]) error {
					if m.Data.ID >= weakID {
						ran <- struct{}{}
						return nil
					}
					select {
					case begun <- struct{}{}:
						select {
						case <-step:
						case <-free:
						}
					case <-free:
					}
					return nil
				}, bq.WithConcurrency(slots), bq.WithMaxUnsettled(bq.Limit{Messages: limit}))
				for range slots {
					<-begun
				}
				weak := x.weak(p)
				attempts := "0"
				if weak == retriesOf(p) {
					attempts = "1"
				}
				for round := range int64(rounds) {
					p.fill(weak, urnB, weakID+round, 1, attempts)
					p.until("the message to arrive", func() bool { return p.unacked(weak, "billing") > 0 })
					settle()
					for waited := 0; ; waited++ {
						if waited > most {
							t.Fatalf("FS18: more than %d messages of the other source were first", most)
						}
						select {
						case step <- struct{}{}:
						case <-ran:
						}
						done := false
						select {
						case <-begun:
						case <-ran:
							done = true
						}
						if done {
							<-begun // the slot is free again
							break
						}
						settle()
					}
					p.until("it to be acknowledged", func() bool { return p.unacked(weak, "billing") == 0 })
				}
				close(free)
				p.expect("all", count{Runs: strong + rounds, Acknowledged: strong + rounds}, r)
				p.drained("billing")
			})
		})
	}
	t.Run("slow retries and fast new messages", func(t *testing.T) {
		inTurn(t, func(t *testing.T, p *place, settle func(), most int) {
			const slots, limit, slow, fast = 4, 16, 300, 60
			p.declare()
			p.fill(retriesOf(p), urnB, 0, slow, "1")
			begun, step, free := make(chan struct{}), make(chan struct{}), make(chan struct{})
			ran := make(chan struct{}, fast)
			r := p.start("billing", func(_ context.Context, m *bq.Message[note]) error {
				if m.Attempts == 0 {
					ran <- struct{}{}
					return nil
				}
				select {
				case begun <- struct{}{}:
					<-step
				case <-free:
				}
				return nil
			}, bq.WithConcurrency(slots), bq.WithMaxUnsettled(bq.Limit{Messages: limit}))
			for range slots {
				<-begun
			}
			p.fill(p.queue.Topic, urnB, weakID, fast, "0")
			p.until("new messages to arrive", func() bool { return p.unacked(p.queue.Topic, "billing") > 0 })
			// Retries have all slots. They end one by one, and in between new messages have to get theirs.
			for done, waited, all := 0, 0, 0; done < fast; waited, all = waited+1, all+1 {
				if waited > most || all == slow-slots {
					t.Fatalf("FS18: %d retries in a row, %d in all, and %d new messages wait", waited, all, fast-done)
				}
				step <- struct{}{}
				<-begun
				settle()
				for len(ran) > 0 {
					<-ran
					done, waited = done+1, 0
				}
			}
			close(free)
			for range slots {
				step <- struct{}{}
			}
			p.expect("all", count{Runs: slow + fast, Acknowledged: slow + fast}, r)
			p.drained("billing")
		})
	})
	t.Run("skips need no slot", func(t *testing.T) {
		onBoth(t, func(t *testing.T, p *place) {
			const skips = 300
			p.declare()
			hold := make(chan struct{})
			r := p.start("billing", func(_ context.Context, m *bq.Message[note]) error {
				if m.Attempts == 0 {
					<-hold
				}
				return nil
			}, bq.WithConcurrency(2), bq.WithMaxUnsettled(bq.Limit{Messages: 8}), bq.WithUnordered())
			p.publish(urnB, 0, 1)
			p.until("a handler to be busy", func() bool { return r.runsBegun() == 1 })
			p.fill(p.queue.Topic, urnS, 0, skips, "0")
			p.fill(retriesOf(p), urnB, 0, 10, "1")
			p.expect("while a handler is busy", count{Runs: 11, Skips: skips, Acknowledged: 10}, r)
			close(hold)
			p.drained("billing")
		})
	})
}

// inTurn runs a test that counts how many messages of one source come before one of the other. That says something only
// if the other had the time to come: settle gives it that in memory, where most is the limit of FS18. On a real Pulsar
// nobody knows when it had, so most is larger.
func inTurn(t *testing.T, test func(t *testing.T, p *place, settle func(), most int)) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) { test(t, inMemory(t), synctest.Wait, 32) })
	})
	t.Run("pulsar", func(t *testing.T) {
		t.Parallel()
		test(t, onPulsar(t), func() {}, 200)
	})
}

func queueOf(p *place) string   { return p.queue.Topic }
func retriesOf(p *place) string { return p.service("billing").RetryTopic }

// FS19: the limit is one for both sources, in messages and in bytes. What a crash could repeat is the limit and what
// the client has fetched of each topic.
func TestOneLimitForBothSources(t *testing.T) {
	const limit, fetched = 20, 16
	t.Run("messages", func(t *testing.T) {
		p := inMemory(t)
		p.declare()
		p.fill(p.queue.Topic, urnB, 0, 100, "0")
		p.fill(retriesOf(p), urnB, 100, 100, "1")
		hold := make(chan struct{})
		r := p.start("billing", func(context.Context, *bq.Message[note]) error { <-hold; return nil },
			bq.WithConcurrency(limit), bq.WithMaxUnsettled(bq.Limit{Messages: limit}), bq.WithReceiverQueueSize(fetched))
		p.until("the limit", func() bool { return r.consumer.Status().HeldBack == "limit" })
		p.until("both topics to be fetched", func() bool {
			return p.unacked(p.queue.Topic, "billing") >= fetched && p.unacked(retriesOf(p), "billing") >= fetched
		})
		p.until("all to be with handlers", func() bool { return r.consumer.Status().Handling == limit })
		if s := r.consumer.Status(); s.Unsettled != limit {
			t.Errorf("%d messages are unsettled, want %d", s.Unsettled, limit)
		} else if from := s.Sources; len(from) != 2 || from[0].Topic != p.queue.Topic || from[1].Topic != retriesOf(p) ||
			from[0].Unsettled+from[1].Unsettled != limit || from[0].Bytes+from[1].Bytes != s.Bytes ||
			!from[0].Connected || !from[1].Connected {
			t.Errorf("the status is %+v, and its sources do not add up to it", s)
		}
		const most = limit + 1 + 2*(fetched+10) // one is about to be handed on by the source that came second
		if got := p.unacked(p.queue.Topic, "billing") + p.unacked(retriesOf(p), "billing"); got > most {
			t.Errorf("%d messages are not acknowledged, want at most %d", got, most)
		}
		close(hold)
		p.expect("all", count{Runs: 200, Acknowledged: 200}, r)
		p.drained("billing")
	})
	t.Run("bytes", func(t *testing.T) {
		p := inMemory(t)
		p.declare()
		p.fill(p.queue.Topic, urnB, 0, 20, "0")
		p.fill(retriesOf(p), urnB, 20, 20, "1")
		size := int64(len(body(urnB, 10, "0")))
		hold := make(chan struct{})
		r := p.start("billing", func(context.Context, *bq.Message[note]) error { <-hold; return nil },
			bq.WithConcurrency(20), bq.WithMaxUnsettled(bq.Limit{Bytes: 4 * size}))
		p.until("the limit", func() bool { return r.consumer.Status().HeldBack == "limit" })
		// Each source may exceed it by the message that it was about to hand on.
		if s := r.consumer.Status(); s.Bytes > 6*size {
			t.Errorf("%d bytes are unsettled, want at most %d", s.Bytes, 6*size)
		}
		close(hold)
		p.expect("all", count{Runs: 40, Acknowledged: 40}, r)
	})
	t.Run("all held by hand", func(t *testing.T) {
		p := inMemory(t)
		p.declare()
		p.fill(p.queue.Topic, urnB, 0, limit, "0")
		held := make(chan *bq.Message[note], limit+1)
		r := p.start("billing", func(_ context.Context, m *bq.Message[note]) error { held <- m; return nil },
			bq.WithConcurrency(4), bq.WithMaxUnsettled(bq.Limit{Messages: limit}), bq.WithAckMode(bq.AckManual))
		all := make([]*bq.Message[note], limit)
		for i := range all {
			all[i] = <-held
		}
		p.fill(retriesOf(p), urnB, limit, 1, "1")
		p.until("the retry to arrive", func() bool { return p.unacked(retriesOf(p), "billing") == 1 })
		p.until("the limit", func() bool {
			s := r.consumer.Status()
			return s.HeldBack == "limit" && s.Unacknowledged == limit
		})
		select {
		case m := <-held:
			t.Errorf("%d was handled beyond the limit", m.Data.ID)
		default:
		}
		if err := all[0].Ack(); err != nil {
			t.Fatal(err)
		}
		for _, m := range append(all[1:], <-held) {
			if err := m.Ack(); err != nil {
				t.Fatal(err)
			}
		}
		p.drained("billing")
	})
	t.Run("the message that fills it is retried", func(t *testing.T) {
		p := inMemory(t)
		p.declare()
		p.fill(p.queue.Topic, urnB, 0, 5, "0")
		r := p.start("billing", failOnce, bq.WithMaxUnsettled(bq.Limit{Messages: 1}))
		p.expect("all", count{Runs: 10, Retried: 5, Acknowledged: 5}, r)
		p.drained("billing")
	})
}

// FS20: one bound for both sources when a service stops, and nothing in hand is lost: what was not settled comes again.
func TestBothSourcesStopTogether(t *testing.T) {
	const grace = 500 * time.Millisecond
	t.Run("with messages of both in hand", func(t *testing.T) {
		onBoth(t, func(t *testing.T, p *place) {
			p.declare()
			p.fill(p.queue.Topic, urnB, 0, 4, "0")
			p.fill(retriesOf(p), urnB, 4, 2, "1")
			const inPlace, onItsWay = 2, 3
			begun := make(chan struct{}, 10)
			opts := []bq.ConsumerOption{bq.WithGracePeriod(grace), bq.WithConcurrency(8)}
			if p.memory != nil {
				hang := p.memory.Fail(hangingSend(retriesOf(p)))
				t.Cleanup(hang.Release)
			}
			r := p.start("billing", func(ctx context.Context, m *bq.Message[note]) error {
				begun <- struct{}{}
				switch m.Data.ID {
				case inPlace, onItsWay:
					return errors.New("not now")
				}
				<-ctx.Done()
				return ctx.Err()
			}, append(opts, bq.WithRetryInPlace(1, func(int64) time.Duration {
				return time.Hour
			}))...)
			for range 6 {
				<-begun
			}
			began := time.Now()
			r.stop()
			if took := time.Since(began); took > grace+10*time.Second {
				t.Errorf("Run went on for %s", took)
			}
			if r.err != nil {
				t.Errorf("Run: %v", r.err)
			}
			if p.memory != nil {
				for _, at := range []string{p.queue.Topic, retriesOf(p)} {
					if n := p.memory.Consumers(at, "billing"); n != 0 {
						t.Errorf("%s has %d consumers", at, n)
					}
				}
			}
			again := p.start("billing", fine)
			p.until("all to be handled", func() bool { return len(again.seen()) == 6 })
			p.drained("billing")
			if c := again.count(); c.Skips > 0 {
				t.Errorf("%d messages of the service were skipped", c.Skips)
			}
		})
	})
	t.Run("pause and drain", func(t *testing.T) {
		p := inMemory(t)
		p.declare()
		r := p.start("billing", fine)
		r.consumer.Pause()
		p.fill(p.queue.Topic, urnB, 0, 10, "0")
		p.fill(retriesOf(p), urnB, 10, 10, "1")
		p.until("both to be fetched", func() bool {
			return p.unacked(p.queue.Topic, "billing") == 10 && p.unacked(retriesOf(p), "billing") == 10
		})
		if got := r.runsBegun(); got != 0 {
			t.Errorf("%d runs in a pause", got)
		}
		r.consumer.Resume()
		p.expect("resumed", count{Runs: 20, Acknowledged: 20}, r)
		if err := r.consumer.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		if s := r.consumer.Status(); s.Unsettled != 0 {
			t.Errorf("%d messages are unsettled after Drain", s.Unsettled)
		}
		p.drained("billing")
		r.stop()
	})
	t.Run("while the second one is being subscribed", func(t *testing.T) {
		p := inMemory(t)
		p.declare()
		hang := p.memory.Fail(hangingSubscribe(retriesOf(p)))
		r := p.launch("billing", fine)
		p.until("the subscription to hang", func() bool { return hang.Held() > 0 })
		r.stop()
		if r.err == nil {
			t.Error("Run that never subscribed returned nil")
		}
		hang.Release()
		for _, at := range []string{p.queue.Topic, retriesOf(p)} {
			p.until("no consumer to be left on "+at, func() bool { return p.memory.Consumers(at, "billing") == 0 })
		}
		p.publish(urnB, 0, 1)
		p.expect("another Run", count{Runs: 1, Acknowledged: 1}, p.start("billing", fine))
	})
}
