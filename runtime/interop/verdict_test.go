package interop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// A verdictCase is a body and whether each side accepts it.
type verdictCase struct {
	name         string
	body         string // with a member "case" that the test adds
	ours, theirs bool   // handled
}

const goodMeta = `{"id":"m","queue":"q","lang":"php","schema_version":1,"created_at":1}`

// verdictCases are bodies around the rules of acceptance (ACC-1 to ACC-12).
var verdictCases = []verdictCase{
	{"good", `{"job":"J","trace_id":"t","data":{},"meta":M,"attempts":0}`, true, true},
	{"no attempts", `{"job":"J","trace_id":"t","data":{},"meta":M}`, true, true},
	{"job is a number, urn is good", `{"job":5,"urn":"J","trace_id":"t","data":{},"meta":M,"attempts":0}`, true, true},
	{"lone surrogate in data", `{"job":"J","trace_id":"t","data":{"note":"\ud800"},"meta":M,"attempts":0}`, true, true},
	{"job misspelled", `{"Job":"J","trace_id":"t","data":{},"meta":M,"attempts":0}`, false, false},
	{"not UTF-8", "{\"job\":\"J\",\"trace_id\":\"t\",\"data\":{\"note\":\"\xff\"},\"meta\":M,\"attempts\":0}", false,
		false},
	{"NaN", `{"job":"J","trace_id":"t","data":{"n":NaN},"meta":M,"attempts":0}`, false, false},
	{"data is an array", `{"job":"J","trace_id":"t","data":[],"meta":M,"attempts":0}`, false, false},

	// Python hands these to the handler: it requires an identity and types, not the contract's other members.
	{"ACC-9 urn alone", `{"urn":"J"}`, false, true},
	{"ACC-7 version 2 in the body",
		`{"job":"J","trace_id":"t","data":{},"meta":{"id":"m","schema_version":2},"attempts":0}`, false, true},
	{"ACC-7 no version", `{"job":"J","trace_id":"t","data":{},"meta":{"id":"m"},"attempts":0}`, false, true},
	{"ACC-4 no data", `{"job":"J","trace_id":"t","meta":M,"attempts":0}`, false, true},
	{"ACC-4 data is null", `{"job":"J","trace_id":"t","data":null,"meta":M,"attempts":0}`, false, true},
	{"ACC-5 no meta", `{"job":"J","trace_id":"t","data":{},"attempts":0}`, false, true},
	{"ACC-5 meta is null", `{"job":"J","trace_id":"t","data":{},"meta":null,"attempts":0}`, false, true},
	{"ACC-6 no trace id", `{"job":"J","data":{},"meta":M,"attempts":0}`, false, true},
	{"ACC-6 trace id is blank", `{"job":"J","trace_id":" \t","data":{},"meta":M,"attempts":0}`, false, true},

	// Python treats these as poison: it requires the right type of every known member. Go reads them leniently.
	{"ACC-10 attempts is text", `{"job":"J","trace_id":"t","data":{},"meta":M,"attempts":"3"}`, true, false},
	{"ACC-10 attempts is true", `{"job":"J","trace_id":"t","data":{},"meta":M,"attempts":true}`, true, false},
	{"ACC-10 attempts is a fraction", `{"job":"J","trace_id":"t","data":{},"meta":M,"attempts":1.5}`, true, false},
	{"ACC-10 id is a number", `{"job":"J","trace_id":"t","data":{},"meta":{"id":5,"schema_version":1},"attempts":0}`, true,
		false},
	{"ACC-10 created_at is text",
		`{"job":"J","trace_id":"t","data":{},"meta":{"id":"m","schema_version":1,"created_at":"now"},"attempts":0}`, true,
		false},
	{"ACC-10 dead_letter is text", `{"job":"J","trace_id":"t","data":{},"meta":M,"attempts":0,"dead_letter":"x"}`, true,
		false},
	{"ACC-8 version is 1.0", `{"job":"J","trace_id":"t","data":{},"meta":{"id":"m","schema_version":1.0},"attempts":0}`,
		true, false},
	{"ACC-11 the first of two attempts is text",
		`{"job":"J","trace_id":"t","data":{},"meta":M,"attempts":"x","attempts":2}`, true, false},
	{"NUM-3 beyond a double", `{"job":"J","trace_id":"t","data":{"n":1e400},"meta":M,"attempts":0}`, true, false},
}

// message returns the body with its case added as a member, which handlers and records show.
func (c verdictCase) message(i int) raw {
	body := strings.NewReplacer(`"J"`, `"`+orderURN+`"`, `"meta":M`, `"meta":`+goodMeta).Replace(c.body)
	return raw{[]byte(fmt.Sprintf(`{"case":"%d",`, i) + body[1:]), map[string]string{}}
}

