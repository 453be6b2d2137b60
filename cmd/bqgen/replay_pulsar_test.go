package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// TestReplayOnceEach is O32 and O33: copies and what waits are left out, and a second replay does not replay the first.
func TestReplayOnceEach(t *testing.T) {
	c := realPulsar(t)
	c.bqgen(exitOK, "provision", "--yes")
	message := func(id string, attempts int, version string) *pulsar.ProducerMessage {
		body := fmt.Sprintf(`{"job":%q,"trace_id":"t","data":{"id":1},"meta":{"id":%q,"schema_version":1},"attempts":%d}`,
			cancelledURN, id, attempts)
		return &pulsar.ProducerMessage{Payload: []byte(body), Key: "k", Properties: map[string]string{
			envelope.PropertyMessageID: id, envelope.PropertyAttempts: fmt.Sprint(attempts),
			envelope.PropertySchemaVersion: version, "x": "y"}}
	}
	c.publish(c.topic("orders"),
		message("1", 0, "1"), message("2", 0, "1"), message("2", 1, "1"), message("2", 2, "1"), message("3", 0, "1"),
		message("3", 0, "1"), message("gated", 0, "2"), message("6", 1, "1"), message("waits", 0, "1"))
	consumer, err := c.client.Subscribe(pulsar.ConsumerOptions{
		Topic: c.topic("orders"), SubscriptionName: "babelqueue", Type: pulsar.Shared, AckWithResponse: true})
	if err != nil {
		t.Fatal(err)
	}
	for range 9 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		m, err := consumer.Receive(ctx)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if m.Properties()[envelope.PropertyMessageID] != "waits" {
			if err := consumer.Ack(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	consumer.Close()
	for range 2 {
		out, _ := c.bqgen(exitOK, "replay", "orders", "--since", "1h", "--dry-run", "--format", "json")
		var s replayJSON
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatal(err)
		}
		if s.Replayed != 4 || s.Waiting != 1 || s.Foreign != 1 || s.Copies != 3 {
			t.Errorf("dry run: %+v", s)
		}
	}
	_, stderr := c.bqgen(exitFailed, "replay", "orders", "--since", "1h")
	if !strings.Contains(stderr, "nobody can be asked here: give --yes") {
		t.Errorf("without --yes: %s", stderr)
	}
	c.bqgen(exitOK, "replay", "orders", "--since", "1h", "--yes", "--bypass")
	_, messages := c.ledger(c.topic("orders"))
	if len(messages) != 13 {
		t.Fatalf("%d messages, want 13", len(messages))
	}
	var ids []string
	for _, m := range messages[9:] {
		p := m.Properties()
		ids = append(ids, p[envelope.PropertyMessageID])
		if p[envelope.PropertyAttempts] != "0" || p["bq-replay-bypass"] != "1" || p["x"] != "y" || m.Key() != "k" ||
			!strings.Contains(string(m.Payload()), `"attempts":0`) {
			t.Errorf("replayed %s %v", m.Payload(), p)
		}
	}
	if fmt.Sprint(ids) != "[1 2 3 6]" {
		t.Errorf("replayed %v", ids)
	}
	c.bqgen(exitFailed, "replay", "orders")
	c.bqgen(exitFailed, "replay", "orders", "--since", "1h", "--until", "2h")
}

// TestReplayOfWhatIsNotThereAnyMore is O34: replay says from when on there is something before it sends, and sends
// that only if it is asked to.
func TestReplayOfWhatIsNotThereAnyMore(t *testing.T) {
	c := realPulsar(t)
	c.bqgen(exitOK, "provision", "--yes")
	out, _ := c.bqgen(exitOK, "replay", "orders", "--since", "1h", "--format", "json") // younger than the span
	if !strings.Contains(out, `"may_be_gone":[]`) {
		t.Errorf("a new topic: %s", out)
	}
	since := time.Now().UTC().Format(time.RFC3339Nano)
	message := func(id string) *pulsar.ProducerMessage {
		body := `{"job":"` + cancelledURN + `","trace_id":"t","data":{"id":1},"meta":{"id":"` + id +
			`","schema_version":1},"attempts":0}`
		return &pulsar.ProducerMessage{
			Payload: []byte(body), Properties: map[string]string{envelope.PropertyMessageID: id}}
	}
	c.publish(c.topic("orders"), message("1"), message("2"))
	replayed := func(code int, args ...string) (s replayJSON, stderr string) {
		t.Helper()
		out, stderr := c.bqgen(code, append([]string{"replay", "orders", "--format", "json"}, args...)...)
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return s, stderr
	}
	// Acknowledged messages are deleted with their ledger, which ends when the topic is loaded again.
	name := c.name("orders")
	if err := c.operator().Subscriptions().ClearBacklog(name, "babelqueue"); err != nil {
		t.Fatal(err)
	}
	if err := c.operator().Topics().Unload(name); err != nil {
		t.Fatal(err)
	}
	c.publish(c.topic("orders"), message("3"))
	if err := c.eventually(func() bool { counts, _ := c.ledger(c.topic("orders")); return counts["1"] == 0 }); err != nil {
		t.Fatal(err)
	}
	if err := c.operator().Subscriptions().ClearBacklog(name, "babelqueue"); err != nil {
		t.Fatal(err)
	}
	s, stderr := replayed(exitFindings, "--since", since, "--yes")
	if len(s.Gaps) != 1 || s.Gaps[0].To == nil || s.Replayed != 1 || !s.DryRun ||
		!strings.Contains(stderr, "has messages from ") || !strings.Contains(stderr, "--partial") {
		t.Errorf("the start is gone: %+v, %s", s, stderr)
	}
	if counts, _ := c.ledger(c.topic("orders")); counts["3"] != 1 {
		t.Errorf("sent although some is gone: %v", counts)
	}
	now := time.Now().UTC().Format(time.RFC3339Nano)
	if s, stderr = replayed(exitOK, "--since", now); len(s.Gaps) != 0 {
		t.Errorf("a span with messages before it: %+v, %s", s, stderr)
	}
	s, _ = replayed(exitOK, "--since", since, "--until", "2999-01-01", "--yes", "--partial")
	if counts, _ := c.ledger(c.topic("orders")); counts["3"] != 2 || s.Replayed != 1 || s.DryRun {
		t.Errorf("--partial: %+v, %v", s, counts)
	}
}
