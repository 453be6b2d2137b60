package services

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func hangingSend(topic string) *bqtest.Fault      { return bqtest.OnSend(topic).Hang() }
func hangingSubscribe(topic string) *bqtest.Fault { return bqtest.OnSubscribe(topic).Hang() }

// A ledger follows which runs of a process overlap with another one of the same key.
type ledger struct {
	mu      sync.Mutex
	running map[string]int
	overlap int
}

func (l *ledger) run(key string, fn func() error) error {
	l.mu.Lock()
	if l.running == nil {
		l.running = map[string]int{}
	}
	if l.running[key]++; l.running[key] > 1 {
		l.overlap++
	}
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		l.running[key]--
		l.mu.Unlock()
	}()
	return fn()
}

// FS15: two replicas, each with two sources. In one process the runs of a key never overlap, whichever source they come
// from, also when a replica leaves and another one joins with messages in hand.
func TestAKeyIsRunOnceAtATimeFromBothSources(t *testing.T) {
	for name, kind := range map[string]pulsar.SubscriptionType{
		"key_shared": pulsar.KeyShared, "failover": pulsar.Failover,
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, p *place) {
				const messages = 60
				if kind == pulsar.Failover {
					p.partitioned(p.queue.Topic, 3)
				}
				p.declare()
				var ledgers []*ledger
				var mu sync.Mutex
				done := map[int64]bool{}
				start := func() *replica {
					l := &ledger{}
					ledgers = append(ledgers, l)
					return p.start("billing", func(_ context.Context, m *bq.Message[note]) error {
						return l.run(m.Key, func() error {
							if m.Data.ID%5 == 0 && m.Attempts == 0 {
								return errors.New("not yet")
							}
							mu.Lock()
							done[m.Data.ID] = true
							mu.Unlock()
							return nil
						})
					}, bq.WithSubscriptionType(kind), bq.WithConcurrency(4))
				}
				handled := func() int {
					mu.Lock()
					defer mu.Unlock()
					return len(done)
				}
				first := start()
				start()
				p.publish(urnB, 0, messages/2)
				p.until("some to be handled", func() bool { return handled() > messages/8 })
				first.stop() // with messages in hand: the other replica takes over
				start()
				p.publish(urnB, messages/2, messages)
				p.until("all to be handled", func() bool { return handled() == messages })
				p.drainedPartitions("billing")
				for i, l := range ledgers {
					if l.overlap > 0 {
						t.Errorf("L6: %d runs overlap with one of their key in replica %d", l.overlap, i)
					}
				}
			})
		})
	}
}

// partitions returns the topics that the queue's topic consists of.
func (p *place) partitions() []string {
	p.t.Helper()
	names, err := p.client.TopicPartitions(p.queue.Topic)
	if err != nil {
		p.t.Fatal(err)
	}
	return names
}

// drainedPartitions is drained for a queue that may have partitions.
func (p *place) drainedPartitions(name string) {
	p.t.Helper()
	for _, at := range append(p.partitions(), p.service(name).RetryTopic) {
		p.until(fmt.Sprintf("%s on %s to be empty", name, at), func() bool { return p.backlog(at, name) == 0 })
	}
}