func verdictMessages() []raw {
	var messages []raw
	for i, c := range verdictCases {
		messages = append(messages, c.message(i))
	}
	return messages
}

func TestVerdictsDifferWhereTheContractSaysSo(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	ours, theirs := newQueue(), newQueue()
	b.pythonSends(ours.Topic, verdictMessages()...)
	b.goSends(theirs.Topic, verdictMessages()...)
	for i, got := range b.goWorks(ours, len(verdictCases), 0) {
		if c := verdictCases[i]; got.handled != c.ours || (got.Reason == "poison") == c.ours {
			t.Errorf("%s: Go: handled: %v, %s %s", c.name, got.handled, got.Action, got.Reason)
		}
	}
	for i, handled := range b.pythonHandles(theirs) {
		if c := verdictCases[i]; handled != c.theirs {
			t.Errorf("%s: Python: handled: %v", c.name, handled)
		}
	}
}

func TestIdentityVerdictIsPythons(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	q := newQueue()
	b.pythonSends(q.Topic, verdictMessages()...)
	for i, got := range b.goWorks(q, len(verdictCases), 0, bq.WithIdentityVerdict()) {
		if c := verdictCases[i]; got.handled != c.theirs || (got.Reason == "poison") == c.theirs {
			t.Errorf("IDV-1: %s: handled: %v, %s %s (%v)", c.name, got.handled, got.Action, got.Reason, got.Err)
		}
	}
}

// pythonHandles reports for each case whether Python's handler saw it. The others must be dead letters.
func (b *bench) pythonHandles(q bq.Queue) []bool {
	b.Helper()
	letters := b.goReads(q.DeadLetterTopic)
	done := b.pythonWorks(q, work{deliveries: len(verdictCases)})
	handled := make([]bool, len(verdictCases))
	for _, h := range done.Handled {
		var i int
		if _, err := fmt.Sscan(h.Envelope.Case, &i); err != nil {
			b.Fatalf("case %q: %v", h.Envelope.Case, err)
		}
		handled[i] = true
	}
	for _, letter := range letters(len(verdictCases) - len(done.Handled)) {
		if _, block := splitRecord(b, letter.Payload()); block.Reason != "poison" {
			b.Errorf("Python gives %s as the reason of %s", block.Reason, letter.Payload())
		}
	}
	return handled
}

// nearEnvelopes generates bodies that are envelopes or almost envelopes.
var nearEnvelopes = rapid.Custom(func(t *rapid.T) string {
	odd := rapid.SampledFrom([]string{
		`null`, `true`, `0`, `1`, `-1`, `1.0`, `1e2`, `1e400`, `-1e400`, `1e-400`, `9223372036854775807`,
		`9223372036854775808`, `-9223372036854775808`,
		`-0`, `123456789012345678901234567890`, `"x"`, `""`, `" \t"`, `"\u00a0"`, `"\ud800"`, `[]`, `[1e400]`, `{}`,
		`{"n":1e999}`, `{"n":[{"m":-1e309}]}`,
		`{"n":1.7976931348623157e308}`, `{"n":1.7976931348623159e308}`, `NaN`, `01`, `1.`, `"` + "\x01" + `"`, "\"\xff\"",
		`x`,
	})
	pick := func(name string, good ...string) string {
		if rapid.IntRange(0, 3).Draw(t, name+" is odd") == 0 {
			return odd.Draw(t, name)
		}
		return rapid.SampledFrom(good).Draw(t, name)
	}
	members := []string{
		`"job":` + pick("job", `"urn:x"`), `"urn":` + pick("urn", `"urn:y"`), `"trace_id":` + pick("trace_id", `"t"`),
		`"data":` + pick("data", `{"a":1}`),
		`"meta":{"id":` + pick("id", `"m"`) + `,"queue":` + pick("queue", `"q"`) + `,"lang":` + pick("lang", `"php"`) +
			`,"schema_version":` + pick("version", `1`) + `,"created_at":` + pick("created_at", `1749132727000`) + `,"ext":` +
			pick("ext", `{}`) + `}`,
		`"meta":` + pick("meta", `{}`), `"attempts":` + pick("attempts", `0`), `"other":` + pick("other", `1`),
		`"dead_letter":{"reason":` + pick("reason", `"failed"`) + `,"failed_at":` + pick("failed_at", `1`) + `,"attempts":` +
			pick("counted", `1`) + `}`,
		`"dead_letter":` + pick("dead_letter", `null`), `"j\u006fb":` + pick("escaped job", `"urn:z"`), `"Job":"urn:z"`,
	}
	chosen := rapid.SliceOfN(rapid.SampledFrom(members), 0, len(members)).Draw(t, "members")
	body := "{" + strings.Join(chosen, ",") + "}"
	return rapid.SampledFrom([]string{"", "", "", " ", "\n", "\ufeff"}).Draw(t, "before") + body +
		rapid.SampledFrom([]string{"", "", "", "\r\n", "x", "{}"}).Draw(t, "after")
})

