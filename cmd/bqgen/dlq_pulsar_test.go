package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// A letterOf describes a dead letter of a test.
type deadLetter struct {
	id     string
	urn    string
	reason envelope.Reason
	text   string
}

const (
	createdURN   = "urn:babel:orders:created"
	cancelledURN = "urn:babel:orders:cancelled"
)

// record returns a dead letter as the runtime writes it.
func (d deadLetter) record() *pulsar.ProducerMessage {
	header := envelope.Header{URN: d.urn, TraceID: "t-" + d.id, ID: d.id, Queue: "orders", CreatedAt: time.Now()}
	data := `{"id":9007199254740993}`
	if d.urn == createdURN {
		data = `{"id":9007199254740993,"customer":"c-1","note":"\/"}`
	}
	body, err := envelope.Append(nil, header, func(dst []byte) ([]byte, error) { return append(dst, data...), nil })
	if err != nil {
		panic(err)
	}
	block := envelope.DeadLetter{
		Reason: d.reason, Error: d.text, Exception: "*errors.errorString", FailedAt: time.Now(), OriginalQueue: "orders",
		Attempts: 3,
	}
	properties := header.Properties()
	properties["traceparent"] = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	switch d.reason {
	case "gated":
		properties[envelope.PropertySchemaVersion] = "2"
		return &pulsar.ProducerMessage{Payload: []byte("version 2 of " + d.id), Properties: properties}
	case envelope.Poison:
		body = envelope.PoisonRecord([]byte("poison "+d.id), block)
	default:
		e, err := envelope.Parse(body)
		if err != nil {
			panic(err)
		}
		body = e.DeadLettered(block)
	}
	properties[envelope.PropertyAttempts] = "3"
	return &pulsar.ProducerMessage{Payload: body, Properties: properties, Key: "k-" + d.id, OrderingKey: "o-" + d.id}
}

// ledger counts how often each id is on a topic.
func (c *cluster) ledger(topic string) (counts map[string]int, messages []pulsar.Message) {
	c.t.Helper()
	counts = map[string]int{}
	reader, err := c.client.CreateReader(pulsar.ReaderOptions{Topic: topic, StartMessageID: pulsar.EarliestMessageID()})
	if err != nil {
		c.t.Fatal(err)
	}
	defer reader.Close()
	for reader.HasNext() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		m, err := reader.Next(ctx)
		cancel()
		if err != nil {
			c.t.Fatal(err)
		}
		counts[m.Properties()[envelope.PropertyMessageID]]++
		messages = append(messages, m)
	}
	return counts, messages
}

// waiting returns what waits on the dead letters, as dlq list counts it.
func (c *cluster) waiting(args ...string) (counts map[string]any) {
	c.t.Helper()
	out, _ := c.bqgen(exitOK, append([]string{"dlq", "list", "orders", "--format", "json"}, args...)...)
	all := jsonLines(c.t, out)
	counts = all[len(all)-1]["counts"].(map[string]any)
	if int(counts["total"].(float64)) != len(all)-1 {
		c.t.Errorf("%d lines, total %v", len(all)-1, counts["total"])
	}
	return counts
}

func (c *cluster) summary(out string) (s workJSON) {
	c.t.Helper()
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		c.t.Fatalf("%v: %s", err, out)
	}
	return s
}

