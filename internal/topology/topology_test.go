package topology_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/internal/provision"
	"github.com/babelqueue/bqgen/internal/topology"
	"github.com/babelqueue/bqgen/schema/load"
)

const catalog = `bqgen: 1
package: shop
queues:
  orders: {services: [billing, shipping]}
  jobs: {dead_letter: letters}
  pings: {topic: persistent://acme/eu/pings, dead_letter: false, services: [billing]}
urns:
  urn:a: {queue: orders, consumers: [billing, shipping], data: {type: object}}
  urn:b: {queue: jobs, data: {type: object}}
  urn:c: {queue: pings, consumers: [billing], data: {type: object}}
`

// TestNamedSubscriptions: the names that consumers were given as options. Those of services are the services'.
func TestNamedSubscriptions(t *testing.T) {
	c, findings := load.Parse("urns.yaml", []byte(catalog))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	for _, test := range []struct {
		names []string
		want  string // of jobs, then of orders for billing; "" for an error
	}{
		{nil, "babelqueue babelqueue billing billing"},
		{[]string{"mine"}, "mine mine billing billing"},
		{[]string{"mine", "jobs=its"}, "its its billing billing"},
		{[]string{"orders=mine"}, ""},
		{[]string{"nobody=mine"}, ""},
		{[]string{"jobs="}, ""},
		{[]string{""}, ""},
	} {
		places, err := topology.Of(c, "")
		if err != nil {
			t.Fatal(err)
		}
		err = places.NameSubscriptions(test.names)
		if other := places.NameDeadLetterSubscriptions(test.names); fmt.Sprint(other) != fmt.Sprint(err) {
			t.Errorf("%q: %v and %v", test.names, err, other)
		}
		got := ""
		if err == nil {
			jobs, _ := places.Group("jobs", "")
			billing, _ := places.Group("orders", "billing")
			got = fmt.Sprint(jobs.Subscription, " ", jobs.DeadLetterSubscription, " ", billing.Subscription, " ",
				billing.DeadLetterSubscription)
		}
		if got != test.want {
			t.Errorf("%q: %s (%v), want %s", test.names, got, err, test.want)
		}
	}
}

// TestWhatIsNeeded is FAN-1 to FAN-3: each service has its own topics and subscriptions, in each namespace.
func TestWhatIsNeeded(t *testing.T) {
	c, findings := load.Parse("urns.yaml", []byte(catalog))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	for namespace, prefix := range map[string]string{
		"": "persistent://public/default/", "acme/prod": "persistent://acme/prod/",
	} {
		places, err := topology.Of(c, namespace)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, n := range provision.Needs(places, func(string) int { return 0 }) {
			var names []string
			for _, s := range n.Subscriptions {
				names = append(names, s.Name)
			}
			got[n.Topic] = fmt.Sprint(names)
		}
		want := map[string]string{
			prefix + "orders":                          "[billing shipping]",
			prefix + "orders.billing.retry":            "[billing]",
			prefix + "orders.billing.dlq":              "[billing]",
			prefix + "orders.shipping.retry":           "[shipping]",
			prefix + "orders.shipping.dlq":             "[shipping]",
			prefix + "jobs":                            "[babelqueue]",
			prefix + "letters":                         "[babelqueue]",
			"persistent://acme/eu/pings":               "[billing]",
			"persistent://acme/eu/pings.billing.retry": "[billing]",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("in the namespace %q (-want +got):\n%s", namespace, diff)
		}
	}
}