func TestIdentityVerdictIsPythonsOnGeneratedBodies(t *testing.T) {
	p := thePeer(t)
	rapid.Check(t, func(t *rapid.T) {
		bodies := rapid.SliceOfN(nearEnvelopes, 20, 20).Draw(t, "bodies")
		var sent [][]byte
		for _, body := range bodies {
			sent = append(sent, []byte(body))
		}
		poison := ask[struct{ Poison []string }](t, p, "judge", args{"bodies": sent}).Poison
		for i, body := range sent {
			if _, err := envelope.ParseByIdentity(body); (err != nil) != (poison[i] != "") {
				t.Errorf("IDV-1: %q: Go says %v, Python says %q", body, err, poison[i])
			}
		}
	})
}

func TestPythonCannotSettleWhatGoCan(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	send := func(b *bench, q bq.Queue, body string) {
		b.Helper()
		body = strings.NewReplacer(`"J"`, `"`+orderURN+`"`, `"meta":M`, `"meta":`+goodMeta).Replace(body)
		b.goSends(q.Topic, raw{[]byte(body), map[string]string{"bq-job": orderURN}})
	}
	const surrogate = `{"job":"J","trace_id":"t","data":{"note":"\ud800"},"meta":M,"attempts":0}`

	for what, tc := range map[string]struct {
		body string
		want bq.Action
	}{
		"attempts are text":     {`{"job":"J","trace_id":"t","data":{},"meta":M,"attempts":"x"}`, bq.Acknowledged},
		"attempts are an array": {`{"job":"J","trace_id":"t","data":{},"meta":M,"attempts":[1]}`, bq.Acknowledged},
		"meta is text":          {`{"job":"J","trace_id":"t","data":{},"meta":"m","attempts":0}`, bq.DeadLettered},
	} {
		b.run("MAP-7 a dead letter whose "+what, func(b *bench) {
			b.Parallel() // Python pauses after each
			q := newQueue()
			send(b, q, tc.body)
			// Python puts the message back on every delivery.
			if done := b.pythonWorks(q, work{deliveries: 2}); len(done.Handled) > 0 ||
				strings.Count(strings.Join(done.Log, "\n"), "it was NOT retried or acknowledged") != 2 {
				b.Errorf("Python handled %d and logged %q", len(done.Handled), done.Log)
			}
			if got := b.goWorks(q, 1, 0)[0]; got.Action != tc.want {
				b.Errorf("Go: %s, want %s", got.Action, tc.want)
			}
		})
	}
	b.run("NUM-5 a retry with half a surrogate pair", func(b *bench) {
		b.Parallel()
		q := newQueue()
		retries := b.goReads(q.Topic)
		send(b, q, surrogate)
		if done := b.pythonWorks(q, work{deliveries: 1, fail: 1}); len(done.Handled) != 1 ||
			!strings.Contains(strings.Join(done.Log, "\n"), "for retry") {
			b.Errorf("Python handled %d and logged %q", len(done.Handled), done.Log)
		}
		if got := b.goWorks(q, 1, 1)[0]; got.Action != bq.Retried {
			b.Errorf("Go: %s, %v", got.Action, got.SettleErr)
		}
		if got := string(retries(2)[1].Payload()); !strings.Contains(got, `"note":"\ud800"`) {
			b.Errorf("Go sends %s", got)
		}
	})
	b.run("MAX-4 a dead letter with half a surrogate pair", func(b *bench) {
		q := newQueue()
		letters := b.goReads(q.DeadLetterTopic)
		send(b, q, surrogate)
		// The error propagates through Python's loop and ends it.
		_, err := try[json.RawMessage](b.python, "work", work{deliveries: 1, fail: 1, maxAttempts: 1}.arguments(q))
		if err == nil || !strings.Contains(err.Error(), "UnicodeEncodeError") {
			b.Errorf("Python: %v", err)
		}
		if got := b.goWorks(q, 1, 1, bq.WithMaxAttempts(1))[0]; got.Action != bq.DeadLettered {
			b.Errorf("Go: %s, %v", got.Action, got.SettleErr)
		}
		if got := string(letters(1)[0].Payload()); !strings.Contains(got, `"note":"\ud800"`) {
			b.Errorf("Go sends %s", got)
		}
	})
}
