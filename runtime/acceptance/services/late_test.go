package services

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// FS9: a service that starts after the publisher gets everything if Declare was called first, and otherwise what the
// broker still has: the same position in Declare and in Run.
func TestAServiceThatStartsLate(t *testing.T) {
	t.Run("with Declare", func(t *testing.T) {
		onBoth(t, func(t *testing.T, p *place) {
			p.declare()
			p.publish(urnA, 0, 60)
			billing := p.start("billing", fine)
			p.expect("billing", count{Runs: 60, Acknowledged: 60}, billing)
			p.publish(urnA, 60, 100)
			audit := p.start("audit", fine)
			p.expect("FAN-9: audit", count{Runs: 100, Acknowledged: 100}, audit)
		})
	})
	t.Run("without", func(t *testing.T) {
		onBoth(t, func(t *testing.T, p *place) {
			// The queue's topic exists, and billing has handled everything, before audit is known.
			billing := p.start("billing", fine)
			p.publish(urnA, 0, 60)
			p.expect("billing", count{Runs: 60, Acknowledged: 60}, billing)
			p.drained("billing")
			audit := p.start("audit", fine) // the ledger is still open: earliest is the first message
			p.publish(urnA, 60, 100)
			p.expect("FAN-9: audit", count{Runs: 100, Acknowledged: 100}, audit)
			p.declare() // shipping, by Declare, starts at the same position
			shipping := p.start("shipping", fine)
			p.expect("FAN-9: shipping", count{Runs: 100, Acknowledged: 100}, shipping)
		})
	})
	t.Run("where nothing is created", func(t *testing.T) {
		p := inMemory(t)
		p.memory.SetNamespace("public/default", bqtest.Namespace{NoSubscriptions: true})
		if err := p.memory.CreateTopic(p.queue.Topic); err != nil {
			t.Fatal(err)
		}
		r := p.launch("billing", fine)
		<-r.ended
		for _, part := range []string{"billing", p.queue.Topic, "bqgen provision"} {
			if r.err == nil || !strings.Contains(r.err.Error(), part) {
				t.Errorf("FAN-9: the error lacks %s: %v", part, r.err)
			}
		}
		err := bq.Declare(t.Context(), p.client, []bq.Queue{p.queue})
		for _, s := range p.queue.Services {
			for _, part := range []string{s.RetryTopic, s.DeadLetterTopic, "subscribe " + s.Name + " to " + p.queue.Topic} {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("FAN-9: the error of Declare lacks %s: %v", part, err)
				}
			}
		}
	})
}

// FS10: Declare has no effect on what exists, whoever uses it, and many may call it at once.
func TestDeclareMovesNothing(t *testing.T) {
	for name, kind := range map[string]pulsar.SubscriptionType{
		"shared": pulsar.Shared, "key_shared": pulsar.KeyShared, "failover": pulsar.Failover, "exclusive": pulsar.Exclusive,
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, p *place) {
				var all sync.WaitGroup
				for range 10 {
					all.Go(func() {
						if err := bq.Declare(context.Background(), p.client, []bq.Queue{p.queue}); err != nil {
							t.Errorf("FAN-9: %v", err)
						}
					})
				}
				billing := p.start("billing", fine, bq.WithSubscriptionType(kind))
				all.Wait()
				p.publish(urnA, 0, 10)
				p.expect("billing", count{Runs: 10, Acknowledged: 10}, billing)
				p.drained("billing")
				p.declare()
				p.publish(urnA, 10, 20)
				p.expect("FAN-9: billing, declared again", count{Runs: 20, Acknowledged: 20}, billing)
				if got := p.backlog(p.queue.Topic, "audit"); got != 20 {
					t.Errorf("FAN-9: audit has %d messages waiting, want 20", got)
				}
				for _, s := range p.queue.Services {
					for _, at := range []string{p.queue.Topic, s.RetryTopic, s.DeadLetterTopic} {
						if p.backlog(at, s.Name) < 0 {
							t.Errorf("FAN-9: %s has no subscription %s", at, s.Name)
						}
					}
				}
			})
		})
	}
	t.Run("partitions", func(t *testing.T) {
		onBoth(t, func(t *testing.T, p *place) {
			p.partitioned(p.queue.Topic, 3)
			p.declare()
			for _, at := range []string{"-partition-0", "-partition-1", "-partition-2"} {
				if p.backlog(p.queue.Topic+at, "audit") != 0 {
					t.Errorf("FAN-9: %s has no subscription audit", at)
				}
			}
		})
	})
	t.Run("without services", func(t *testing.T) {
		p := inMemory(t)
		q := bq.Queue{Name: "jobs", Topic: "jobs", DeadLetterTopic: "jobs.dlq"}
		if err := bq.Declare(t.Context(), p.client, []bq.Queue{q}); err != nil {
			t.Fatal(err)
		}
		if p.backlog("jobs", "babelqueue") != 0 || p.backlog("jobs.dlq", "babelqueue") != 0 {
			t.Error("FAN-9: the subscription babelqueue is missing")
		}
	})
	t.Run("at once in one process, and not kept at first", func(t *testing.T) {
		p := inMemory(t)
		client := &forgetfulClient{Client: p.client, forgets: 20}
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if err := bq.Declare(context.Background(), client, []bq.Queue{{Name: "jobs", Topic: "jobs"}}); err != nil {
					t.Errorf("FAN-9: %v", err)
				}
			})
		}
		all.Wait()
		if !slices.Contains(p.memory.Subscriptions("jobs"), "babelqueue") {
			t.Error("FAN-9: the subscription babelqueue is missing")
		}
		if client.most != 1 {
			t.Errorf("the broker was asked by %d at a time", client.most)
		}
	})
	t.Run("ends with its context", func(t *testing.T) {
		p := inMemory(t)
		hold := p.memory.Fail(bqtest.OnSubscribe().Hang())
		defer hold.Release()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := bq.Declare(ctx, p.client, []bq.Queue{p.queue}); !errors.Is(err, context.Canceled) {
			t.Errorf("FAN-9: got %v", err)
		}
	})
	t.Run("refused by half", func(t *testing.T) {
		p := inMemory(t)
		retry := p.service("billing").RetryTopic
		p.memory.Fail(bqtest.OnSubscribe(retry).Err(errors.New("AuthorizationError")))
		err := bq.Declare(t.Context(), p.client, []bq.Queue{p.queue})
		if err == nil || !strings.Contains(err.Error(), retry) || strings.Contains(err.Error(), "shipping") {
			t.Errorf("FAN-9: got %v", err)
		}
		if p.backlog(p.queue.Topic, "billing") != 0 {
			t.Error("FAN-9: the subscription on the queue's topic is missing")
		}
	})
}

