package golang

import (
	"go/ast"
	"go/parser"
	"go/token"
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
  money: {type: object, required: [amount], properties: {amount: {type: string}, Validate: {type: boolean}}}
  code: {type: string, format: uuid}
urns:
  urn:babel:orders:created:
    queue: orders
    data: {type: object, properties: {order_id: {type: integer}, total: {$ref: '#/types/money'}, lines: {type: array, items: {type: object, properties: {sku: {$ref: '#/types/code'}}}}}}
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
	names, findings := PlanNames(c, Options{})
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return c, names
}

func TestNamesCoverEverythingThatIsNamed(t *testing.T) {
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
	got["created/lines/sku"] = names.Fields[c.URNs[0].Data.Properties[2].Schema.Items.Properties[0]]
	want := map[string]any{
		"package": "shop",
		"urn:babel:orders:created": MessageNames{
			Type: "OrdersCreated", Const: "OrdersCreatedURN", Publisher: "OrdersCreated", Handler: "OrdersCreatedHandler",
			Method: "HandleOrdersCreated", On: "OnOrdersCreated", File: "orders_created.bq.go",
		},
		"urn:babel:mail:sent": MessageNames{
			Type: "MailGone", Const: "MailGoneURN", Publisher: "MailGone", Handler: "MailGoneHandler",
			Method: "HandleMailGone", On: "OnMailGone", File: "mail_gone.bq.go",
		},
		"queue orders":        QueueNames{Var: "OrdersQueue", Handler: "OrdersHandler", Constructor: "NewOrdersConsumer"},
		"queue mail-out":      QueueNames{Var: "MailQueue", Handler: "MailHandler", Constructor: "NewMailConsumer"},
		"type money":          "Money",
		"type money/amount":   "Amount",
		"type money/Validate": "ValidateField",
		"type code":           "Code",
		"created/order_id":    "OrderID",
		"created/total":       "Total",
		"created/lines":       "Lines",
		"created/lines/sku":   "SKU",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestNamesAreThoseOfTheGeneratedCode(t *testing.T) {
	c, names := namesOf(t)
	files, findings, err := Generate(c, Options{})
	if err != nil || findings.HasErrors() {
		t.Fatal(findings, err)
	}
	declared := map[string]bool{}
	for name, text := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				declared[n.Name.Name] = true
			case *ast.FuncDecl:
				declared[n.Name.Name] = true
			case *ast.ValueSpec:
				declared[n.Names[0].Name] = true
			case *ast.Field:
				for _, id := range n.Names {
					declared["."+id.Name] = true
				}
			}
			return true
		})
	}
	var want []string
	for _, m := range names.Messages {
		want = append(want, m.Type, m.Const, "."+m.Publisher, m.Handler, "."+m.Method, m.On)
		if files[m.File] == nil {
			t.Errorf("there is no file %s", m.File)
		}
	}
	for _, q := range names.Queues {
		want = append(want, q.Var, q.Handler, q.Constructor)
	}
	for _, name := range names.Types {
		want = append(want, name)
	}
	for _, name := range names.Fields {
		want = append(want, "."+name)
	}
	for _, name := range want {
		if !declared[name] {
			t.Errorf("the generated code has no %s", name)
		}
	}
}

func TestNamesThatCollideAreFindings(t *testing.T) {
	c, findings := load.Parse("urns.yaml", []byte("bqgen: 1\npackage: shop\nqueues: {q: {}}\nurns:\n  urn:a:b-c: {queue: q, data: {type: object}}\n  urn:a:b_c: {queue: q, data: {type: object}}\n"))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	if names, findings := PlanNames(c, Options{}); names != nil || len(findings) == 0 {
		t.Errorf("got %v and findings %v", names, findings)
	}
}
