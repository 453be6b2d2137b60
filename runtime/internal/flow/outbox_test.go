package flow

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A forgetful producer is as the client's is when the broker refuses a message: neither that message nor any other that
// is on its way is ever answered, though the others are stored.
type forgetful struct {
	pulsar.Producer
	topic *forgetfulTopic
	mu    sync.Mutex
	dead  bool
}

type forgetfulTopic struct {
	mu           sync.Mutex
	stored       map[string]int
	made, closed int
	open         sync.WaitGroup // of producers, which are closed in the background
}

func (p *forgetful) Send(ctx context.Context, m *pulsar.ProducerMessage) (pulsar.MessageID, error) {
	refused := m.Key == "refused"
	p.mu.Lock()
	p.dead = p.dead || refused
	dead := p.dead
	p.mu.Unlock()
	p.topic.mu.Lock()
	if !refused {
		p.topic.stored[m.Key]++
	}
	p.topic.mu.Unlock()
	if dead {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return pulsar.NewMessageID(1, 1, 0, 0), nil
}

func (p *forgetful) Close() {
	p.topic.mu.Lock()
	defer p.topic.mu.Unlock()
	p.topic.closed++
	p.topic.open.Done()
}

func protectNothing(fn func() error) error { return fn() }

func newForgetful() (*forgetfulTopic, func(string) (pulsar.Producer, error)) {
	topic := &forgetfulTopic{stored: map[string]int{}}
	return topic, func(string) (pulsar.Producer, error) {
		topic.mu.Lock()
		defer topic.mu.Unlock()
		topic.made++
		topic.open.Add(1)
		return &forgetful{topic: topic}, nil
	}
}

func TestARefusedMessageSpoilsNobodyElses(t *testing.T) { // F1
	topic, create := newForgetful()
	const timeout = 100 * time.Millisecond
	o := NewOutboxes(create, timeout, protectNothing)
	sender := o.For("orders")
	var all sync.WaitGroup
	var mu sync.Mutex
	failed := map[string]int{}
	send := func(key string) {
		all.Add(1)
		sender.Send("", func(publish Publish) error { return publish(&pulsar.ProducerMessage{Key: key}) }, func(err error) {
			defer all.Done()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed[key]++
			}
		})
	}
	send("refused")
	for _, key := range []string{"a", "b", "c", "d"} {
		send(key)
	}
	all.Wait()
	send("e") // and the topic is of use again
	all.Wait()
	o.Close()
	if !bounded(time.Minute, topic.open.Wait) {
		t.Fatal("F1: a producer is not closed")
	}
	if len(failed) != 1 || failed["refused"] != 1 {
		t.Errorf("F1: failed are %v, want the refused one alone", failed)
	}
	for key, n := range topic.stored {
		if n != 1 {
			t.Errorf("F1: message %s is stored %d times", key, n)
		}
	}
	if len(topic.stored) != 5 || topic.made != topic.closed || topic.made > sendersPerTopic+1 {
		t.Errorf("F1: %d stored, %d producers made and %d closed", len(topic.stored), topic.made, topic.closed)
	}
}

func TestAGivenProducerSendsOneAtATime(t *testing.T) { // F1
	topic, create := newForgetful()
	p, _ := create("orders")
	sender := NewOutbox(p, time.Minute, protectNothing)
	var all sync.WaitGroup
	inside, most := 0, 0
	var mu sync.Mutex
	for range 20 {
		all.Add(1)
		sender.Send("", func(publish Publish) error {
			mu.Lock()
			inside++
			most = max(most, inside)
			mu.Unlock()
			err := publish(&pulsar.ProducerMessage{Key: "a"})
			mu.Lock()
			inside--
			mu.Unlock()
			return err
		}, func(error) { all.Done() })
	}
	all.Wait()
	sender.Close()
	if most != 1 || topic.closed != 0 {
		t.Errorf("%d sends at a time, want 1; the producer is closed: %v", most, topic.closed > 0)
	}
}

func TestWhatIsToBeSentAfterCloseFails(t *testing.T) {
	_, create := newForgetful()
	o := NewOutboxes(create, time.Minute, protectNothing)
	o.Close()
	done := make(chan error, 1)
	o.For("orders").Send("", func(Publish) error { return nil }, func(err error) { done <- err })
	if err := <-done; !errors.Is(err, errClosing) {
		t.Errorf("got %v, want %v", err, errClosing)
	}
}
