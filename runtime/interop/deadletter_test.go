package interop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// canonical is an envelope in the form that all SDKs write, with members that no SDK knows.
const canonical = `{"job":"urn:babel:orders:created","trace_id":"trace-é","data":{"order_id":9007199254740993,` +
	`"note":"<&>` + "\u2028" +
	`\u0000\"/☕","big":123456789012345678901234567890,"flag":true,"none":null,"list":[1,{"a":-5}]},` +
	`"meta":{"id":"m-1","queue":"orders","lang":"java","schema_version":1,"created_at":1749132727000,` +
	`"ext":{"acme":[1]}},"attempts":0,"x":{"y":1}}`

// canonicalProperties returns the properties of canonical and one foreign property.
func canonicalProperties(attempts int, more map[string]string) map[string]string {
	return properties("m-1", "trace-é", "java", attempts, more)
}

// readRecord reads a dead-letter record as a Go service would.
func readRecord(t *bench, record []byte) (*envelope.Envelope, deadLetter) {
	t.Helper()
	e, err := envelope.Parse(record)
	if err != nil {
		t.Fatalf("Go does not accept the record %s: %v", record, err)
	}
	_, block := splitRecord(t, record)
	return e, block
}

// splitRecord splits a record into the part before its dead_letter block and the block.
func splitRecord(t *bench, record []byte) (before string, block deadLetter) {
	t.Helper()
	const name = `"dead_letter":`
	at := strings.LastIndex(string(record), name+`{"reason":`)
	if at < 0 {
		t.Fatalf("there is no dead_letter block in %s", record)
	}
	text, isLast := strings.CutSuffix(string(record)[at+len(name):], "}")
	if err := json.Unmarshal([]byte(text), &block); err != nil || !isLast {
		t.Fatalf("the block is not the last member of %s (%v)", record, err)
	}
	return string(record)[:at], block
}

