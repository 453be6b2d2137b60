package load

import (
	"fmt"
	"strings"
	"testing"
)

// manyURNs is a catalog of URNs with 30 fields each, of the kinds that teams have.
func manyURNs(count int) []byte {
	var b strings.Builder
	b.WriteString("bqgen: 1\npackage: many\nqueues: {orders: {}}\ntypes:\n" +
		"  Money: {type: object, required: [amount, currency], properties: {amount: {type: string, format: decimal}, " +
		"currency: {type: string, enum: [EUR, USD]}}}\nurns:\n")
	fields := []string{
		"{type: string}", "{type: string, maxLength: 64}", "{type: integer}", "{type: integer, minimum: 0, maximum: 100}",
		"{type: number}",
		"{type: boolean}", "{type: string, format: date-time}", "{type: string, format: uuid}",
		"{type: string, enum: [open, closed], default: open}", "{$ref: '#/types/Money'}",
	}
	for i := range count {
		fmt.Fprintf(&b, "  urn:babel:orders:event-%d:\n    queue: orders\n    data:\n      type: object\n      required: "+
			"[field0, field1]\n      properties:\n", i)
		for f := range 30 {
			fmt.Fprintf(&b, "        field%d: %s\n", f, fields[f%len(fields)])
		}
		b.WriteString("    examples:\n      - {field0: a, field1: b, field9: {amount: \"1.00\", currency: EUR}}\n")
	}
	return []byte(b.String())
}

func BenchmarkLoad(b *testing.B) {
	for _, count := range []int{500, 1000, 2000} {
		src := manyURNs(count)
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if c, findings := Parse("urns.yaml", src); c == nil {
					b.Fatal(findings[:1])
				}
			}
		})
	}
}
