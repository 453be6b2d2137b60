package deadletters

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/internal/topology"
	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/schema/load"
)

const catalog = `bqgen: 1
package: shop
queues:
  orders: {topic: persistent://public/default/orders-v2, dead_letter: persistent://public/default/dead}
  mail: {topic: persistent://public/default/mail, dead_letter: persistent://public/default/dead}
urns:
  urn:a: {queue: orders, data: {type: object, required: [id], properties: {id: {type: integer}}}}
  urn:b: {queue: mail, data: {type: object}}
`

// group returns the queue orders.
func group(t *testing.T) (*topology.Topology, *topology.Group) {
	t.Helper()
	c, findings := load.Parse("urns.yaml", []byte(catalog))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	places, err := topology.Of(c, "")
	if err != nil {
		t.Fatal(err)
	}
	g, err := places.Group("orders", "")
	if err != nil {
		t.Fatal(err)
	}
	return places, g
}

// letters puts messages on the dead-letter topic of the queue orders, and returns what is read of them.
func letters(t *testing.T, messages ...*pulsar.ProducerMessage) []*Letter {
	t.Helper()
	places, g := group(t)
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	client := broker.Client()
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: g.DeadLetters})
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	for _, m := range messages {
		if _, err := producer.Send(context.Background(), m); err != nil {
			t.Fatal(err)
		}
	}
	box, err := Open(client, nil, places, g)
	if err != nil {
		t.Fatal(err)
	}
	var all []*Letter
	if err := box.Each(context.Background(), func(l *Letter) error {
		all = append(all, l)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(all) != len(messages) {
		t.Fatalf("%d letters of %d", len(all), len(messages))
	}
	return all
}

func body(urn, data, block string) []byte {
	return fmt.Appendf(nil, `{"job":%q,"trace_id":"t","data":%s,"meta":{"id":"i","schema_version":1},"attempts":3%s}`,
		urn, data, block)
}

// TestWhereALetterGoes is O26: the text of original_queue never decides where a letter goes, only whose it is.
func TestWhereALetterGoes(t *testing.T) {
	want := map[string]string{ // original_queue: whose it is, or why it is left
		"orders-v2": "ours", "orders": "ours", "mail": "foreign", "lost": "refused", "": "refused",
	}
	for queue, want := range want {
		l := letters(t, &pulsar.ProducerMessage{
			Payload: body("urn:a", `{"id":1}`, fmt.Sprintf(`,"dead_letter":{"reason":"failed","original_queue":%q}`, queue))})[0]
		got := "ours"
		switch {
		case l.IsForeign:
			got = "foreign"
		case l.Refusal != "":
			got = "refused"
		}
		if got != want {
			t.Errorf("%q: %s (%s), want %s", queue, got, l.Refusal, want)
		}
	}
}

// TestLettersThatOthersWrote is O11: none ends the reading, and each has a verdict.
func TestLettersThatOthersWrote(t *testing.T) {
	now := time.Now()
	block := func(text string) string { return `,"dead_letter":{"original_queue":"orders",` + text + `}` }
	for _, test := range []struct {
		name     string
		message  *pulsar.ProducerMessage
		reason   string
		accepted bool
		isTime   bool // failed_at is believed
	}{
		{"good", &pulsar.ProducerMessage{Payload: body("urn:a", `{"id":1}`,
			block(fmt.Sprintf(`"reason":"failed","failed_at":%d`, now.UnixMilli())))}, Failed, true, true},
		{"year 9999", &pulsar.ProducerMessage{Payload: body("urn:a", `{"id":1}`,
			block(`"reason":"failed","failed_at":253370764800000`))}, Failed, true, false},
		{"seconds", &pulsar.ProducerMessage{Payload: body("urn:a", `{"id":1}`,
			block(`"reason":"failed","failed_at":1793500000`))}, Failed, true, false},
		{"negative", &pulsar.ProducerMessage{Payload: body("urn:a", `{"id":1}`,
			block(`"reason":"failed","failed_at":-1`))}, Failed, true, false},
		{"a reason of nobody's", &pulsar.ProducerMessage{Payload: body("urn:a", `{"id":1}`,
			block(`"reason":"because"`))}, Other, true, false},
		{"invalid today", &pulsar.ProducerMessage{Payload: body("urn:a", `{"id":"1"}`,
			block(`"reason":"failed"`))}, Failed, false, false},
		{"moved to another queue", &pulsar.ProducerMessage{Payload: body("urn:b", `{}`,
			block(`"reason":"failed"`))}, Failed, false, false},
		{"poison that is accepted now", &pulsar.ProducerMessage{Payload: body("urn:a", `{"id":1}`,
			block(`"reason":"poison"`))}, Poison, true, false},
		{"no block", &pulsar.ProducerMessage{Payload: body("urn:a", `{"id":1}`, "")}, Other, true, false},
		{"a block in the payload", &pulsar.ProducerMessage{
			Payload: body("urn:a", `{"id":1,"dead_letter":{"reason":"x"}}`, "")}, Other, true, false},
		{"wrapped", &pulsar.ProducerMessage{Payload: envelope.PoisonRecord([]byte("x"),
			envelope.DeadLetter{Reason: envelope.Poison, OriginalQueue: "orders", FailedAt: now})}, Poison, false, true},
		{"nothing", &pulsar.ProducerMessage{Payload: []byte{}}, Other, false, false},
		{"gated", &pulsar.ProducerMessage{Payload: []byte("y"),
			Properties: map[string]string{envelope.PropertySchemaVersion: "2"}}, Gated, false, false},
	} {
		l := letters(t, test.message)[0]
		if l.Reason != test.reason || l.Message.Accepted() != test.accepted || l.IsPublishTime == test.isTime {
			t.Errorf("%s: reason %s, accepted %v (%s), publish time %v", test.name, l.Reason, l.Message.Accepted(),
				l.Message.Summary(), l.IsPublishTime)
		}
	}
}

// TestWhatIsLeft is O12, O24 and O25: what is held although it was chosen, and what frees it.
func TestWhatIsLeft(t *testing.T) {
	block := `,"dead_letter":{"reason":"failed","original_queue":"orders"}`
	all := letters(t,
		&pulsar.ProducerMessage{Payload: body("urn:a", `{"id":"1"}`, block)},
		&pulsar.ProducerMessage{Payload: envelope.PoisonRecord([]byte("x"),
			envelope.DeadLetter{Reason: envelope.Poison, OriginalQueue: "orders"})},
		&pulsar.ProducerMessage{Payload: body("urn:a", `{"id":1}`, block)},
	)
	for i, want := range []struct{ plain, force, asIs bool }{
		{true, false, true}, {true, true, false}, {false, false, false},
	} {
		got := struct{ plain, force, asIs bool }{
			(&Options{}).Hold(all[i]) != "", (&Options{Force: true}).Hold(all[i]) != "",
			(&Options{AsIs: true}).Hold(all[i]) != "",
		}
		if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); diff != "" {
			t.Errorf("letter %d (-want +got):\n%s", i, diff)
		}
	}
}

