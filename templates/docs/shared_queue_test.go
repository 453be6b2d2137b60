package docs

import (
	"fmt"
	"strings"
	"testing"
)

// Pages grow with their catalog, however many services share a queue.
func TestManyServicesThatShareAQueue(t *testing.T) {
	for _, format := range []Format{HTML, Markdown} {
		size := func(n int) int {
			var b strings.Builder
			b.WriteString("bqgen: 1\npackage: p\nqueues: {q: {}}\nurns:\n")
			for i := 100; i < 100+n; i++ { // names of one length
				fmt.Fprintf(&b, "  u%d: {queue: q, publishers: [p%d], consumers: [c%d], data: {type: object}}\n", i, i, i)
			}
			total := 0
			for _, page := range generate(t, parse(t, b.String()), format) {
				total += len(page)
			}
			return total
		}
		if few, many := size(40), size(80); many > 2*few {
			t.Errorf("format %d: %d bytes for 40 services, %d for 80", format, few, many)
		}
	}
}