// With WithTopics, Declare, publishers and consumers use the same topics in every namespace: nothing else is created.
func TestDeclareAgreesWithPublishersAndConsumers(t *testing.T) {
	p := inMemory(t)
	p.queue = newQueue("orders")
	var declared []string
	for _, namespace := range []string{"acme/dev", "acme/prod"} {
		p.memory.SetNamespace(namespace, bqtest.Namespace{})
		topics := bq.WithTopics(bq.InNamespace(namespace))
		if err := bq.Declare(t.Context(), p.client, []bq.Queue{p.queue}, topics); err != nil {
			t.Fatal(err)
		}
		prefix := "persistent://" + namespace + "/"
		declared = append(declared, prefix+"orders")
		for _, s := range p.queue.Services {
			declared = append(declared, prefix+s.RetryTopic, prefix+s.DeadLetterTopic)
		}
	}
	slices.Sort(declared)
	if got := p.memory.Topics(); !slices.Equal(got, declared) {
		t.Errorf("FAN-9: Declare has created %v, want %v", got, declared)
	}
	for _, namespace := range []string{"acme/dev", "acme/prod"} {
		topics := bq.WithTopics(bq.InNamespace(namespace))
		p.publish(urnA, 0, 10, topics)
		billing := p.start("billing", func(context.Context, *bq.Message[note]) error { return errors.New("no") }, topics)
		shipping, audit := p.start("shipping", fine, topics), p.start("audit", fine, topics)
		p.expect("billing in "+namespace, count{Runs: 30, Retried: 20, DeadLettered: 10}, billing)
		p.expect("shipping and audit in "+namespace, count{Runs: 20, Acknowledged: 20}, shipping, audit)
		prefix := "persistent://" + namespace + "/"
		if got := p.backlog(prefix+"orders.billing.dlq", "billing"); got != 10 {
			t.Errorf("FAN-3: %d dead letters of billing in %s, want 10", got, namespace)
		}
		got := p.memory.Subscriptions(prefix + "orders")
		if want := []string{"audit", "billing", "shipping"}; !slices.Equal(got, want) {
			t.Errorf("FAN-1: the subscriptions in %s are %v, want %v", namespace, got, want)
		}
	}
	if got := p.memory.Topics(); !slices.Equal(got, declared) {
		t.Errorf("FAN-9: there are the topics %v, declared were %v", got, declared)
	}
	wrong := bq.WithTopics(func(string) string { return "not a topic/" })
	if err := bq.Declare(t.Context(), p.client, []bq.Queue{p.queue}, wrong); err == nil ||
		!strings.Contains(err.Error(), "queue orders") {
		t.Errorf("a mapping to no topic: %v", err)
	}
	err := bq.Declare(t.Context(), p.client, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "option 1 is nil") {
		t.Errorf("no option: %v", err)
	}
}