// TestRedriveKeepsEveryOtherByte is O13, O16, O24, O25 and O9: filters choose, the rest is untouched.
func TestRedriveKeepsEveryOtherByte(t *testing.T) {
	c := realPulsar(t)
	c.bqgen(exitOK, "provision", "--yes")
	var all []*pulsar.ProducerMessage
	for i := range 40 {
		d := deadLetter{fmt.Sprint("id-", i), createdURN, envelope.Failed, fmt.Sprintf("order %d: timeout", i)}
		switch i % 4 {
		case 1:
			d.urn, d.reason = cancelledURN, envelope.UnknownURN
		case 2:
			d.reason = envelope.Poison
		case 3:
			d.reason = "gated"
		}
		all = append(all, d.record())
	}
	c.publish(c.topic("orders.dlq"), all...)
	counts := c.waiting()
	if got := fmt.Sprint(counts["by_reason"]); got != "map[failed:10 gated:10 poison:10 unknown_urn:10]" {
		t.Errorf("by reason: %s", got)
	}
	if groups := counts["groups"].([]any); len(groups) != 4 {
		t.Errorf("groups: %v", groups)
	}
	out, _ := c.bqgen(exitOK, "dlq", "show", "orders", "--id", "id-0")
	if !strings.Contains(out, "accepted now  yes; the handler was not run") {
		t.Errorf("show: %s", out)
	}
	out, _ = c.bqgen(exitOK, "dlq", "redrive", "orders", "--urn", createdURN, "--limit", "3", "--dry-run")
	if !strings.Contains(out, "would send 1 dead letter") && !strings.Contains(out, "would leave") {
		t.Errorf("dry run: %s", out)
	}
	if n, _ := c.ledger(c.topic("orders")); len(n) != 0 {
		t.Errorf("a dry run sent %v", n)
	}
	out, _ = c.bqgen(exitOK, "dlq", "redrive", "orders", "--reason", "failed", "--limit", "4", "--format", "json")
	if s := c.summary(out); s.Sent != 4 || len(s.Left) != 0 {
		t.Errorf("summary %+v", s)
	}
	got, messages := c.ledger(c.topic("orders"))
	if fmt.Sprint(got) != "map[id-0:1 id-12:1 id-4:1 id-8:1]" {
		t.Errorf("sent %v, want the four oldest", got)
	}
	for i, m := range messages {
		want := all[4*i]
		body := strings.Replace(string(want.Payload), `"attempts":3`, `"attempts":0`, 1)
		body = body[:strings.LastIndex(body, `,"dead_letter":`)] + "}"
		want.Properties[envelope.PropertyAttempts] = "0"
		if string(m.Payload()) != body || m.Key() != want.Key || m.OrderingKey() != want.OrderingKey ||
			fmt.Sprint(m.Properties()) != fmt.Sprint(want.Properties) {
			t.Errorf("sent %s %v, want %s %v", m.Payload(), m.Properties(), body, want.Properties)
		}
	}
	if n := c.waiting()["total"]; n != 36.0 {
		t.Errorf("%v wait, want 36", n)
	}
	_, stderr := c.bqgen(exitFindings, "dlq", "show", "orders", "--id", "id-0")
	if !strings.Contains(stderr, "has gone by") {
		t.Errorf("show of what is gone: %s", stderr)
	}
	// Without a filter poison and gated messages are left, and said to be.
	out, _ = c.bqgen(exitFindings, "dlq", "redrive", "orders", "--format", "json")
	if s := c.summary(out); s.Sent != 16 || len(s.Left) != 2 {
		t.Errorf("summary %+v", s)
	}
	c.bqgen(exitOK, "dlq", "redrive", "orders", "--reason", "gated", "--id", "id-3", "--id", "id-7")
	c.bqgen(exitOK, "dlq", "redrive", "orders", "--reason", "poison", "--as-is", "--limit", "1")
	_, messages = c.ledger(c.topic("orders"))
	for i, want := range map[int]string{20: "version 2 of id-3", 21: "version 2 of id-7", 22: "poison id-2"} {
		if len(messages) != 23 || string(messages[i].Payload()) != want {
			t.Errorf("message %d of %d: %s, want %s", i, len(messages), messages[min(i, len(messages)-1)].Payload(), want)
		}
	}
	if v := messages[20].Properties()[envelope.PropertySchemaVersion]; v != "2" {
		t.Errorf("the gated message has version %q", v)
	}
	_, stderr = c.bqgen(exitFindings, "dlq", "redrive", "orders", "--id", "nobody")
	if !strings.Contains(stderr, "no dead letter with the id nobody waits") {
		t.Errorf("an id that is not there: %s", stderr)
	}
	// Drop asks for a filter and for an answer, and saves.
	c.bqgen(exitFailed, "dlq", "drop", "orders")
	_, stderr = c.bqgen(exitFailed, "dlq", "drop", "orders", "--reason", "poison")
	if !strings.Contains(stderr, "nobody can be asked here: give --yes") {
		t.Errorf("drop: %s", stderr)
	}
	file := c.dir + "/saved.jsonl"
	out, _ = c.bqgen(exitOK, "dlq", "drop", "orders", "--reason", "poison", "--yes", "--save", file, "--format", "json")
	if s := c.summary(out); s.Dropped != 9 {
		t.Errorf("summary %+v", s)
	}
	if text, err := os.ReadFile(file); err != nil || bytes.Count(text, []byte("\n")) != 9 {
		t.Errorf("saved %s, %v", text, err)
	}
	if n := c.waiting()["total"]; n != 8.0 {
		t.Errorf("%v wait, want the 8 gated", n)
	}
}

