package services

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// FS7, FS8: what cannot work is refused at construction, and names what is wrong.
func TestServicesAreCheckedAtConstruction(t *testing.T) {
	p := inMemory(t)
	own, err := p.client.Subscribe(pulsar.ConsumerOptions{Topic: p.queue.Topic, SubscriptionName: "own"})
	if err != nil {
		t.Fatal(err)
	}
	plain := p.queue
	plain.Services = nil
	route := func(urns ...string) bq.RouteSet {
		var routes []bq.Route
		for _, urn := range urns {
			routes = append(routes, bq.Handle(definition(urn, p.queue), fine))
		}
		return bq.Routes(routes...)
	}
	named := func(name string) bq.Queue {
		q := p.queue
		q.Services = []bq.QueueService{{Name: name, RetryTopic: "x.retry", URNs: []string{urnB}}}
		return q
	}
	same := p.queue
	same.Services = append([]bq.QueueService{}, p.queue.Services...)
	same.Services[1].RetryTopic = same.Services[0].DeadLetterTopic
	billing := bq.WithService("billing")
	both := route(urnB, urnA)
	for _, x := range []struct {
		name   string
		queue  bq.Queue
		routes bq.RouteSet
		opts   []bq.ConsumerOption
		want   []string
	}{
		{"misspelt", p.queue, both, []bq.ConsumerOption{bq.WithService("biling")},
			[]string{`no service "biling"`, "billing, shipping, audit"}},
		{"none given", p.queue, both, nil, []string{"WithService", "billing, shipping, audit"}},
		{"no services", plain, both, []bq.ConsumerOption{billing}, []string{`no service "billing"`, "it has none"}},
		{"two services", p.queue, both, []bq.ConsumerOption{billing, bq.WithService("audit")}, []string{"twice", "audit"}},
		{"WithSubscription", p.queue, both, []bq.ConsumerOption{billing, bq.WithSubscription("x")},
			[]string{"WithSubscription and WithService"}},
		{"WithPulsarConsumer", p.queue, both, []bq.ConsumerOption{billing, bq.WithPulsarConsumer(own)},
			[]string{"WithPulsarConsumer and WithService"}},
		{"a handler too many", p.queue, route(urnB, urnA, urnS), []bq.ConsumerOption{billing},
			[]string{"billing does not receive " + urnS}},
		{"a handler missing", p.queue, route(urnB), []bq.ConsumerOption{billing}, []string{"billing receives " + urnA}},
		{"HandleForeignRetries", plain, both, []bq.ConsumerOption{bq.HandleForeignRetries()},
			[]string{"HandleForeignRetries needs WithService"}},
		{"SkipUnknownURNs", plain, both, []bq.ConsumerOption{bq.SkipUnknownURNs()},
			[]string{"SkipUnknownURNs needs WithService"}},
		{"retry", named("retry"), route(urnB), []bq.ConsumerOption{bq.WithService("retry")}, []string{`service "retry"`}},
		{"dlq", named("dlq"), route(urnB), []bq.ConsumerOption{bq.WithService("dlq")}, []string{`service "dlq"`}},
		{"babelqueue", named("babelqueue"), route(urnB), []bq.ConsumerOption{bq.WithService("babelqueue")},
			[]string{`service "babelqueue"`}},
		{"upper case", named("Billing"), route(urnB), []bq.ConsumerOption{bq.WithService("Billing")},
			[]string{`service "Billing"`}},
		{"topics that meet", same, both, []bq.ConsumerOption{billing},
			[]string{"that of the dead letters of service billing", "that of the retries of service shipping"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := bq.NewConsumer(p.client, x.queue, x.routes, append(x.opts, bq.WithLogger(quiet))...)
			if err == nil {
				t.Fatal("FAN-8: it was accepted")
			}
			for _, part := range x.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("FAN-8: the error lacks %q: %v", part, err)
				}
			}
		})
	}
	if got := p.memory.Topics(); len(got) != 1 {
		t.Errorf("construction made topics: %v", got)
	}
}

