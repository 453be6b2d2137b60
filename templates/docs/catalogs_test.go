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
	files, findings, err := Generate(c, f)
	if err != nil || findings.HasErrors() {
		t.Fatal(findings, err)
	}
	return files
}

// shop is a small catalog of which the tests know what is in it, and example the one that users see.
const (
	shop    = "testdata/shop.yaml"
	example = "../../examples/urns.yaml"
)

// everyKeyword is a catalog that uses all that a payload can say.
const everyKeyword = "testdata/everything.yaml"

// large makes a catalog with many services; each message has a few of them.
func large(services, messages int) string {
	var b strings.Builder
	b.WriteString("bqgen: 1\npackage: large\ninfo: {title: A large company, owner: architecture, description: Everything that anybody says to anybody.}\nqueues:\n")
	queues := max(1, messages/8)
	for q := range queues {
		fmt.Fprintf(&b, "  queue-%d: {}\n", q)
	}
	b.WriteString("urns:\n")
	for m := range messages {
		fmt.Fprintf(&b, "  urn:babel:context-%d:thing.number.%d.happened:\n    queue: queue-%d\n    name: Thing%dHappened\n    summary: The thing with the number %d has happened.\n", m%queues, m, m%queues, m, m)
		fmt.Fprintf(&b, "    publishers: [service-%d]\n    consumers: [service-%d, service-%d]\n", m*7%services, (m*11+3)%services, (m*5+1)%services)
		b.WriteString("    data: {type: object, required: [id], properties: {id: {type: integer}, name: {type: string}}}\n    examples: [{id: 1}]\n")
	}
	return b.String()
}