// FS7, FS10: WithTopics can make two queues of a correct catalog meet. Then Declare creates nothing.
func TestDeclareRefusesQueuesThatMeet(t *testing.T) {
	p := inMemory(t)
	orders := newQueue("orders")
	for _, x := range []struct {
		name  string
		other bq.Queue
		opts  []bq.DeclareOption
		want  []string // none: it is fine
	}{
		{"two queues on one topic", bq.Queue{Name: "mail", Topic: "mail"},
			[]bq.DeclareOption{bq.WithTopics(func(string) string { return "all" })},
			[]string{`"all"`, "queue orders", "queue mail"}},
		{"by their namespace", bq.Queue{Name: "mail", Topic: "persistent://a/b/orders"},
			[]bq.DeclareOption{bq.WithTopics(bq.InNamespace("a/b"))}, []string{"queue orders", "queue mail"}},
		{"on a retry topic", bq.Queue{Name: "mail", Topic: "orders.billing.retry"}, nil,
			[]string{"the retries of service billing of queue orders", "that of queue mail"}},
		{"dead letters on a service's",
			bq.Queue{Name: "orders.billing", Topic: "b", DeadLetterTopic: "orders.billing.dlq"}, nil,
			[]string{"the dead letters of service billing of queue orders", "dead letters of queue orders.billing"}},
		{"the same queue twice", orders, nil, nil},
	} {
		err := bq.Declare(t.Context(), p.client, []bq.Queue{orders, x.other}, x.opts...)
		if x.want == nil {
			if err != nil {
				t.Errorf("%s: %v", x.name, err)
			}
			continue
		}
		for _, part := range x.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error lacks %q: %v", x.name, part, err)
			}
		}
		if got := p.memory.Topics(); len(got) > 0 {
			t.Errorf("%s: Declare has created %v", x.name, got)
		}
	}
}

// Declare makes the subscription of dead letters that consumers are told to make. Work queues may share a topic for
// them.
func TestDeclareNamesTheSubscriptionOfDeadLetters(t *testing.T) {
	for name, want := range map[string]string{"on-call": "[on-call]", "": "[]"} {
		p := inMemory(t)
		queues := []bq.Queue{
			{Name: "jobs", Topic: "jobs", DeadLetterTopic: "letters"}, {Name: "mail", Topic: "mail", DeadLetterTopic: "letters"},
			newQueue("orders"),
		}
		if err := bq.Declare(t.Context(), p.client, queues, bq.WithDeadLetterSubscription(name)); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(p.memory.Subscriptions("letters")); got != want {
			t.Errorf("WithDeadLetterSubscription(%q): the dead letters of work queues have %s, want %s", name, got, want)
		}
		if got := fmt.Sprint(p.memory.Subscriptions("orders.billing.dlq")); got != "[billing]" {
			t.Errorf("WithDeadLetterSubscription(%q): the dead letters of billing have %s (FAN-3)", name, got)
		}
	}
}

// FS11: a service that goes leaves its backlog, and deleting its subscription is all that ends it.
func TestAServiceThatGoes(t *testing.T) {
	p := onPulsar(t)
	p.declare()
	audit, billing := p.start("audit", fine), p.start("billing", fine)
	p.publish(urnA, 0, 20)
	p.expect("audit", count{Runs: 20, Acknowledged: 20}, audit)
	p.expect("billing", count{Runs: 20, Acknowledged: 20}, billing)
	if got := p.backlog(p.queue.Topic, "shipping"); got != 20 {
		t.Errorf("shipping has %d messages waiting, want 20", got)
	}
	// The steps of docs/services.md.
	s := p.service("shipping")
	p.must(http.MethodDelete, path(p.queue.Topic)+"/subscription/shipping", "")
	p.must(http.MethodDelete, path(s.RetryTopic)+"?force=true", "")
	p.must(http.MethodDelete, path(s.DeadLetterTopic)+"?force=true", "")
	p.publish(urnA, 20, 30)
	p.expect("audit", count{Runs: 30, Acknowledged: 30}, audit)
	if got := p.backlog(p.queue.Topic, "shipping"); got != -1 {
		t.Errorf("the subscription of shipping is back, with %d messages", got)
	}
}

// A forgetfulClient stands for a broker that makes a subscription and then loses it, as Pulsar may when it cleans up
// after a reader of the same name.
type forgetfulClient struct {
	pulsar.Client
	mu         sync.Mutex
	forgets    int // so many more subscriptions
	busy, most int
}

func (c *forgetfulClient) enter() (leave func()) {
	c.mu.Lock()
	c.busy++
	c.most = max(c.most, c.busy)
	c.mu.Unlock()
	runtime.Gosched() // let others in, if they may
	return func() { c.mu.Lock(); c.busy--; c.mu.Unlock() }
}

func (c *forgetfulClient) CreateReader(o pulsar.ReaderOptions) (pulsar.Reader, error) {
	defer c.enter()()
	return c.Client.CreateReader(o)
}

func (c *forgetfulClient) Subscribe(o pulsar.ConsumerOptions) (pulsar.Consumer, error) {
	defer c.enter()()
	c.mu.Lock()
	if c.forgets > 0 {
		c.forgets--
		o.SubscriptionName = "forgotten"
	}
	c.mu.Unlock()
	return c.Client.Subscribe(o)
}