// A default route takes the place of the handlers of some URNs.
func TestAServiceMayHandleUnknownURNsByItself(t *testing.T) {
	p := inMemory(t)
	p.declare()
	took := make(chan string, 10)
	c, err := bq.NewConsumer(p.client, p.queue, bq.Routes(bq.Handle(definition(urnB, p.queue), fine)),
		bq.WithService("billing"), bq.WithLogger(quiet),
		bq.WithUnknownURN(func(_ context.Context, d *bq.Delivery) error { took <- d.URN; return nil }))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	p.publish(urnS, 0, 1)
	p.publish(urnA, 1, 2)
	p.send(p.queue.Topic, &pulsar.ProducerMessage{Payload: []byte(body(urnN, 3, "0")), Properties: properties(urnN, nil)})
	for _, want := range []string{urnA, urnN} {
		if got := <-took; got != want {
			t.Errorf("the function for unknown URNs got %s, want %s", got, want)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// F24: the six set-ups of two services on a queue without services in its catalog, and what each of them does with four
// messages of each URN. Those that lose messages or run them for each other are warned about; the others work.
func TestTheSetUpsBehindF24(t *testing.T) {
	onA, onB, all := []string{urnA, urnB}, []string{urnA, urnS}, []string{urnA, urnB, urnS}
	refused := func(context.Context, *bq.Message[note]) error { return errors.New("no") }
	ignore := bq.WithUnknownURN(func(context.Context, *bq.Delivery) error { return nil })
	nack := []bq.ConsumerOption{ignore, bq.WithRetryByNack()}
	const (
		shares = "has no handler for some of them"
		repeat = "every other subscription receives them"
	)
	for _, x := range []struct {
		name         string
		first, other []string // URNs
		handle       handler
		subscription bool // of its own, for each
		opts         []bq.ConsumerOption
		warnings     []string
		want         count // of each
	}{
		// The first one has all messages before the other one starts: four that were for that one are dead letters.
		{"a subset of routes with defaults", onA, onB, fine, false, nil, []string{shares},
			count{Runs: 8, Acknowledged: 8, Retried: 8, DeadLettered: 4}},
		// Each one's retries of what it does not know run again in the other one, which had handled it: 4 and 12 runs.
		{"own subscriptions", onA, onB, fine, true, nil, []string{shares, repeat},
			count{Runs: 16, Acknowledged: 16, Retried: 8, DeadLettered: 4}},
		{"unknown URNs ignored", onA, onB, fine, true, []bq.ConsumerOption{ignore}, []string{repeat},
			count{Runs: 8, Acknowledged: 12}},
		// A message that both handle is retried by both, for both: 1, 2 and 4 deliveries to each.
		{"the same with retries", onA, onB, refused, true, []bq.ConsumerOption{ignore}, []string{repeat},
			count{Runs: 4*7 + 4*3, Acknowledged: 4 * 3, Retried: 4*3 + 4*2, DeadLettered: 4*4 + 4}},
		{"retries by nack", onA, onB, refused, true, nack, nil,
			count{Runs: 24, Acknowledged: 4, Retried: 16, DeadLettered: 8}},
		{"both handle all", all, all, refused, true, nil, []string{repeat},
			count{Runs: 12 * 7, Retried: 12 * 3, DeadLettered: 12 * 4}},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			broker := bqtest.NewBroker(t)
			p := &place{t: t, client: broker.Client(), memory: broker}
			p.queue = bq.Queue{
				Name: "orders", Topic: "orders", DeadLetterTopic: "orders.dlq", MaxAttempts: 3, URNs: all,
			}
			publish := func() {
				for i, urn := range all {
					p.publish(urn, int64(4*i), int64(4*i+4))
				}
			}
			start := func(i int, urns []string) *replica {
				var log syncBuffer
				opts := append([]bq.ConsumerOption{bq.WithLogger(slog.New(slog.NewTextHandler(&log, nil)))}, x.opts...)
				if x.subscription {
					opts = append(opts, bq.WithSubscription(fmt.Sprint("service-", i)))
				}
				r := p.startConsumer(fmt.Sprint("service ", i), urns, x.handle, opts...)
				for _, warning := range x.warnings {
					if !strings.Contains(log.String(), warning) {
						t.Errorf("the log lacks %q: %s", warning, log.String())
					}
				}
				if len(x.warnings) == 0 && strings.Contains(log.String(), "level=WARN") {
					t.Errorf("a warning: %s", log.String())
				}
				return r
			}
			first := start(0, x.first)
			if !x.subscription {
				publish()
				p.expect("the first one", x.want, first)
				p.expect("the other one", count{}, start(1, x.other))
				return
			}
			other := start(1, x.other)
			publish()
			p.expect("the first one", x.want, first)
			p.expect("the other one", x.want, other)
			for i := range 2 {
				p.until("the subscription to be empty", func() bool { return p.backlog("orders", fmt.Sprint("service-", i)) == 0 })
			}
		})
	}
}
