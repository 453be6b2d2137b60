package golang_test

import (
	"bytes"
	"testing"

	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/golang"
)

// plainCatalog is a URN with four plain fields, and a limit on each.
const plainCatalog = `
bqgen: 1
package: shop
queues: {orders: {}}
urns:
  urn:babel:orders:created:
    queue: orders
    summary: A customer has placed an order.
    key: /customer
    data:
      type: object
      required: [customer]
      properties:
        customer: {type: string, minLength: 1, maxLength: 500, pattern: "^[A-Z]+$"}
        amount: {type: integer, minimum: 1}
        placed_at: {type: string, format: date-time}
        note: {type: string, maxLength: 80}
`

// A file that people review must be short enough to be reviewed.
func TestTheReviewedFileOfAPlainURNIsShort(t *testing.T) {
	const most = 51
	c, findings := load.Parse("urns.yaml", []byte(plainCatalog))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	files, findings, err := golang.Generate(c, golang.Options{})
	if err != nil || findings.HasErrors() {
		t.Fatal(findings, err)
	}
	text := files["orders_created.bq.go"]
	if lines := bytes.Count(text, []byte("\n")); lines == 0 || lines > most {
		t.Errorf("%d lines, want at most %d:\n%s", lines, most, text)
	}
	for _, part := range []string{"type OrdersCreated struct", "type OrdersCreatedHandler interface",
		"func OnOrdersCreated",
		"func OrdersCreatedDefinition", "// 1 to 500 characters; matches ^[A-Z]+$\n"} {
		if !bytes.Contains(text, []byte(part)) {
			t.Errorf("the file lacks %q:\n%s", part, text)
		}
	}
}