// TestRedriveEdited is O27 and O12.
func TestRedriveEdited(t *testing.T) {
	c := realPulsar(t)
	c.bqgen(exitOK, "provision", "--yes")
	d := deadLetter{"id-1", createdURN, envelope.Failed, "x"}.record()
	d.Payload = bytes.Replace(d.Payload, []byte(`"customer":"c-1"`), []byte(`"customer":5`), 1)
	d.Key = "c-1"
	c.publish(c.topic("orders.dlq"), d, deadLetter{"id-2", createdURN, envelope.Failed, "x"}.record())
	out, _ := c.bqgen(exitOK, "dlq", "show", "orders", "--id", "id-1")
	if !strings.Contains(out, "accepted now  no: invalid") {
		t.Errorf("show: %s", out)
	}
	c.bqgen(exitFindings, "dlq", "redrive", "orders", "--id", "id-1")
	good := c.file("good.json", ` {"id": 7, "customer": "c-1"} `)
	c.bqgen(exitFailed, "dlq", "redrive", "orders", "--with", good)
	c.bqgen(exitFindings, "dlq", "redrive", "orders", "--id", "id-1", "--with", c.file("bad.json", `{"id": "x"}`))
	c.bqgen(exitFailed, "dlq", "redrive", "orders", "--id", "id-1", "--with",
		c.file("key.json", `{"id":7,"customer":"c-2"}`))
	c.bqgen(exitFailed, "dlq", "redrive", "orders", "--id", "id-1", "--with", c.file("env.json", `{"job":"x","meta":{}}`))
	out, _ = c.bqgen(exitOK, "dlq", "redrive", "orders", "--id", "id-1", "--with", good, "--dry-run")
	if !strings.Contains(out, `"customer":5,`) || !strings.Contains(out, "\n+ {\"id\":7,\"customer\":\"c-1\"}\n") {
		t.Errorf("what would change is not shown: %s", out)
	}
	c.bqgen(exitOK, "dlq", "redrive", "orders", "--id", "id-1", "--with", good)
	got, messages := c.ledger(c.topic("orders"))
	if fmt.Sprint(got) != "map[id-1:1]" || !strings.Contains(string(messages[0].Payload()),
		`"trace_id":"t-id-1","data":{"id":7,"customer":"c-1"},"meta":{"id":"id-1"`) {
		t.Errorf("sent %v %s", got, messages[0].Payload())
	}
}

// publishInChunks sends messages at the same time, each by a producer of its own and in chunks, so that the chunks are
// mixed.
func (c *cluster) publishInChunks(topic string, messages ...*pulsar.ProducerMessage) {
	c.t.Helper()
	failed := make(chan error, len(messages))
	for _, m := range messages {
		p, err := c.client.CreateProducer(pulsar.ProducerOptions{
			Topic: topic, DisableBatching: true, EnableChunking: true, ChunkMaxMessageSize: 512, MaxPendingMessages: 1000})
		if err != nil {
			c.t.Fatal(err)
		}
		defer p.Close()
		p.SendAsync(context.Background(), m,
			func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) { failed <- err })
	}
	for range messages {
		if err := <-failed; err != nil {
			c.t.Fatal(err)
		}
	}
}