// TestErrorsAreGrouped is O10: numbers, ids, addresses and quoted texts do not tell groups apart, and an error that
// contains lines is one group.
func TestErrorsAreGrouped(t *testing.T) {
	var g Groups
	for i := range 100 {
		for _, text := range []string{
			fmt.Sprintf("order %d: timeout after %dms", i, i*7),
			fmt.Sprintf("no customer %q\nredriven 1 of 1", fmt.Sprint("c-", i)),
			fmt.Sprintf("panic at 0x%x", i*4096+1<<20),
		} {
			g.Add(&Letter{Reason: Failed, Error: text, FailedAt: time.Unix(int64(i), 0)})
		}
	}
	groups, others := g.Sorted()
	if len(groups) != 3 || others != 0 {
		t.Errorf("%d groups and %d others: %+v", len(groups), others, groups)
	}
	for _, group := range groups {
		if group.Count != 100 || group.Oldest.Unix() != 0 || group.Newest.Unix() != 99 {
			t.Errorf("group %+v", group)
		}
	}
	for i := range 30 {
		g.Add(&Letter{Reason: Failed, Error: "kind " + string(rune('a'+i)), FailedAt: time.Unix(0, 0)})
	}
	if groups, others = g.Sorted(); len(groups) != MaxGroups || others != 13 {
		t.Errorf("%d groups and %d others", len(groups), others)
	}
}
