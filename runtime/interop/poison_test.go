package interop

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	bq "github.com/babelqueue/bqgen/runtime"
)

// poisonBodies are the shapes of the rules POI-5 to POI-14.
var poisonBodies = []string{
	`{"a":1}`, "\r\n {\"a\" : 1 } \t", `{}`, " { \n\t} \r\n", `{"a":1,"a":2}`, `{"a":1e400}`,
	`{"a":123456789012345678901234567890}`,
	`{"dead_letter":null}`, `{"dead\u005fletter":1}`, `{"x":{"dead_letter":1}}`, `{"Dead_letter":1}`,
	`{"a":"\ud800"}`, `{"a":"\ud83d\ude00"}`, `{"a":"\\ud800"}`, `{"\udc00":1}`, `{"a":"\ude00\ud83d"}`,
	`{"a":NaN}`, `{"a":-Infinity}`, `{"a":1}x`, `{"a":1}{}`, "\ufeff{\"a\":1}", "", " \n", `null`, `[1]`, `"text"`, `5`,
	`true`,
	"{\"a\":\"\xff\"}", "\xc0\xaf", "\xed\xa0\x80", "{\"a\":1}\x00", `{"a":1`, `{"a":01}`, `{"a":"` + "\t" + `"}`,
	`{"a":"\u2028 ` + "\u2028 <&> \u007f" + `"}`,
	`not json "quoted" \ ` + "\n\t\b\x01é☕", `{"job":" ","urn":5,"trace_id":"t","data":{},"meta":{"schema_version":1}}`,
	`{"Job":"urn:babel:orders:created","trace_id":"t","data":{},"meta":{"id":"m-1","schema_version":1}}`,
}