// FS16: retries and dead letters of all partitions are on one topic each, which is not named after a partition, and a
// queue whose partitions are increased loses nothing.
func TestAPartitionedQueue(t *testing.T) {
	onBoth(t, func(t *testing.T, p *place) {
		p.partitioned(p.queue.Topic, 2)
		p.declare()
		often := bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) { o.AutoDiscoveryPeriod = 100 * time.Millisecond })
		handle := func(_ context.Context, m *bq.Message[note]) error {
			switch {
			case m.Data.ID%10 == 0:
				return bq.Permanent(errors.New("no"))
			case m.Data.ID%3 == 0 && m.Attempts == 0:
				return errors.New("not yet")
			}
			return nil
		}
		billing, shipping := p.start("billing", handle, often), p.start("shipping", fine, often)
		p.publish(urnB, 0, 30)
		p.expect("before", count{Runs: 39, Retried: 9, Acknowledged: 27, DeadLettered: 3}, billing)
		if p.memory != nil {
			if err := p.memory.AddPartitions(p.queue.Topic, 3); err != nil {
				t.Fatal(err)
			}
		} else {
			p.must(http.MethodPost, path(p.queue.Topic)+"/partitions", "3")
		}
		p.declare() // before the first message on the new one
		for _, at := range p.partitions() {
			for _, name := range order {
				if p.backlog(at, name) < 0 {
					t.Errorf("FAN-9: %s has no subscription %s", at, name)
				}
			}
		}
		p.publish(urnB, 30, 60)
		p.expect("after", count{Runs: 78, Retried: 18, Acknowledged: 54, DeadLettered: 6}, billing)
		p.expect("skips are counted once", count{Skips: 60}, shipping)
		p.drainedPartitions("billing")
		if got := p.published(retriesOf(p)); got != 18 {
			t.Errorf("RET-5: %d retries on %s, want 18", got, retriesOf(p))
		}
		for _, m := range p.letters("billing", 6) {
			if d := blockOf(t, m); d.OriginalQueue != lastSegment(p.queue.Topic) {
				t.Errorf("DLQ-5: the dead letter says %+v", d)
			}
		}
		if p.memory != nil {
			for _, name := range p.memory.Topics() {
				if strings.Contains(strings.TrimPrefix(name, p.queue.Topic+"-partition-"), ".billing") &&
					strings.Contains(name, "-partition-") {
					t.Errorf("RET-5: there is a topic %s", name)
				}
			}
		}
	})
}

// FS21: a service does not run without one of its sources, and says which is missing.
func TestAServiceNeedsBothSources(t *testing.T) {
	denied := errors.New("AuthorizationError: no right to consume")
	for name, startup := range map[string]bq.Startup{
		"stop": bq.StartupStop, "continue": bq.StartupContinue, "retry": bq.StartupRetry(1, time.Millisecond),
	} {
		t.Run("no right to consume retries, "+name, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			p.declare()
			p.memory.Fail(bqtest.OnSubscribe(retriesOf(p)).Err(denied))
			p.publish(urnB, 0, 1)
			r := p.launch("billing", fine, bq.WithStartup(startup))
			<-r.ended
			for _, part := range []string{"billing", retriesOf(p), denied.Error()} {
				if r.err == nil || !strings.Contains(r.err.Error(), part) {
					t.Errorf("the error lacks %q: %v", part, r.err)
				}
			}
			if got := r.runsBegun(); got != 0 {
				t.Errorf("%d runs without the retry topic", got)
			}
			if s := r.consumer.Status(); s.State != bq.StateIdle || s.LastError == nil {
				t.Errorf("Status: %+v", s)
			}
			if got := p.backlog(p.queue.Topic, "billing"); got != 1 {
				t.Errorf("%d messages wait, want 1", got)
			}
		})
	}
	t.Run("somebody has the retry topic for himself", func(t *testing.T) {
		t.Parallel()
		p := inMemory(t)
		p.declare()
		other, err := p.client.Subscribe(pulsar.ConsumerOptions{
			Topic: retriesOf(p), SubscriptionName: "billing", Type: pulsar.Exclusive,
		})
		if err != nil {
			t.Fatal(err)
		}
		r := p.launch("billing", fine)
		<-r.ended
		if r.err == nil || !strings.Contains(r.err.Error(), retriesOf(p)) {
			t.Errorf("the error lacks %s: %v", retriesOf(p), r.err)
		}
		other.Close()
		p.publish(urnB, 0, 1)
		p.expect("once it is free", count{Runs: 1, Acknowledged: 1}, p.start("billing", fine))
	})
	t.Run("no right to publish retries", func(t *testing.T) {
		t.Parallel()
		p := inMemory(t)
		p.declare()
		fault := p.memory.Fail(bqtest.OnCreateProducer(retriesOf(p)).Err(errors.New("AuthorizationError: no right")))
		p.publish(urnB, 0, 2)
		r := p.start("billing", failOnce, bq.WithSettleTries(1))
		p.until("it to be tried", func() bool { return fault.Hits() > 0 })
		if got := p.backlog(p.queue.Topic, "billing"); got != 2 {
			t.Errorf("%d messages wait, want 2: none may be acknowledged", got)
		}
		fault.Clear()
		p.until("all to be handled", func() bool { return r.count().Acknowledged == 2 })
		p.drained("billing")
	})
	t.Run("nothing is created, and the retry topic is missing", func(t *testing.T) {
		t.Parallel()
		p := inMemory(t)
		p.memory.SetNamespace("public/default", bqtest.Namespace{NoTopics: true})
		if err := p.memory.CreateTopic(p.queue.Topic); err != nil {
			t.Fatal(err)
		}
		if err := p.memory.CreateTopic(p.service("billing").DeadLetterTopic); err != nil {
			t.Fatal(err)
		}
		r := p.launch("billing", fine)
		<-r.ended
		for _, part := range []string{"billing", retriesOf(p), "bqgen provision"} {
			if r.err == nil || !strings.Contains(r.err.Error(), part) {
				t.Errorf("the error lacks %q: %v", part, r.err)
			}
		}
	})
}

