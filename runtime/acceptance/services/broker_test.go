package services

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/topic"
)

// stats are what the admin API says about a topic.
type stats struct {
	MsgInCounter  int64
	Subscriptions map[string]struct {
		MsgBacklog int64
		Type       string
		Consumers  []any
	}
}

// call calls the admin API of the real Pulsar and returns the answer.
func (p *place) call(method, path, content string) ([]byte, int) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, p.admin+"/admin/v2/"+path, strings.NewReader(content))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return text, response.StatusCode
}

// must is call that has to succeed.
func (p *place) must(method, path, content string) []byte {
	p.t.Helper()
	text, status := p.call(method, path, content)
	if status >= 300 {
		p.t.Fatalf("%s %s: %d %s", method, path, status, text)
	}
	return text
}

// path returns the part of an admin address that names a topic.
func path(name string) string { return strings.Replace(topic.Full(name), "://", "/", 1) }

func (p *place) stats(name string) (s stats) {
	p.t.Helper()
	text, status := p.call(http.MethodGet, path(name)+"/stats", "")
	if status == http.StatusNotFound {
		return stats{}
	}
	if status >= 300 {
		p.t.Fatalf("stats of %s: %d %s", name, status, text)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		p.t.Fatal(err)
	}
	return s
}

// published returns how many messages were published to a topic.
func (p *place) published(name string) int64 {
	p.t.Helper()
	if p.memory != nil {
		return int64(len(p.memory.Messages(name)))
	}
	return p.stats(name).MsgInCounter
}

// backlog returns how many messages a subscription has not acknowledged; -1 if it does not exist.
func (p *place) backlog(name, subscription string) int64 {
	p.t.Helper()
	if p.memory != nil {
		for _, s := range p.memory.Subscriptions(name) {
			if s == subscription {
				return int64(p.memory.Backlog(name, subscription))
			}
		}
		return -1
	}
	s, there := p.stats(name).Subscriptions[subscription]
	if !there {
		return -1
	}
	return s.MsgBacklog
}

// drained waits until the services have nothing to do: no messages and no retries. Dead letters stay.
func (p *place) drained(services ...string) {
	p.t.Helper()
	if len(services) == 0 {
		services = order
	}
	for _, name := range services {
		for _, at := range []string{p.queue.Topic, p.service(name).RetryTopic} {
			p.until(fmt.Sprintf("%s on %s to be empty", name, at), func() bool { return p.backlog(at, name) == 0 })
		}
	}
}

// letters returns the dead letters of a service, of which there are n, and leaves them there.
func (p *place) letters(name string, n int) []pulsar.Message {
	p.t.Helper()
	at := p.service(name).DeadLetterTopic
	if got := p.backlog(at, name); got != int64(n) {
		p.t.Errorf("%s has %d dead letters, want %d", name, got, n)
	}
	return p.read(at, n)
}

// read returns the first n messages that a topic keeps.
func (p *place) read(at string, n int) (all []pulsar.Message) {
	p.t.Helper()
	if n == 0 {
		return nil
	}
	reader, err := p.client.CreateReader(pulsar.ReaderOptions{Topic: at, StartMessageID: pulsar.EarliestMessageID()})
	if err != nil {
		p.t.Fatal(err)
	}
	defer reader.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for len(all) < n {
		m, err := reader.Next(ctx)
		if err != nil {
			p.t.Fatalf("read %s: %d of %d: %v", at, len(all), n, err)
		}
		all = append(all, m)
	}
	return all
}

// A block is what a dead letter says of itself.
type block struct {
	Reason        string `json:"reason"`
	Attempts      int64  `json:"attempts"`
	OriginalQueue string `json:"original_queue"`
}

func blockOf(t *testing.T, m pulsar.Message) block {
	t.Helper()
	var record struct {
		DeadLetter block `json:"dead_letter"`
	}
	if err := json.Unmarshal(m.Payload(), &record); err != nil {
		t.Fatalf("a dead letter: %v: %s", err, m.Payload())
	}
	return record.DeadLetter
}

// redrive gives n dead letters back to a service: to its retry topic with attempts 0 (FAN-11).
func (p *place) redrive(name string, n int) {
	p.t.Helper()
	p.giveBack(p.service(name).DeadLetterTopic, name, p.service(name).RetryTopic, n)
}

// giveBack sends n dead letters that a subscription keeps to a topic, with attempts 0, as bqgen dlq redrive does.
func (p *place) giveBack(letters, subscription, to string, n int) {
	p.t.Helper()
	consumer, err := p.client.Subscribe(pulsar.ConsumerOptions{
		Topic: letters, SubscriptionName: subscription, Type: pulsar.Shared,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	defer consumer.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for range n {
		m, err := consumer.Receive(ctx)
		if err != nil {
			p.t.Fatal(err)
		}
		var record map[string]json.RawMessage
		if err := json.Unmarshal(m.Payload(), &record); err != nil {
			p.t.Fatal(err)
		}
		delete(record, "dead_letter")
		record["attempts"] = json.RawMessage("0")
		text, err := json.Marshal(record)
		if err != nil {
			p.t.Fatal(err)
		}
		props := m.Properties()
		props["bq-attempts"] = "0"
		p.send(to, &pulsar.ProducerMessage{Payload: text, Properties: props, Key: m.Key()})
		if err := consumer.Ack(m); err != nil {
			p.t.Fatal(err)
		}
	}
}

// unload has a topic move to another broker.
func (p *place) unload(name string) {
	p.t.Helper()
	if p.memory != nil {
		p.memory.Unload(name)
		return
	}
	p.must(http.MethodPut, path(name)+"/unload", "")
}

// partitioned creates a topic with n partitions, or adds partitions to it.
func (p *place) partitioned(name string, n int) {
	p.t.Helper()
	if p.memory != nil {
		if err := p.memory.CreatePartitioned(name, n); err != nil {
			p.t.Fatal(err)
		}
		return
	}
	p.must(http.MethodPut, path(name)+"/partitions", fmt.Sprint(n))
}
