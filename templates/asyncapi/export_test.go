package asyncapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	judge "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/dev/node"
	"github.com/babelqueue/bqgen/schema"
	schemaload "github.com/babelqueue/bqgen/schema/load"
)

func load(t *testing.T, path string) *schema.Catalog {
	t.Helper()
	c, findings, err := schemaload.Load(path)
	if err != nil || findings.HasErrors() {
		t.Fatal(findings, err)
	}
	return c
}

func parse(t *testing.T, text string) *schema.Catalog {
	t.Helper()
	c, findings := schemaload.Parse("urns.yaml", []byte(text))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return c
}

func generate(t *testing.T, c *schema.Catalog, name string) []byte {
	t.Helper()
	text, err := Generate(c, name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// hostile contains texts that would end the string they are in, names that cannot be keys, and a type that is called
// like a schema of the envelope.
const hostile = `
bqgen: 1
package: shop
info: {title: "\"}", owner: "a: b\n- c", description: "# no heading\n\u202e"}
queues: {"q/~ü<": {topic: a/b/c, name: Odd}, 'urn:q': {topic: t}}
types:
  'a/b~c%"': {type: string}
  Data: {type: object, properties: {x: {type: integer}, meta: {$ref: '#/types/bqgen.Meta'}}}
  bqgen.Meta: {type: string}
urns:
  "urn:\"\\</script>\u202e../../x":
    queue: "q/~ü<"
    name: Data
    summary: "\"}, {"
    publishers: ["a/b", "a~b", "yes"]
    consumers: ["ü"]
    data: {$ref: '#/types/Data'}
    examples: [{x: 1}]
  urn:babel:größe:geändert:
    queue: urn:q
    name: Größe
    publishers: ["yes"]
    data:
      type: object
      properties:
        "$ref": {type: string}
        "\"": {$ref: '#/types/a~1b~0c%25%22'}
        properties: {type: object, properties: {$ref: {type: integer}}}
    examples: [{"$ref": "/etc/passwd", "\"": "y"}, {"\"": "y"}]
`

const nothing = "bqgen: 1\npackage: shop\nqueues: {}\nurns: {}\n"

func catalogs(t *testing.T) map[string]*schema.Catalog {
	return map[string]*schema.Catalog{
		"example":    load(t, "../../examples/urns.yaml"),
		"everything": load(t, "../docs/testdata/everything.yaml"),
		"hostile":    parse(t, hostile),
		"nothing":    parse(t, nothing),
	}
}

// environment returns an environment with the AsyncAPI initiative's own schema and parser. It skips the test where they
// are not available, except in CI.
func environment(t *testing.T) *node.Env {
	t.Helper()
	if testing.Short() {
		t.Skip("may download npm packages")
	}
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join("testdata", "judge", name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	env, err := node.Environment(t.Context(), read("package.json"), read("package-lock.json"))
	if errors.Is(err, node.ErrUnavailable) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return env
}

func TestDocumentsSatisfyTheOfficialSchema(t *testing.T) {
	env := environment(t)
	text, err := os.ReadFile(env.Path("@asyncapi/specs/schemas/3.0.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := judge.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := judge.NewCompiler()
	c.DefaultDraft(judge.Draft7)
	if err := c.AddResource("asyncapi.json", spec); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("asyncapi.json")
	if err != nil {
		t.Fatal(err)
	}
	check := func(text []byte) error {
		v, err := judge.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return compiled.Validate(v)
	}
	for name, c := range catalogs(t) {
		text := generate(t, c, "a.json")
		if err := check(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, part := range []string{`"version":`, `"persistence": "`, `"action": "`} {
			broken := strings.Replace(string(text), part, strings.Replace(part, `"`, `"x`, 1), 1)
			if broken != string(text) && check([]byte(broken)) == nil {
				t.Errorf("%s: valid without %s", name, part)
			}
		}
	}
}

// A verdict is what testdata/judge/judge.js prints for a document.
type verdict struct {
	File                           string
	Read                           bool
	Channels, Messages, Operations int
	Diagnostics                    []struct {
		Severity            int
		Code, Path, Message string
	}
}

func TestTheOfficialParserReadsDocumentsWithoutAWarning(t *testing.T) {
	env := environment(t)
	dir := t.TempDir()
	var files []string
	want := map[string]*schema.Catalog{}
	for name, c := range catalogs(t) {
		for _, ext := range []string{".json", ".yaml"} {
			file := filepath.Join(dir, name+ext)
			if err := os.WriteFile(file, generate(t, c, file), 0o600); err != nil {
				t.Fatal(err)
			}
			files, want[file] = append(files, file), c
		}
	}
	broken := filepath.Join(dir, "broken.json")
	text := strings.Replace(string(generate(t, want[files[0]], "a.json")), `"channels": {`, `"channel": {`, 1)
	if err := os.WriteFile(broken, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join("testdata", "judge", "judge.js")
	out, err := env.Command(t.Context(), script, append(files, broken)...).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var verdicts []verdict
	if err := json.Unmarshal(out, &verdicts); err != nil {
		t.Fatal(err)
	}
	if len(verdicts) != len(files)+1 {
		t.Fatalf("%d verdicts", len(verdicts))
	}
	if verdicts[len(files)].Read {
		t.Error("the parser accepts a broken document")
	}
	for _, v := range verdicts[:len(files)] {
		c := want[v.File]
		for _, d := range v.Diagnostics {
			if d.Code != "asyncapi-latest-version" { // 3.0 is what was asked for
				t.Errorf("%s: %s at %s: %s (severity %d)",
					filepath.Base(v.File), d.Code, d.Path, d.Message, d.Severity)
			}
		}
		if !v.Read || v.Channels != len(c.Queues) || v.Messages != len(c.URNs) {
			t.Errorf("%s: read is %v, with %d channels and %d messages",
				filepath.Base(v.File), v.Read, v.Channels, v.Messages)
		}
	}
}

func TestTheBindingNamesThePlaceOfATopic(t *testing.T) {
	for _, tc := range []struct{ name, want string }{
		{"orders", "persistent public default"},
		{"acme/billing/events", "persistent acme billing"},
		{"persistent://acme/billing/events", "persistent acme billing"},
		{"non-persistent://acme/billing/a/b", "non-persistent acme billing"},
	} {
		if got := strings.Join(parts(place(tc.name)), " "); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

func parts(persistence, tenant, namespace string) []string {
	return []string{persistence, tenant, namespace}
}

func TestTypesOfTheSameNameStayApart(t *testing.T) {
	var doc struct {
		Components struct {
			Schemas map[string]map[string]any
		}
	}
	if err := json.Unmarshal(generate(t, load(t, "../docs/testdata/everything.yaml"), "a.json"), &doc); err != nil {
		t.Fatal(err)
	}
	for name, member := range map[string]string{"Money": "amount", "AllThings.Money": "cents"} {
		properties, _ := doc.Components.Schemas[name]["properties"].(map[string]any)
		if properties[member] == nil {
			t.Errorf("%s has the properties %v", name, properties)
		}
	}
	// A type may be called like a message, or like a schema of the envelope.
	if err := json.Unmarshal(generate(t, parse(t, hostile), "a.json"), &doc); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"$ref": "#/components/schemas/Data_2"}
	if diff := cmp.Diff(want, doc.Components.Schemas["Data"]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for name, kind := range map[string]string{"bqgen.Meta": "object", "bqgen.Meta_2": "string"} {
		if got := doc.Components.Schemas[name]["type"]; got != kind {
			t.Errorf("the type of %s is %v, want %s", name, got, kind)
		}
	}
}

func TestTheSameCatalogGivesTheSameBytes(t *testing.T) {
	for name, c := range catalogs(t) {
		first := generate(t, c, "a.yaml")
		for range 5 {
			if !bytes.Equal(first, generate(t, c, "a.yaml")) {
				t.Fatalf("%s differs from run to run", name)
			}
		}
		if bytes.ContainsRune(first, '\u202e') {
			t.Errorf("%s contains a character that changes the direction of text", name)
		}
		for _, file := range []string{"a.json", "a.yaml", "a.yml"} {
			if err := Kind.WriteOne(filepath.Join(t.TempDir(), file), generate(t, c, file)); err != nil {
				t.Error(err)
			}
		}
	}
}

// A document needs keys that differ, not Go names.
func TestMessagesWhoseGoNamesCollideAreExported(t *testing.T) {
	c := parse(t, `
bqgen: 1
package: shop
queues: {q: {}}
urns:
  urn:a:b-c: {queue: q, data: {type: object, properties: {first: {type: string}}}}
  urn:a:b_c: {queue: q, data: {type: object, properties: {second: {type: string}}}}
  urn:a:b-c-envelope: {queue: q, data: {type: object, properties: {third: {type: string}}}}
`)
	var doc struct {
		Components struct {
			Messages map[string]struct{ Name string }
			Schemas  map[string]struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(generate(t, c, "asyncapi.json"), &doc); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for key, m := range doc.Components.Messages {
		for property := range doc.Components.Schemas[key].Properties {
			got[m.Name] += property
		}
	}
	want := map[string]string{"urn:a:b-c": "first", "urn:a:b_c": "second", "urn:a:b-c-envelope": "third"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages and the members of their payloads (-want +got):\n%s", diff)
	}
}

// An operation tells whether its service receives every message or competes for them.
func TestOperationsTellHowServicesReceive(t *testing.T) {
	c := parse(t, `
bqgen: 1
package: shop
queues: {orders: {services: [billing, shipping]}, pings: {services: [billing], dead_letter: false}, jobs: {}, alone: {}}
urns:
  urn:a:placed: {queue: orders, consumers: [billing, shipping, monitor], data: {type: object}}
  urn:a:pinged: {queue: pings, consumers: [billing], data: {type: object}}
  urn:a:due: {queue: jobs, consumers: [billing, shipping], data: {type: object}}
  urn:a:late: {queue: alone, consumers: [billing], data: {type: object}}
`)
	var doc struct {
		Channels   map[string]map[string]any
		Operations map[string]map[string]any
	}
	if err := json.Unmarshal(generate(t, c, "asyncapi.json"), &doc); err != nil {
		t.Fatal(err)
	}
	got := map[string][4]any{}
	for name, o := range doc.Operations {
		got[name] = [4]any{o["x-subscription"], o["x-retry-topic"], o["x-dead-letter-topic"], o["description"]}
	}
	const own, shared = "It receives every one of these messages, whatever other services do.",
		"It shares the messages: each goes to one of billing, shipping."
	want := map[string][4]any{
		"receive.billing.orders":  {"billing", "orders.billing.retry", "orders.billing.dlq", own},
		"receive.shipping.orders": {"shipping", "orders.shipping.retry", "orders.shipping.dlq", own},
		"receive.billing.pings":   {"billing", "pings.billing.retry", nil, own},
		"receive.billing.jobs":    {"babelqueue", nil, nil, shared},
		"receive.shipping.jobs":   {"babelqueue", nil, nil, shared},
		"receive.billing.alone":   {"babelqueue", nil, nil, nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]any{"billing", "shipping"}, doc.Channels["orders"]["x-services"]); diff != "" {
		t.Errorf("services of the channel (-want +got):\n%s", diff)
	}
}

// A document grows with its catalog, however many services share a queue.
func TestManyServicesThatShareAQueue(t *testing.T) {
	size := func(n int) int {
		var b strings.Builder
		b.WriteString("bqgen: 1\npackage: p\nqueues: {q: {}}\nurns:\n")
		for i := range n {
			fmt.Fprintf(&b, "  u%d: {queue: q, publishers: [p%d], consumers: [c%d], data: {type: object}}\n", i, i, i)
		}
		return len(generate(t, parse(t, b.String()), "a.json"))
	}
	if few, many := size(100), size(400); many > 5*few {
		t.Errorf("%d bytes for 100 services, %d for 400", few, many)
	}
}