// TestRedriveTakesAllOfWhatIsInChunks belongs to O13: such a message is sent whole, all of its chunks are acknowledged,
// and none of another message whose chunks lie between them.
func TestRedriveTakesAllOfWhatIsInChunks(t *testing.T) {
	c := realPulsar(t)
	c.bqgen(exitOK, "provision", "--yes")
	text := strings.Repeat("x", 20_000)
	large := func(id string) *pulsar.ProducerMessage {
		return deadLetter{id, createdURN, envelope.Failed, text}.record()
	}
	kept := large("id-2")
	c.publishInChunks(c.topic("orders.dlq"), large("id-1"), kept, large("id-3"))
	c.publish(c.topic("orders.dlq"), deadLetter{"id-4", createdURN, envelope.Failed, "x"}.record())
	out, _ := c.bqgen(exitOK, "dlq", "redrive", "orders", "--id", "id-1", "--id", "id-4", "--format", "json")
	if s := c.summary(out); s.Sent != 2 {
		t.Errorf("redrive: %s", out)
	}
	if got, _ := c.ledger(c.topic("orders")); fmt.Sprint(got) != "map[id-1:1 id-4:1]" {
		t.Errorf("sent %v", got)
	}
	out, _ = c.bqgen(exitOK, "dlq", "drop", "orders", "--id", "id-3", "--yes", "--format", "json")
	if s := c.summary(out); s.Dropped != 1 {
		t.Errorf("drop: %s", out)
	}
	out, _ = c.bqgen(exitOK, "dlq", "list", "orders", "--format", "json")
	if all := jsonLines(t, out); len(all) != 2 || all[0]["id"] != "id-2" || len(all[0]["error"].(string)) != len(text) {
		t.Errorf("what is left is not the whole id-2: %.300s", out)
	}
	// Nothing of the others is left in the subscription: what it has are the chunks of id-2.
	chunks := (len(kept.Payload) + 511) / 512
	if got := c.subscriptions(exitOK)["orders.dlq/babelqueue"]; got != float64(chunks) {
		t.Errorf("%v entries are left, want the %d chunks of id-2", got, chunks)
	}
	c.bqgen(exitOK, "dlq", "redrive", "orders")
	if got := c.subscriptions(exitOK)["orders.dlq/babelqueue"]; got != 0.0 {
		t.Errorf("%v entries are left", got)
	}
}

