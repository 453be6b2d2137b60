package docs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	schemaload "github.com/babelqueue/bqgen/schema/load"
)

func parse(t *testing.T, text string) *schema.Catalog {
	t.Helper()
	c, findings := schemaload.Parse("urns.yaml", []byte(text))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return c
}

func load(t *testing.T, path string) *schema.Catalog {
	t.Helper()
	c, findings, err := schemaload.Load(path)
	if err != nil || findings.HasErrors() {
		t.Fatal(findings, err)
	}
	return c
}

func generate(t *testing.T, c *schema.Catalog, f Format) map[string][]byte {
	t.Helper()
	files, err := Generate(c, f)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// shop is a small catalog whose content the tests know, and example is the one that users see.
const (
	shop    = "testdata/shop.yaml"
	example = "../../examples/urns.yaml"
)

// everyKeyword is a catalog that uses every keyword of a payload.
const everyKeyword = "testdata/everything.yaml"

// large returns a catalog with many services, of which each message uses a few.
func large(services, messages int) string {
	var b strings.Builder
	b.WriteString("bqgen: 1\npackage: large\n" +
		"info: {title: A large company, owner: architecture, description: All messages of the company.}\nqueues:\n")
	queues := max(1, messages/8)
	for q := range queues {
		fmt.Fprintf(&b, "  queue-%d: {}\n", q)
	}
	b.WriteString("urns:\n")
	for m := range messages {
		fmt.Fprintf(&b, "  urn:babel:context-%[2]d:thing.number.%[1]d.happened:\n    queue: queue-%[2]d\n"+
			"    name: Thing%[1]dHappened\n    summary: Thing number %[1]d has happened.\n", m, m%queues)
		fmt.Fprintf(&b, "    publishers: [service-%d]\n    consumers: [service-%d, service-%d]\n",
			m*7%services, (m*11+3)%services, (m*5+1)%services)
		b.WriteString("    data: {type: object, required: [id], properties: {id: {type: integer}, name: {type: string}}}\n" +
			"    examples: [{id: 1}]\n")
	}
	return b.String()
}
