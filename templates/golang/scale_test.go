package golang_test

import (
	"fmt"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/golang"
)

// BenchmarkGenerate shows that time grows with the catalog: 30 fields in each of that many URNs.
func BenchmarkGenerate(b *testing.B) {
	for _, urns := range []int{500, 1000, 2000} {
		c := wideCatalog(urns, 30)
		b.Run(fmt.Sprintf("%d-urns", urns), func(b *testing.B) {
			for b.Loop() {
				files, findings, err := golang.Generate(c, golang.Options{})
				if err != nil || len(findings) > 0 || len(files) != urns+1 {
					b.Fatal(len(files), findings, err)
				}
			}
		})
	}
}

func wideCatalog(urns, fields int) *schema.Catalog {
	c := &schema.Catalog{File: "urns.yaml", Package: "events"}
	q := &schema.Queue{Name: "orders", Topic: "orders", MaxAttempts: 3}
	c.Queues = []*schema.Queue{q}
	kinds := []schema.Kind{schema.String, schema.Integer, schema.Number, schema.Boolean}
	for i := range urns {
		data := &schema.Schema{Kind: schema.Object, Description: "A payload."}
		for j := range fields {
			p := &schema.Property{Name: fmt.Sprintf("member_number_%d", j), Required: j%2 == 0, Schema: &schema.Schema{Kind: kinds[j%4], Description: "A member."}}
			data.Properties = append(data.Properties, p)
		}
		c.URNs = append(c.URNs, &schema.URN{URN: fmt.Sprintf("urn:babel:orders:created-%d", i), Queue: q, Summary: "Something.", Data: data})
	}
	return c
}