// FS21: what is taken away from a running service on a broker that creates no topics ends Run, with its name. Nothing
// that was in hand is acknowledged.
func TestATopicThatIsTakenAwayEndsRun(t *testing.T) {
	for _, x := range []struct {
		name   string
		method string // of the admin API
		topic  func(*place) string
		suffix string
		ends   bool
	}{
		{"the queue's topic is deleted", http.MethodDelete, queueOf, "?force=true", true},
		{"the retry topic is deleted", http.MethodDelete, retriesOf, "?force=true", true},
		{"the retry topic is terminated", http.MethodPost, retriesOf, "/terminate", false},
		{"the dead letters are deleted", http.MethodDelete,
			func(p *place) string { return p.service("billing").DeadLetterTopic }, "?force=true", false},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			p := onPulsar(t)
			p.closed()
			p.declare()
			hold := make(chan struct{})
			billing := p.start("billing", func(_ context.Context, m *bq.Message[note]) error {
				if m.Data.ID == 0 {
					return nil
				}
				<-hold
				if m.Data.ID == 1 {
					return errors.New("not yet")
				}
				return bq.Permanent(errors.New("no"))
			}, bq.WithConcurrency(4), bq.WithSendTimeout(time.Second), bq.WithGracePeriod(time.Second))
			p.publish(urnB, 0, 3)
			p.until("the messages to be in hand", func() bool { return billing.runsBegun() == 3 })
			at := x.topic(p)
			p.must(x.method, path(at)+x.suffix, "")
			if !x.ends {
				// Receiving goes on, and what cannot be sent is not acknowledged.
				close(hold)
				p.publish(urnB, 3, 4)
				p.until("the next message", func() bool { return billing.runsBegun() >= 4 })
				billing.stop()
				if got := p.backlog(p.queue.Topic, "billing"); got == 0 {
					t.Error("all was acknowledged, although something could not be published")
				}
				return
			}
			// Run waits for what is in hand, for as long as the grace period.
			p.until("Run to stop", func() bool { return billing.consumer.Status().State != bq.StateRunning })
			close(hold)
			select {
			case <-billing.ended:
			case <-time.After(patience):
				t.Fatal("Run goes on without " + at)
			}
			if billing.err == nil || !strings.Contains(billing.err.Error(), at) {
				t.Errorf("the error of Run lacks %s: %v", at, billing.err)
			}
		})
	}
}

// closed moves the queue to a namespace of its own in which topics are not created by themselves, and creates its
// topics.
func (p *place) closed() {
	p.t.Helper()
	namespace := "public/n" + strings.ReplaceAll(uuid.NewString(), "-", "")
	p.must(http.MethodPut, "namespaces/"+namespace, "{}")
	p.must(http.MethodPost, "namespaces/"+namespace+"/autoTopicCreation", `{"allowAutoTopicCreation":false}`)
	p.queue = newQueue("persistent://" + namespace + "/orders")
	p.must(http.MethodPut, path(p.queue.Topic), "")
	for _, s := range p.queue.Services {
		p.must(http.MethodPut, path(s.RetryTopic), "")
		p.must(http.MethodPut, path(s.DeadLetterTopic), "")
	}
}
