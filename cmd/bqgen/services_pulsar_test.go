package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsaradmin"
	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/utils"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// services writes a catalog whose queue orders has two services, and returns the queue as generated code does.
func (c *cluster) services() bq.Queue {
	c.t.Helper()
	at := c.topic("orders")
	c.file("urns.yaml", fmt.Sprintf(`bqgen: 1
package: shop
queues:
  orders: {topic: %q, services: [billing, shipping]}
urns:
  urn:babel:orders:created:
    queue: orders
    consumers: [billing, shipping]
    data:
      type: object
      required: [id, customer]
      properties: {id: {type: integer}, customer: {type: string}, note: {type: string}}
`, at))
	q := bq.Queue{Name: "orders", Topic: at, URNs: []string{createdURN}}
	for _, name := range []string{"billing", "shipping"} {
		q.Services = append(q.Services, bq.QueueService{
			Name: name, RetryTopic: at + "." + name + ".retry", DeadLetterTopic: at + "." + name + ".dlq", URNs: q.URNs,
		})
	}
	return q
}

// subscriptions returns the backlog of each subscription that status shows, by TOPIC/SUBSCRIPTION.
func (c *cluster) subscriptions(code int) map[string]any {
	c.t.Helper()
	out, _ := c.bqgen(code, "status", "--format", "json")
	all := map[string]any{}
	for _, t := range jsonLines(c.t, out)[0]["topics"].([]any) {
		name := strings.TrimPrefix(t.(map[string]any)["topic"].(string), c.topic(""))
		for _, s := range t.(map[string]any)["subscriptions"].([]any) {
			all[name+"/"+s.(map[string]any)["name"].(string)] = s.(map[string]any)["backlog"]
		}
	}
	return all
}

// TestServicesAreProvisionedAsDeclared is FAN-9: provision, status and Declare agree on what services need, and on
// where it starts.
func TestServicesAreProvisionedAsDeclared(t *testing.T) {
	for _, by := range []string{"provision", "Declare"} {
		t.Run(by, func(t *testing.T) {
			c := realPulsar(t)
			q := c.services()
			// Three messages that were there before, and that somebody else has acknowledged.
			other, err := c.client.Subscribe(pulsar.ConsumerOptions{Topic: q.Topic, SubscriptionName: "python"})
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			record := deadLetter{id: "i", urn: createdURN}.record()
			c.publish(q.Topic, record, record, record)
			for range 3 {
				m, err := other.Receive(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if err := other.Ack(m); err != nil {
					t.Fatal(err)
				}
			}
			out, _ := c.bqgen(exitFindings, "status")
			for _, want := range []string{
				"the subscription billing of " + q.Topic + " is missing: messages would be discarded",
				"the topic " + q.Services[1].RetryTopic + " is missing: retries of orders for shipping",
				"the topic " + q.Services[1].DeadLetterTopic + " is missing: dead letters of orders for shipping",
			} {
				if !strings.Contains(out, want) {
					t.Errorf("status does not say %q:\n%s", want, out)
				}
			}
			if by == "provision" {
				c.bqgen(exitOK, "provision", "--yes")
			} else if err := bq.Declare(t.Context(), c.client, []bq.Queue{q}); err != nil {
				t.Fatal(err)
			}
			want := map[string]any{"orders/billing": 3.0, "orders/shipping": 3.0, "orders/python": 0.0}
			for _, s := range q.Services {
				want["orders."+s.Name+".retry/"+s.Name], want["orders."+s.Name+".dlq/"+s.Name] = 0.0, 0.0
			}
			if got := c.subscriptions(exitOK); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("FAN-9: after %s there is %v, want %v", by, got, want)
			}
			// The other one finds nothing to do.
			out, _ = c.bqgen(exitOK, "provision", "--format", "json")
			if plan := jsonLines(t, out)[0]["plan"].([]any); len(plan) != 0 {
				t.Errorf("FAN-9: provision would still create %v", plan)
			}
			if err := bq.Declare(t.Context(), c.client, []bq.Queue{q}); err != nil {
				t.Fatal(err)
			}
			if got := c.subscriptions(exitOK); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("FAN-9: after both there is %v, want %v", got, want)
			}
		})
	}
}

// TestDeadLettersOfAService is FAN-11: each service has its own, and gets them back on its retry topic.
func TestDeadLettersOfAService(t *testing.T) {
	c := realPulsar(t)
	q := c.services()
	if err := bq.Declare(t.Context(), c.client, []bq.Queue{q}); err != nil {
		t.Fatal(err)
	}
	record := deadLetter{"a", createdURN, envelope.Failed, "no"}.record()
	for _, s := range q.Services {
		c.publish(s.DeadLetterTopic, record)
	}
	_, stderr := c.bqgen(exitFailed, "dlq", "list", "orders")
	if !strings.Contains(stderr, "name one of billing, shipping with --service") {
		t.Errorf("which service is not asked: %s", stderr)
	}
	out, _ := c.bqgen(exitOK, "dlq", "redrive", "orders", "--service", "billing", "--format", "json")
	if s := c.summary(out); s.Sent != 1 || s.Target != q.Services[0].RetryTopic {
		t.Errorf("FAN-11: %+v", s)
	}
	if n := c.waiting("--service", "billing")["total"]; n != 0.0 {
		t.Errorf("FAN-11: %v dead letters of billing wait, want none", n)
	}
	if n := c.waiting("--service", "shipping")["total"]; n != 1.0 {
		t.Errorf("FAN-11: %v dead letters of shipping wait, want 1", n)
	}
	_, messages := c.ledger(q.Services[0].RetryTopic)
	if len(messages) != 1 || messages[0].Properties()[envelope.PropertyAttempts] != "0" {
		t.Errorf("FAN-11: on the retry topic are %v", messages)
	}
	for _, name := range []string{q.Topic, q.Services[1].RetryTopic} {
		if n, _ := c.ledger(name); len(n) != 0 {
			t.Errorf("FAN-11: %s has got %v", name, n)
		}
	}
	out, _ = c.bqgen(exitOK, "dlq", "drop", "orders", "--service", "shipping", "--all", "--yes", "--format", "json")
	if s := c.summary(out); s.Dropped != 1 {
		t.Errorf("dropped %+v", s)
	}
	got := c.subscriptions(exitOK)
	want := []string{"orders.billing.dlq/billing", "orders.billing.retry/billing", "orders.shipping.dlq/shipping"}
	for i, backlog := range []float64{0, 1, 0} {
		if got[want[i]] != backlog {
			t.Errorf("FAN-3: %s has the backlog %v, want %v", want[i], got[want[i]], backlog)
		}
	}
	for name := range got {
		if strings.HasSuffix(name, "/babelqueue") {
			t.Errorf("FAN-3: there is %s", name)
		}
	}
}

