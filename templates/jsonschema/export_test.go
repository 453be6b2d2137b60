package jsonschema

import (
	"bytes"
	"strings"
	"testing"
	"time"

	judge "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/internal/pagename"
	"github.com/babelqueue/bqgen/runtime/envelope"
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

// compile compiles a schema as any tool would: on its own, validated by the official meta-schema.
func compile(t *testing.T, text []byte) *judge.Schema {
	t.Helper()
	v, err := judge.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := v.(map[string]any)["$schema"]; got != "https://json-schema.org/draft/2020-12/schema" {
		t.Errorf("$schema is %v", got)
	}
	c := judge.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("exported.json", v); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("exported.json")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

func valid(t *testing.T, s *judge.Schema, text []byte) error {
	t.Helper()
	v, err := judge.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

func TestExportedSchemasStandAloneAndAcceptTheExamples(t *testing.T) {
	for _, path := range []string{"../../examples/urns.yaml", "../docs/testdata/everything.yaml"} {
		c := load(t, path)
		files, err := Generate(c)
		if err != nil {
			t.Fatal(err)
		}
		if len(files) != 2*len(c.URNs) {
			t.Errorf("%d files for %d URNs", len(files), len(c.URNs))
		}
		for _, u := range c.URNs {
			name := pagename.URN(u.URN)
			payload := compile(t, files[name+".payload.schema.json"])
			message := compile(t, files[name+".envelope.schema.json"])
			for _, e := range u.Examples {
				if err := valid(t, payload, e.JSON); err != nil {
					t.Errorf("%s: the payload %s: %v", u.URN, e.JSON, err)
				}
				whole := published(t, u, e.JSON)
				if err := valid(t, message, whole); err != nil {
					t.Errorf("%s: the message %s: %v", u.URN, whole, err)
				}
				for what, broken := range map[string]string{
					"other URN":         strings.Replace(string(whole), u.URN, "urn:other", 1),
					"no trace":          strings.Replace(string(whole), `"trace_id"`, `"trace"`, 1),
					"no message ID":     strings.Replace(string(whole), `"meta":{"id"`, `"meta":{"x"`, 1),
					"other version":     strings.Replace(string(whole), `"schema_version":1`, `"schema_version":2`, 1),
					"negative attempts": strings.Replace(string(whole), `"attempts":0`, `"attempts":-1`, 1),
					"data is an array":  strings.Replace(string(whole), `"data":{`, `"data":[],"x":{`, 1),
				} {
					if broken == string(whole) {
						t.Fatalf("%s: nothing changed in %s", what, whole)
					}
					if valid(t, message, []byte(broken)) == nil {
						t.Errorf("%s: %s is valid: %s", u.URN, what, broken)
					}
				}
			}
			if valid(t, payload, []byte("[]")) == nil {
				t.Errorf("%s: an array is valid", u.URN)
			}
		}
	}
}

// published returns a message as the runtime writes it.
func published(t *testing.T, u *schema.URN, data []byte) []byte {
	t.Helper()
	h, err := envelope.NewHeader(u.URN, "", u.Queue.Name, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	text, err := envelope.Append(nil, h, func(dst []byte) ([]byte, error) { return append(dst, data...), nil })
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestHostileTextsStayTexts(t *testing.T) {
	c, findings := schemaload.Parse("urns.yaml", []byte(`
bqgen: 1
package: shop
queues: {q: {}}
types: {'a/b~c%"': {type: string}}
urns:
  "urn:\"\\</script>\u202e../../x":
    queue: q
    name: A
    summary: "\"}, {"
    data:
      type: object
      description: "*/ -->"
      properties: {"\"$ref\"": {$ref: '#/types/a~1b~0c%25%22'}, "$ref": {type: string}}
    examples: [{"\"$ref\"": "x"}]
`))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	files, err := Generate(c)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if strings.ContainsAny(name, "/\\<\"") {
			t.Errorf("the name %q", name)
		}
		s := compile(t, text)
		if strings.Contains(name, "payload") && valid(t, s, c.URNs[0].Examples[0].JSON) != nil {
			t.Errorf("%s rejects the example", name)
		}
		if bytes.ContainsRune(text, '\u202e') {
			t.Errorf("%s contains a character that changes the direction of text", name)
		}
	}
	if changes, err := Kind.Compare(t.TempDir(), files); err != nil || len(changes) != 2 {
		t.Errorf("changes %v, %v", changes, err)
	}
}
