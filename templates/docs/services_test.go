package docs

import (
	"strings"
	"testing"
)

// served has a queue with services, and a work queue on which the same consumers compete.
const served = `
bqgen: 1
package: shop
queues:
  orders: {services: [billing, shipping], topic: persistent://acme/eu/orders}
  pings: {services: [billing], dead_letter: false}
  jobs: {}
  alone: {}
urns:
  urn:babel:orders:placed: {queue: orders, publishers: [web], consumers: [billing, shipping, z], data: {type: object}}
  urn:babel:orders:paid: {queue: orders, publishers: [web], consumers: [billing], data: {type: object}}
  urn:babel:pings:sent: {queue: pings, consumers: [billing], data: {type: object}}
  urn:babel:jobs:due: {queue: jobs, consumers: [billing, shipping], data: {type: object}}
  urn:babel:jobs:late: {queue: jobs, consumers: [shipping], data: {type: object}}
  urn:babel:alone:due: {queue: alone, consumers: [shipping], data: {type: object}}
`

func TestServicesHavePages(t *testing.T) {
	files := generate(t, parse(t, served), HTML)
	checkSite(t, files)
	for page, want := range map[string][]string{
		"service-billing.html": {
			"every message of these, on its own", "<code>billing</code>", "orders.<wbr>billing.<wbr>retry",
			"orders.<wbr>billing.<wbr>dlq", "dropped", "shop.BillingOrdersHandler", "shop.NewBillingPingsConsumer",
			"some messages; others go to", "<code>babelqueue</code>", "It publishes no messages.",
		},
		"service-web.html":        {"It handles no messages.", "OrdersPlaced"},
		"queue-orders.html":       {"Handled by each of", "each service on its own", "orders.<wbr>shipping.<wbr>dlq"},
		"queue-jobs.html":         {"Handled by one of", "each message goes to one of them", "shop.JobsHandler"},
		"queue-alone.html":        {"Handled by<", "shop.NewAloneConsumer"},
		"urn-babel-jobs-due.html": {"Handled by one of"},
	} {
		content := string(files[page])
		for _, part := range want {
			if !strings.Contains(content, part) {
				t.Errorf("%s lacks %q", page, part)
			}
		}
	}
	if strings.Contains(string(files["queue-orders.html"]), "NewOrdersConsumer") {
		t.Error("a queue with services has a plain consumer")
	}
	if files["service-z.html"] != nil {
		t.Error("a consumer that receives nothing has a page")
	}
}

func TestServicesHaveMarkdownPages(t *testing.T) {
	files := generate(t, parse(t, served), Markdown)
	for page, want := range map[string][]string{
		"service-billing.md": {
			"- Receives: every message of these, on its own\n- Subscription: `billing`\n" +
				"- Retries: `persistent://acme/eu/orders.billing.retry`\n" +
				"- Dead letters: `persistent://acme/eu/orders.billing.dlq`",
			"- Receives: some messages; others go to [shipping](service-shipping.md)\n- Subscription: `babelqueue`",
			"shop.NewBillingOrdersConsumer(client, service)",
		},
		"queue-orders.md": {"- Dead letters: each service on its own", "Handled by each of: [billing](service-billing.md)"},
		"queue-jobs.md":   {"Handled by one of: ", "The consumers share the messages"},
		"README.md":       {"## Services\n\n- [billing](service-billing.md)"},
	} {
		content := string(files[page])
		for _, part := range want {
			if !strings.Contains(content, part) {
				t.Errorf("%s lacks %q:\n%s", page, part, content)
			}
		}
	}
}

// The picture shows the consumers of a work queue as one, and services apart.
func TestThePictureShowsWhoCompetes(t *testing.T) {
	s := siteOf(t, parse(t, served))
	got := map[string]int{}
	for _, e := range s.Flow.Edges {
		if e.To.Service != nil {
			got[e.From.Message.GoName+" to "+e.To.Service.Name]++
		}
	}
	for _, want := range []string{
		"OrdersPlaced to billing", "OrdersPlaced to shipping", "OrdersPaid to billing", "PingsSent to billing",
		"JobsDue to billing or shipping", "JobsLate to billing or shipping", "AloneDue to shipping",
	} {
		if got[want] != 1 {
			t.Errorf("%d lines for %s", got[want], want)
		}
		delete(got, want)
	}
	if len(got) > 0 {
		t.Errorf("more lines: %v", got)
	}
}