// TestStatusHelpsToMoveAQueue is FS22: before a queue is moved to services, status says where they can start and how
// many messages they run once more then; afterwards, status and tail tell when HandleForeignRetries can go.
func TestStatusHelpsToMoveAQueue(t *testing.T) {
	c := realPulsar(t)
	q := c.services()
	old, err := c.client.Subscribe(pulsar.ConsumerOptions{
		Topic: q.Topic, SubscriptionName: "babelqueue", Type: pulsar.Shared, AckWithResponse: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	message := func(attempts string) *pulsar.ProducerMessage {
		m := deadLetter{id: "i", urn: createdURN}.record()
		m.Payload = []byte(fmt.Sprintf(`{"job":%q,"trace_id":"t","data":{"id":1,"customer":"c"},"meta":{"id":"i",`+
			`"queue":"orders","lang":"go","schema_version":1,"created_at":1749132727000},"attempts":0}`, createdURN))
		m.Properties = map[string]string{envelope.PropertyJob: createdURN, envelope.PropertyAttempts: attempts}
		return m
	}
	c.publish(q.Topic, message("0"), message("0"), message("0"), message("0"), message("0"), message("1"))
	for i := range 6 {
		m, err := old.Receive(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 || i == 2 || i == 3 { // 1, 4 and the retry are in hand
			if err := old.Ack(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, _ := c.bqgen(exitFindings, "status")
	var at string
	for line := range strings.Lines(out) {
		if rest, ok := strings.CutPrefix(line, "note: "+q.Topic+": babelqueue has acknowledged what is before "); ok {
			var more string
			at, more, _ = strings.Cut(rest, ",")
			if want := " and 2 messages behind it"; !strings.HasPrefix(more, want) {
				t.Errorf("status says%s, want%s", more, want)
			}
		}
	}
	var ledger, entry int64
	if _, err := fmt.Sscanf(at, "%d:%d", &ledger, &entry); err != nil {
		t.Fatalf("status does not say where services can start: %v\n%s", err, out)
	}
	for _, s := range q.Services { // as pulsar-admin topics create-subscription --messageId does
		id := utils.MessageID{LedgerID: ledger, EntryID: entry, PartitionIndex: -1}
		name, err := utils.GetTopicName(q.Topic)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.api().Subscriptions().Create(*name, s.Name, id); err != nil {
			t.Fatal(err)
		}
	}
	c.bqgen(exitOK, "provision", "--yes")
	got := c.subscriptions(exitOK)
	if got["orders/billing"] != 5.0 || got["orders/babelqueue"] != 3.0 {
		t.Errorf("there wait %v, want 5 messages for billing, 2 more than for babelqueue", got)
	}

	// Both services have handled everything, old retries too. What is published then is the oldest.
	for _, s := range q.Services {
		taken, err := c.client.Subscribe(pulsar.ConsumerOptions{
			Topic: q.Topic, SubscriptionName: s.Name, Type: pulsar.Shared, AckWithResponse: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer taken.Close()
		for i := range 5 {
			m, err := taken.Receive(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if i == 4 && s.Name == "shipping" {
				c.publish(q.Topic, message("0"))
			}
			if err := taken.Ack(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	oldest := func() (all []string) {
		out, _ := c.bqgen(exitOK, "status", "--format", "json")
		for _, t := range jsonLines(c.t, out)[0]["topics"].([]any) {
			for _, s := range t.(map[string]any)["subscriptions"].([]any) {
				if row := s.(map[string]any); t.(map[string]any)["topic"] == q.Topic && row["needed"] == true {
					all = append(all, fmt.Sprint(row["oldest"]))
				}
			}
		}
		return all
	}
	all := oldest()
	if len(all) != 2 || all[0] != all[1] {
		t.Fatalf("the oldest messages are of %v, want one time for both services", all)
	}
	if out, _ := c.bqgen(exitOK, "tail", "orders"); strings.Count(out, "retry 1") != 1 {
		t.Errorf("tail does not show the old retry:\n%s", out)
	}
	if out, _ := c.bqgen(exitOK, "tail", "orders", "--since", all[0]); strings.Contains(out, "retry") || out == "" {
		t.Errorf("from the oldest message on, tail shows:\n%s", out)
	}
}

// api returns the admin API of the cluster.
func (c *cluster) api() pulsaradmin.Client {
	c.t.Helper()
	api, err := pulsaradmin.NewClient(&pulsaradmin.Config{WebServiceURL: c.admin})
	if err != nil {
		c.t.Fatal(err)
	}
	return api
}
