package golang_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/golang"
)

// BenchmarkLoadAndGenerate shows that time grows linearly with the catalog, from its text to the text of the code. Each
// URN has 30 fields.
func BenchmarkLoadAndGenerate(b *testing.B) {
	for _, urns := range []int{500, 1000, 2000} {
		text := wideCatalog(urns, 30)
		b.Run(fmt.Sprintf("%d-urns", urns), func(b *testing.B) {
			for b.Loop() {
				c, findings := load.Parse("urns.yaml", text)
				if len(findings) > 0 {
					b.Fatal(findings)
				}
				files, findings, err := golang.Generate(c, golang.Options{})
				if err != nil || len(findings) > 0 || len(files) != 2*urns+3 {
					b.Fatal(len(files), findings, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*urns), "µs/urn")
		})
	}
}

// wideCatalog is the text of a catalog whose fields have all common types.
func wideCatalog(urns, fields int) []byte {
	schemas := []string{
		"{type: integer, minimum: 0}", "{type: string, maxLength: 40}", "{type: number}", "{type: boolean}",
		"{type: string, format: date-time}",
		"{type: [string, \"null\"]}", "{$ref: '#/types/Money'}", "{type: array, items: {type: string}}",
		"{type: string, enum: [open, done]}",
		"{type: object, additionalProperties: {type: integer}}",
	}
	var b strings.Builder
	b.WriteString("bqgen: 1\npackage: events\nqueues: {orders: {}}\ntypes:\n" +
		"  Money: {type: object, required: [amount], properties: {amount: {type: string, format: decimal}}}\nurns:\n")
	for i := range urns {
		fmt.Fprintf(&b, "  urn:babel:orders:created-%d:\n    queue: orders\n    summary: Something.\n"+
			"    data:\n      type: object\n      required: [member_number_0, member_number_2]\n      properties:\n", i)
		for j := range fields {
			fmt.Fprintf(&b, "        member_number_%d: %s\n", j, schemas[j%len(schemas)])
		}
	}
	return []byte(b.String())
}
