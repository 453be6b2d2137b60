package compat

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each change of services says what happens if it is rolled out in the wrong order (FS6, FS11, FS23).
func TestChangesOfServicesSayWhatHappens(t *testing.T) {
	const before = `bqgen: 1
package: p
queues: {orders: {services: [billing, shipping, audit]}, other: {services: [audit]}}
urns:
  b: {queue: orders, consumers: [billing, audit], data: {type: object}}
  s: {queue: orders, consumers: [shipping, audit], data: {type: object}}
  o: {queue: other, consumers: [audit], data: {type: object}}
`
	const after = `bqgen: 1
package: p
queues: {orders: {services: [billing, dispatch, audit]}, other: {services: [audit, billing]}}
urns:
  b: {queue: orders, consumers: [billing, dispatch], data: {type: object}}
  s: {queue: orders, consumers: [audit], data: {type: object}}
  n: {queue: orders, consumers: [billing], data: {type: object}}
  o: {queue: other, consumers: [audit, billing], data: {type: object}}
`
	var got []string
	for _, c := range Compare(parseCase(t, before), parseCase(t, after), Options{}) {
		if c.Rule != "services-changed" && c.Rule != "urn-added" {
			got = append(got, fmt.Sprintf("%d %s %v: %s: %s", c.Pos.Line, c.Rule, c.URNs, c.Direction(), c.Message))
		}
	}
	want := []string{
		`3 service-removed [s]: breaks consumers reading new messages: service "shipping" of queue "orders" was removed: ` +
			`its subscription stays, and its backlog grows for ever`,
		`3 service-added [b]: safe: queue "orders" has the new service "dispatch"`,
		`3 service-added [o]: safe: queue "other" has the new service "billing"`,
		`5 service-receives-less [b]: safe: service "audit" of queue "orders" skips URN "b" now`,
		`7 service-urn-added [n]: breaks consumers reading new messages: URN "n" is new on queue "orders": until they are ` +
			`deployed with the new code, the services "billing", "shipping", "audit" dead-letter it as unknown, ` +
			`each on its own topic`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}
