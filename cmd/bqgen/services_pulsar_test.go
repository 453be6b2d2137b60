package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

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