// TestTwoRunsAtOnce is O21: the second is told who holds the lock.
func TestTwoRunsAtOnce(t *testing.T) {
	c := realPulsar(t)
	c.bqgen(exitOK, "provision", "--yes")
	c.publish(c.topic("orders.dlq"), deadLetter{"id-1", createdURN, envelope.Failed, "x"}.record())
	lock, err := c.client.CreateProducer(pulsar.ProducerOptions{
		Topic: c.topic("orders.dlq.redrive"), ProducerAccessMode: pulsar.ProducerAccessModeExclusive,
		Properties: map[string]string{"host": "elsewhere", "pid": "42", "since": "then"},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, stderr := c.bqgen(exitFailed, "dlq", "redrive", "orders")
	if !strings.Contains(stderr, "another run has the lock: process 42 on elsewhere") {
		t.Errorf("the second run: %s", stderr)
	}
	lock.Close()
	consumer, err := c.client.Subscribe(pulsar.ConsumerOptions{
		Topic: c.topic("orders.dlq"), SubscriptionName: "babelqueue", Type: pulsar.Shared, Name: "tool"})
	if err != nil {
		t.Fatal(err)
	}
	_, stderr = c.bqgen(exitFailed, "dlq", "redrive", "orders")
	if !strings.Contains(stderr, "a consumer is connected to the dead letters: tool") {
		t.Errorf("with a consumer: %s", stderr)
	}
	consumer.Close()
	c.bqgen(exitOK, "dlq", "redrive", "orders")
}

// deadLetters is 10,000 in make crash.
var deadLetters = flag.Int("dead-letters", 1000, "how many dead letters are redriven through kills")

// TestDeadLettersAreRedrivenThroughKills is O10, O18 and, with deduplication, O20: nothing is lost, and at most a
// window for each kill comes twice; with deduplication nothing does.
func TestDeadLettersAreRedrivenThroughKills(t *testing.T) {
	letters := *deadLetters
	for _, deduplicates := range []bool{false, true} {
		t.Run(fmt.Sprint("deduplication ", deduplicates), func(t *testing.T) {
			c := realPulsar(t)
			if deduplicates {
				c.deduplicating()
			}
			c.bqgen(exitOK, "provision", "--yes")
			var all []*pulsar.ProducerMessage
			for i := range letters {
				text := fmt.Sprintf("order %d: timeout after %dms", i, i%97)
				d := deadLetter{fmt.Sprint("id-", i), createdURN, envelope.Failed, text}
				switch i % 4 {
				case 1:
					d.urn, d.reason = cancelledURN, envelope.UnknownURN
				case 2:
					d.reason = "gated"
				case 3:
					d.reason = envelope.Poison
				}
				all = append(all, d.record())
			}
			for i := 0; i < letters; i += letters / 10 { // of these a window has the chunks
				all[i] = deadLetter{fmt.Sprint("id-", i), createdURN, envelope.Failed, strings.Repeat("no ", 1000)}.record()
				c.publishInChunks(c.topic("orders.dlq"), all[i])
				c.publish(c.topic("orders.dlq"), all[i+1:min(i+letters/10, letters)]...)
			}
			start := time.Now()
			counts := c.waiting()
			t.Logf("listed in %s: %v", time.Since(start), counts["by_reason"])
			if counts["total"] != float64(letters) || len(counts["groups"].([]any)) != 5 {
				t.Errorf("listed %v", counts)
			}
			args := []string{"dlq", "redrive", "orders", "--as-is", "--reason", "failed", "--reason", "unknown_urn",
				"--reason", "gated", "--reason", "poison", "--format", "json"}
			for kill := range 2 {
				// Ten seconds for all: it must not end before it is killed.
				cmd := c.command(append(args, "--rate", fmt.Sprint(letters/10))...)
				var output bytes.Buffer
				cmd.Stdout, cmd.Stderr = &output, &output
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				c.awaitMessages(c.topic("orders"), (kill+1)*letters/4)
				if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
				cmd.Wait()
				if output.Len() > 0 {
					t.Fatalf("it ended before it was killed: %s", output.String())
				}
			}
			out, _ := c.bqgen(exitOK, args...)
			s := c.summary(out)
			if n := c.waiting()["total"]; n != 0.0 {
				t.Errorf("%v wait still", n)
			}
			got, messages := c.ledger(c.topic("orders"))
			twice := len(messages) - len(got)
			t.Logf("summary %+v; %d messages, %d twice", s, len(messages), twice)
			for i := range letters {
				if got[fmt.Sprint("id-", i)] == 0 {
					t.Fatalf("id-%d is lost", i)
				}
			}
			limit := 2 * 16
			if deduplicates {
				limit = 0
			}
			if twice > limit {
				t.Errorf("%d came twice, at most %d may", twice, limit)
			}
			// What the first kill repeated, the second run knew, and was killed before its summary.
			if s.Deduplicated != deduplicates || twice > 16 && len(s.MayRepeat) == 0 {
				t.Errorf("the last run says %+v", s)
			}
		})
	}
}

// deduplicating moves the test to a namespace with deduplication.
func (c *cluster) deduplicating() {
	c.t.Helper()
	c.namespace("public/" + c.prefix)
	c.bqgen(exitOK, "provision", "--set-deduplication", "--yes")
}

// awaitMessages waits until a topic has so many messages.
func (c *cluster) awaitMessages(topic string, n int) {
	c.t.Helper()
	reader, err := c.client.CreateReader(pulsar.ReaderOptions{Topic: topic, StartMessageID: pulsar.EarliestMessageID()})
	if err != nil {
		c.t.Fatal(err)
	}
	defer reader.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for range n {
		if _, err := reader.Next(ctx); err != nil {
			c.t.Fatal(err)
		}
	}
}
