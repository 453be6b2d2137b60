package docs

import (
	"fmt"
	"testing"

	schemaload "github.com/babelqueue/bqgen/schema/load"
)

// BenchmarkGenerate shows how the time grows with the catalog.
func BenchmarkGenerate(b *testing.B) {
	for _, urns := range []int{500, 1000, 2000} {
		for i, name := range Formats {
			b.Run(fmt.Sprintf("%s/%d", name, urns), func(b *testing.B) {
				c, findings := schemaload.Parse("urns.yaml", []byte(large(100, urns)))
				if findings.HasErrors() {
					b.Fatal(findings)
				}
				for b.Loop() {
					if _, err := Generate(c, Format(i)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