// mutatedBodies returns objects without an identity whose bytes were changed at random, with a fixed seed.
func mutatedBodies(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"{", "}", "[", "]", ",", ":", `"`, `\`, `\u0041`, "\\ud83d\\ude00", "\u2028", " ", "\n", "\x00",
		"\xff", "1", "e", "-", ".", "null", "☕", `"a":`}
	bodies := make([]string, n)
	for i := range bodies {
		body := fmt.Sprintf(` { "x" : [%d, {"y":"z\/\u00e9"}], "n":1.50, "t":true } `, i)
		for range r.IntN(3) {
			at := r.IntN(len(body) + 1)
			body = body[:at] + pieces[r.IntN(len(pieces))] + body[min(len(body), at+r.IntN(3)):]
		}
		bodies[i] = body
	}
	return bodies
}

func TestPoisonRecordsOfBothAreTheSame(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	bodies := append(poisonBodies, mutatedBodies(200)...)
	sent := map[string]string{"bq-job": orderURN, "bq-schema-version": "1", "tenant": "t"}
	var messages []raw
	for _, body := range bodies {
		messages = append(messages, raw{[]byte(body), sent})
	}
	ours, theirs := newQueue(), newQueue()
	ourLetters, theirLetters := b.goReads(ours.DeadLetterTopic), b.goReads(theirs.DeadLetterTopic)
	b.pythonSends(ours.Topic, messages...)
	b.goSends(theirs.Topic, messages...)
	for i, got := range b.goWorks(ours, len(bodies), 0) {
		if got.Action != bq.DeadLettered || got.Reason != "poison" {
			t.Errorf("POI-2, RTE-7: Go: %q: %s %s", bodies[i], got.Action, got.Reason)
		}
	}
	if done := b.pythonWorks(theirs, work{deliveries: len(bodies)}); len(done.Handled) > 0 {
		t.Errorf("POI-3: Python handles %+v", done.Handled)
	}
	our, their := ourLetters(len(bodies)), theirLetters(len(bodies))
	for i, body := range bodies {
		ourBefore, ourBlock := splitRecord(b, our[i].Payload())
		theirBefore, theirBlock := splitRecord(b, their[i].Payload())
		if diff := cmp.Diff(theirBefore, ourBefore); diff != "" {
			t.Errorf("POI-5 to POI-13: record of %q (-python +go):\n%s", body, diff)
		}
		// Go counts this delivery as an attempt, Python does not.
		if ourBlock.Reason != "poison" || ourBlock.OriginalQueue != ours.Name || ourBlock.Attempts != 1 ||
			ourBlock.Lang != "go" || ourBlock.Error == nil {
			t.Errorf("POI-4, DLQ-5: block by Go: %+v", ourBlock)
		}
		if theirBlock.Reason != "poison" || theirBlock.OriginalQueue != theirs.Name || theirBlock.Attempts != 0 ||
			theirBlock.Lang != "python" || theirBlock.Error == nil {
			t.Errorf("POI-4, DLQ-5: block by Python: %+v", theirBlock)
		}
		want := map[string]string{"bq-job": orderURN, "bq-schema-version": "1", "bq-attempts": "1", "tenant": "t"}
		if diff := cmp.Diff(want, our[i].Properties()); diff != "" {
			t.Errorf("DLQ-7: properties by Go (-want +got):\n%s", diff)
		}
		if got := their[i].Properties(); got["tenant"] != "" || got["bq-attempts"] != "0" {
			t.Errorf("DLQ-7: Python takes the properties from the record, got %v", got)
		}
	}

	// Each side reads the other's records, which are poison again.
	for i, got := range b.pythonReads(ours.DeadLetterTopic, len(bodies)) {
		if l := got.Envelope.DeadLetter; got.Poison == "" || l == nil || l.Reason != "poison" || l.Lang != "go" {
			t.Errorf("POI-5 to POI-13: Python reads Go's record of %q as %+v", bodies[i], got)
		}
	}
	letters := bq.Queue{Name: theirs.Name + ".dlq", Topic: theirs.DeadLetterTopic}
	for i, got := range b.goWorks(letters, len(bodies), 0, bq.WithSubscription("letters"), bq.WithMaxAttempts(1)) {
		if got.Reason != "poison" {
			t.Errorf("POI-2: Go reads Python's record of %q as %s %s", bodies[i], got.Action, got.Reason)
		}
	}
}

func TestPoisonRecordsDifferWhereTheContractSaysSo(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	for rule, tc := range map[string]struct{ body, ours, theirs string }{
		// Two surrogate halves with a letter between them are not a pair.
		"POI-10": {`{"a":"\ud83dx\ude00"}`, `{"raw":"{\"a\":\"\\ud83dx\\ude00\"}",`, `{"a":"\ud83dx\ude00",`},
		// The Python interpreter rejects integers with that many digits.
		"POI-8": {`{"a":1` + strings.Repeat("0", 5000) + `}`, `{"a":1` + strings.Repeat("0", 5000) + `,`,
			`{"raw":"{\"a\":1` + strings.Repeat("0", 5000) + `}",`},
	} {
		b.run(rule, func(b *bench) {
			ours, theirs := newQueue(), newQueue()
			ourLetters, theirLetters := b.goReads(ours.DeadLetterTopic), b.goReads(theirs.DeadLetterTopic)
			b.pythonSends(ours.Topic, raw{[]byte(tc.body), map[string]string{}})
			b.goSends(theirs.Topic, raw{Body: []byte(tc.body)})
			b.goWorks(ours, 1, 0)
			b.pythonWorks(theirs, work{deliveries: 1})
			if got, _ := splitRecord(b, ourLetters(1)[0].Payload()); got != tc.ours {
				b.Errorf("%s: Go writes %s, want %s", rule, got, tc.ours)
			}
			if got, _ := splitRecord(b, theirLetters(1)[0].Payload()); got != tc.theirs {
				b.Errorf("%s: Python writes %s, want %s", rule, got, tc.theirs)
			}
		})
	}
}

func TestPoisonWithoutDeadLettersIsRetriedAndDropped(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	const body = "not json \xff"
	sent := map[string]string{"bq-job": orderURN, "tenant": "t"}
	ours, theirs := newQueue(), newQueue()
	ours.DeadLetterTopic = ""
	ourRetries, theirRetries := b.goReads(ours.Topic), b.goReads(theirs.Topic)
	b.pythonSends(ours.Topic, raw{[]byte(body), sent})
	b.goSends(theirs.Topic, raw{[]byte(body), sent})
	for i, got := range b.goWorks(ours, 3, 0) {
		if want := i == 2; (got.Action == bq.Dropped) != want || (got.Action == bq.Retried) == want {
			t.Errorf("SET-8: Go, delivery %d: %s", i+1, got.Action)
		}
	}
	if done := b.pythonWorks(theirs, work{deliveries: 3, drop: true}); len(done.Handled) > 0 {
		t.Errorf("POI-3: Python handles %+v", done.Handled)
	}
	our, their := ourRetries(3), theirRetries(3)
	for n := 1; n <= 2; n++ {
		want := map[string]string{"bq-job": orderURN, "tenant": "t", "bq-attempts": fmt.Sprint(n)}
		if diff := cmp.Diff(want, our[n].Properties()); diff != "" || string(our[n].Payload()) != body {
			t.Errorf("RET-2: retry %d by Go is %q; properties (-want +got):\n%s", n, our[n].Payload(), diff)
		}
		// Python keeps only the count.
		want = map[string]string{"bq-attempts": fmt.Sprint(n)}
		if diff := cmp.Diff(want, their[n].Properties()); diff != "" ||
			string(their[n].Payload()) != fmt.Sprintf(`{"attempts":%d}`, n) {
			t.Errorf("RET-2: retry %d by Python is %q; properties (-want +got):\n%s", n, their[n].Payload(), diff)
		}
	}
}
