package bqtest_test

import (
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestFailoverHasOneActiveConsumerAndTheNextTakesOver(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	active := &listener{}
	opts := pulsar.ConsumerOptions{Type: pulsar.Failover, EventListener: active}
	consumers := map[string]pulsar.Consumer{}
	for _, name := range []string{"one", "two", "three", "four"} {
		opts.Name = name
		consumers[name] = subscribe(t, client, opts)
	}
	p := produce(t, client, pulsar.ProducerOptions{})
	sendTexts(t, p, "a", "b", "c", "d")
	want := []string{"a", "b", "c", "d"}
	for len(consumers) > 0 {
		name := active.now()
		for other, c := range consumers {
			if got := ready(t, c); other != name && got != nil {
				t.Errorf("%s received %q while %s was active", other, got, name)
			} else if diff := cmp.Diff(want, got); other == name && diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		consumers[name].Close()
		delete(consumers, name)
	}
}

type listener struct{ seen []string }

func (l *listener) BecameActive(c pulsar.Consumer, _ string, p int32) {
	l.seen = append(l.seen, "+"+c.Name())
}

func (l *listener) BecameInactive(c pulsar.Consumer, _ string, p int32) {
	l.seen = append(l.seen, "-"+c.Name())
}

// now is the consumer that became active last. Closing one tells it nothing.
func (l *listener) now() string {
	name := ""
	for _, e := range l.seen {
		if e[0] == '+' {
			name = e[1:]
		}
	}
	return name
}

func TestFailoverSpreadsPartitionsOverConsumers(t *testing.T) {
	broker := bqtest.NewBroker(t)
	if err := broker.CreatePartitioned("orders", 4); err != nil {
		t.Fatal(err)
	}
	client := broker.Client()
	events := &listener{}
	b := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Failover, Name: "b", EventListener: events})
	a := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Failover, Name: "a", EventListener: events})
	low := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Failover, Name: "0", PriorityLevel: 1})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "0", "1", "2", "3")
	got := map[string][]string{"a": ready(t, a), "b": ready(t, b), "low": ready(t, low)}
	want := map[string][]string{"a": {"0", "2"}, "b": {"1", "3"}, "low": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"+b", "+b", "+b", "+b", "-b", "+a", "-a", "-b", "+a", "-a"}, events.seen); diff != "" {
		t.Error(diff)
	}
}

// A slowListener does not return from becoming active before it may.
type slowListener struct {
	begun, goOn chan struct{}
	events      chan string
}

func (l *slowListener) BecameActive(pulsar.Consumer, string, int32) {
	l.begun <- struct{}{}
	<-l.goOn
	l.events <- "active"
}

func (l *slowListener) BecameInactive(pulsar.Consumer, string, int32) { l.events <- "inactive" }

// TestListenersAreToldInTheOrderOfWhatHappened: otherwise the active consumer could take itself for an inactive one.
func TestListenersAreToldInTheOrderOfWhatHappened(t *testing.T) {
	broker := bqtest.NewBroker(t)
	if err := broker.CreatePartitioned("orders", 1); err != nil { // the first by name is active
		t.Fatal(err)
	}
	client := broker.Client()
	l := &slowListener{begun: make(chan struct{}, 2), goOn: make(chan struct{}), events: make(chan string, 10)}
	first := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Failover, Name: "a"})
	subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Failover, Name: "b", EventListener: l})
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		first.Close()
	}()
	<-l.begun
	subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Failover, Name: "a"})
	close(l.goOn)
	<-closed
	got := []string{<-l.events, <-l.events, <-l.events}
	if diff := cmp.Diff([]string{"inactive", "active", "inactive"}, got); diff != "" {
		t.Error(diff)
	}
}
