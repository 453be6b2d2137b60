package gonames

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

const namesCatalog = `
bqgen: 1
package: shop
queues: {orders: {}, mail-out: {name: Mail}}
types:
  money:
    type: object
    required: [amount]
    properties: {amount: {type: string}, Validate: {type: boolean}}
  code: {type: string, format: uuid}
urns:
  urn:babel:orders:created:
    queue: orders
    data:
      type: object
      properties:
        order_id: {type: integer}
        total: {$ref: '#/types/money'}
        lines: {type: array, items: {type: object, properties: {sku: {$ref: '#/types/code'}}}}
        state: {type: string, enum: [open, done]}
        code: {type: string, pattern: "^[A-Z]$"}
  urn:babel:mail:sent:
    queue: mail-out
    name: MailGone
    data: {type: object, properties: {to: {type: string}}}
`

func namesOf(t *testing.T) (*schema.Catalog, *Names) {
	t.Helper()
	c, findings := load.Parse("urns.yaml", []byte(namesCatalog))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	names, findings := Of(c)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return c, names
}

func TestEverythingHasAName(t *testing.T) {
	c, names := namesOf(t)
	got := map[string]any{"package": names.Package}
	for _, u := range c.URNs {
		got[u.URN] = names.Messages[u]
	}
	for _, q := range c.Queues {
		got["queue "+q.Name] = names.Queues[q]
	}
	for _, ty := range c.Types {
		got["type "+ty.Name] = names.Types[ty]
		for _, p := range ty.Schema.Properties {
			got["type "+ty.Name+"/"+p.Name] = names.Fields[p]
		}
	}
	for _, p := range c.URNs[0].Data.Properties {
		got["created/"+p.Name] = names.Fields[p]
	}
	created := c.URNs[0].Data.Properties
	item, state, code := created[2].Schema.Items, created[3].Schema, created[4].Schema
	got["created/lines/sku"] = names.Fields[item.Properties[0]]
	got["an item of lines"] = *names.Schemas[item]
	got["the type of state"] = *names.Schemas[state]
	got["the type of code"] = *names.Schemas[code]
	want := map[string]any{
		"package": "shop",
		"urn:babel:orders:created": Message{
			Type: "OrdersCreated", Const: "OrdersCreatedURN", Publisher: "OrdersCreated",
			Publishes: "OrdersCreatedPublisher", Handler: "OrdersCreatedHandler",
			Method: "HandleOrdersCreated", On: "OnOrdersCreated", OnBatch: "OnOrdersCreatedBatch",
			Definition: "OrdersCreatedDefinition", Codec: "codecOrdersCreated",
			File: "orders_created.bq.go", CodecFile: "orders_created.codec.bq.go",
		},
		"urn:babel:mail:sent": Message{
			Type: "MailGone", Const: "MailGoneURN", Publisher: "MailGone",
			Publishes: "MailGonePublisher", Handler: "MailGoneHandler",
			Method: "HandleMailGone", On: "OnMailGone", OnBatch: "OnMailGoneBatch",
			Definition: "MailGoneDefinition", Codec: "codecMailGone",
			File: "mail_gone.bq.go", CodecFile: "mail_gone.codec.bq.go",
		},
		"queue orders": Queue{
			Function: "OrdersQueue", Handler: "OrdersHandler", Constructor: "NewOrdersConsumer", Payload: "OrdersPayload",
			Marker: "isOrdersPayload", Decodings: "decodeOrdersQueue", Read: "ReadOrders", Stream: "NewOrdersStream",
		},
		"queue mail-out": Queue{
			Function: "MailQueue", Handler: "MailHandler", Constructor: "NewMailConsumer", Payload: "MailPayload",
			Marker: "isMailPayload", Decodings: "decodeMailQueue", Read: "ReadMail", Stream: "NewMailStream",
		},
		"type money":          "Money",
		"type money/amount":   "Amount",
		"type money/Validate": "ValidateField",
		"type code":           "Code",
		"created/order_id":    "OrderID",
		"created/total":       "Total",
		"created/lines":       "Lines",
		"created/lines/sku":   "SKU",
		"created/state":       "State",
		"created/code":        "Code",
		"an item of lines":    Schema{Type: "OrdersCreatedLinesItem"},
		"the type of state": Schema{
			Type: "OrdersCreatedState", Values: "OrdersCreatedStateValues", Table: "enumOrdersCreatedState",
			Constants: []string{"OrdersCreatedStateOpen", "OrdersCreatedStateDone"},
		},
		"the type of code": Schema{Pattern: "patternOrdersCreatedCode"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestNamesThatCollideAreFindings(t *testing.T) {
	c, findings := load.Parse("urns.yaml", []byte(`
bqgen: 1
package: shop
queues: {q: {}}
urns:
  urn:a:b-c: {queue: q, data: {type: object}}
  urn:a:b_c: {queue: q, data: {type: object}}
`))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	names, findings := Of(c)
	if len(findings) != 1 || !findings.HasErrors() {
		t.Errorf("got findings %v, want one error", findings)
	}
	for _, u := range c.URNs {
		if got := names.Messages[u].Type; got != "BC" {
			t.Errorf("%s is called %q, want its preferred name in spite of the collision", u.URN, got)
		}
	}
}