func TestDeadLettersOfBothAreTheSameRecord(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	for _, tc := range []struct {
		reason                       string
		handler                      bool
		goException, goError         string
		pythonException, pythonError string
	}{
		{"failed", true, "*errors.errorString", "no stock", "OutOfStock", "no stock (call 1)"},
		{"unknown_urn", false, "*errors.errorString", `no handler for "urn:babel:orders:created"`, "UnknownUrnError",
			"No handler mapped for URN [urn:babel:orders:created]."},
	} {
		b.run(tc.reason, func(b *bench) {
			ours, theirs := newQueue(), newQueue()
			ourLetters, theirLetters := b.goReads(ours.DeadLetterTopic), b.goReads(theirs.DeadLetterTopic)
			message := raw{[]byte(canonical), canonicalProperties(0, map[string]string{"tenant": "t"})}
			b.goSends(ours.Topic, message)
			b.pythonSends(theirs.Topic, message)
			began := time.Now().Add(-time.Second)
			if tc.handler {
				b.goWorks(ours, 1, 1, bq.WithMaxAttempts(1))
			} else {
				b.goIsDeaf(ours, 1, bq.WithMaxAttempts(1))
			}
			b.pythonWorks(theirs, work{deliveries: 1, fail: 1, maxAttempts: 1, deaf: !tc.handler})

			our, their := ourLetters(1)[0], theirLetters(1)[0]
			ourBefore, ourBlock := splitRecord(b, our.Payload())
			theirBefore, theirBlock := splitRecord(b, their.Payload())
			want := strings.TrimSuffix(strings.Replace(canonical, `"attempts":0`, `"attempts":1`, 1), "}") + ","
			if diff := cmp.Diff(want, ourBefore); diff != "" {
				b.Errorf("DLQ-3, DLQ-4: Go's record (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want, theirBefore); diff != "" {
				b.Errorf("DLQ-3, DLQ-4: Python's record (-want +got):\n%s", diff)
			}
			for name, block := range map[string]deadLetter{"go": ourBlock, "python": theirBlock} {
				exception, text := tc.goException, tc.goError
				if name == "python" {
					exception, text = tc.pythonException, tc.pythonError
				}
				want := deadLetter{tc.reason, &text, &exception, block.FailedAt, "orders", 1, name}
				if diff := cmp.Diff(want, block); diff != "" {
					b.Errorf("DLQ-2, DLQ-5: block by %s (-want +got):\n%s", name, diff)
				}
				if at := time.UnixMilli(block.FailedAt); at.Before(began) || at.After(time.Now().Add(time.Second)) {
					b.Errorf("DLQ-2: failed_at by %s is %s", name, at)
				}
			}
			if diff := cmp.Diff(canonicalProperties(1, map[string]string{"tenant": "t"}), our.Properties()); diff != "" {
				b.Errorf("DLQ-7: properties by Go (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(canonicalProperties(1, nil), their.Properties()); diff != "" {
				b.Errorf("DLQ-7, RET-3: properties by Python, which keeps none but the six (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPythonReadsGoDeadLettersAndSendsThemBack(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	q := newQueue()
	sent := b.goPublishes(q, order{ID: 1, Note: "n"})
	b.goWorks(q, 1, 1, bq.WithMaxAttempts(1))

	type item struct {
		ID       string `json:"id"`
		TraceID  string `json:"trace_id"`
		URN      string `json:"urn"`
		Reason   string `json:"reason"`
		To       string `json:"to"`
		Redriven bool   `json:"redriven"`
	}
	got := ask[struct{ Items []item }](b, b.python, "redrive",
		args{"prefix": prefix, "queue": q.Name + ".dlq", "messages": 1}).Items
	want := []item{{sent.ID, sent.TraceID, orderURN, "failed", q.Name, true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("DLQ-2, DLQ-5 (-want +got):\n%s", diff)
	}
	again := b.goWorks(q, 1, 0)[0]
	checkGo(b, "after Python sent it back", again, bq.Acknowledged, sent.ID, sent.TraceID, 0)
	if again.order.Note != "n" {
		t.Errorf("got %+v", again.order)
	}
}

func TestGoReadsPythonDeadLettersAsMessages(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	q := newQueue()
	b.goReads(q.DeadLetterTopic) // so that the topic keeps what comes
	id := b.pythonPublishes(q, `{"order_id":5,"note":"n"}`, "t")
	b.pythonWorks(q, work{deliveries: 1, fail: 1, maxAttempts: 1})

	// A consumer of the dead-letter topic: its messages are ordinary envelopes.
	letters := bq.Queue{Name: "letters", Topic: q.DeadLetterTopic}
	got := b.goWorks(letters, 1, 0, bq.WithSubscription("letters"))[0]
	checkGo(b, "dead letter", got, bq.Acknowledged, id, "t", 1)
	if got.order.ID != 5 || got.order.Note != "n" || got.Delivery.Queue != q.Name || got.Delivery.Lang != "python" {
		t.Errorf("DLQ-3: got %+v, %+v", got.order, got.Delivery)
	}
}

func TestDeadLetterOfADeadLetterHasOneBlock(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	// Each side's record fails again on the other side.
	for first, lang := range map[string]string{"go": "python", "python": "go"} {
		b.run(fmt.Sprintf("%s after %s", lang, first), func(b *bench) {
			q := newQueue()
			letters := bq.Queue{Name: q.Name + ".dlq", Topic: q.DeadLetterTopic, DeadLetterTopic: q.DeadLetterTopic + ".dlq"}
			b.goReads(letters.Topic)
			last := b.goReads(letters.DeadLetterTopic)
			b.goSends(q.Topic, raw{[]byte(canonical), canonicalProperties(0, nil)})
			if first == "go" {
				b.goWorks(q, 1, 1, bq.WithMaxAttempts(1))
				b.pythonWorks(letters, work{deliveries: 1, fail: 1, maxAttempts: 1})
			} else {
				b.pythonWorks(q, work{deliveries: 1, fail: 1, maxAttempts: 1})
				b.goWorks(letters, 1, 1, bq.WithMaxAttempts(1))
			}
			record := last(1)[0].Payload()
			before, block := splitRecord(b, record)
			if strings.Contains(before, "dead_letter") || block.Lang != lang || block.Attempts != 2 ||
				block.OriginalQueue != "orders" {
				b.Errorf("DLQ-6: got %s", record)
			}
			want := strings.TrimSuffix(strings.Replace(canonical, `"attempts":0`, `"attempts":2`, 1), "}") + ","
			if diff := cmp.Diff(want, before); diff != "" {
				b.Errorf("DLQ-3, DLQ-6 (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRetriesOfBothAreTheSameButForSpelling(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	// White space, unnecessary escapes, a repeated member: Go keeps them, Python encodes the envelope again.
	const spelled = `{ "job":"urn:babel:orders:created", "trace_id":"t",` + "\r\n" +
		`"data":{"order_id":1,"note":"\u00e9\/", "price":1.50, "order_id":2},` +
		`"meta":{"id":"m-1","queue":"orders","lang":"php","schema_version":1,"created_at":1749132727000},"attempts":0 }`
	const anew = `{"job":"urn:babel:orders:created","trace_id":"t","data":{"order_id":2,"note":"é/","price":1.5},` +
		`"meta":{"id":"m-1","queue":"orders","lang":"php","schema_version":1,"created_at":1749132727000},"attempts":1}`
	for name, tc := range map[string]struct{ body, byGo, byPython string }{
		"canonical": {canonical, strings.Replace(canonical, `"attempts":0`, `"attempts":1`, 1),
			strings.Replace(canonical, `"attempts":0`, `"attempts":1`, 1)},
		"spelled": {spelled, strings.Replace(spelled, `"attempts":0`, `"attempts":1`, 1), anew},
	} {
		b.run(name, func(b *bench) {
			sent := map[string]string{"bq-schema-version": "1", "bq-attempts": "0", "tenant": "t"}
			message := raw{[]byte(tc.body), sent}
			ours, theirs := newQueue(), newQueue()
			ourRetries, theirRetries := b.goReads(ours.Topic), b.goReads(theirs.Topic)
			b.goSends(ours.Topic, message)
			b.goSends(theirs.Topic, message)
			b.goWorks(ours, 1, 1)
			b.pythonWorks(theirs, work{deliveries: 1, fail: 1})
			our, their := ourRetries(2)[1], theirRetries(2)[1]
			if diff := cmp.Diff(tc.byGo, string(our.Payload())); diff != "" {
				b.Errorf("RET-1: by Go (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.byPython, string(their.Payload())); diff != "" {
				b.Errorf("RET-1, RET-3: by Python (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(map[string]string{"bq-schema-version": "1", "bq-attempts": "1", "tenant": "t"},
				our.Properties()); diff != "" {
				b.Errorf("RET-1: properties by Go (-want +got):\n%s", diff)
			}
			if got := their.Properties(); got["tenant"] != "" || got["bq-job"] != orderURN || got["bq-attempts"] != "1" {
				b.Errorf("RET-3: Python takes the properties from the body, got %v", got)
			}
		})
	}
}
