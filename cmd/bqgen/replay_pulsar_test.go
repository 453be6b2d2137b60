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
