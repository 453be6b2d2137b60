package docs

import (
	"fmt"
	"testing"

	"github.com/babelqueue/bqgen/schema"
)

// BenchmarkGenerate shows how the time grows with the catalog.
func BenchmarkGenerate(b *testing.B) {
	for _, urns := range []int{500, 1000, 2000} {
		for i, name := range Formats {
			b.Run(fmt.Sprintf("%s/%d", name, urns), func(b *testing.B) {
				c, findings := schema.Parse("urns.yaml", []byte(large(100, urns)))
				if findings.HasErrors() {
					b.Fatal(findings)
				}
				for b.Loop() {
					if _, _, err := Generate(c, Format(i)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
