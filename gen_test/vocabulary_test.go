package gentest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	judge "github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/catfmt"
	"github.com/babelqueue/bqgen/schema/compat"
	"github.com/babelqueue/bqgen/schema/lint"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/asyncapi"
	"github.com/babelqueue/bqgen/templates/docs"
	"github.com/babelqueue/bqgen/templates/golang"
	"github.com/babelqueue/bqgen/templates/gonames"
	"github.com/babelqueue/bqgen/templates/jsonschema"
)

// vocabulary has a schema without and with each keyword. To those that are silent the two are the same: code, docs,
// export, breaking; with word, exports say it with other keywords.
var vocabulary = []struct{ keyword, without, with, silent string }{
	{"type", `{}`, `{type: string}`, ""},
	{"title", `{type: string}`, `{type: string, title: Marked}`, ""},
	{"description", `{type: string}`, `{type: string, description: Marked}`, ""},
	{"$ref", `{}`, `{$ref: '#/types/T'}`, ""},
	{"$defs", `{}`, `{}`, "code docs export breaking"}, // of a payload only
	{"properties", `{type: object}`, `{type: object, properties: {marked: {type: string}}}`, ""},
	{"required", `{type: object, properties: {a: {}}}`, `{type: object, properties: {a: {}}, required: [a]}`, ""},
	{"additionalProperties", `{type: object, properties: {a: {}}}`,
		`{type: object, properties: {a: {}}, additionalProperties: false}`, ""},
	{"minProperties", `{type: object}`, `{type: object, minProperties: 1}`, ""},
	{"maxProperties", `{type: object}`, `{type: object, maxProperties: 1}`, ""},
	{"items", `{type: array, items: {}}`, `{type: array, items: {type: string}}`, ""},
	{"minItems", `{type: array, items: {}}`, `{type: array, items: {}, minItems: 1}`, ""},
	{"maxItems", `{type: array, items: {}}`, `{type: array, items: {}, maxItems: 1}`, ""},
	{"uniqueItems", `{type: array, items: {}}`, `{type: array, items: {}, uniqueItems: true}`, ""},
	{"enum", `{type: string}`, `{type: string, enum: [a, b]}`, ""},
	{"enum", `{type: boolean}`, `{enum: [true]}`, ""},
	{"enum", `{}`, `{enum: [a, 1, null]}`, ""},
	{"const", `{type: string}`, `{type: string, const: a}`, ""},
	{"const", `{}`, `{const: {a: [1]}}`, ""},
	{"format", `{type: string}`, `{type: string, format: iri}`, ""},
	{"format", `{type: string}`, `{type: string, format: decimal}`, ""},
	{"format", `{type: integer}`, `{type: integer, format: int32}`, ""},
	{"minLength", `{type: string}`, `{type: string, minLength: 1}`, ""},
	{"maxLength", `{type: string}`, `{type: string, maxLength: 1}`, ""},
	{"pattern", `{type: string}`, `{type: string, pattern: a}`, ""},
	{"minimum", `{type: integer}`, `{type: integer, minimum: 1}`, ""},
	{"maximum", `{type: integer}`, `{type: integer, maximum: 1}`, ""},
	{"exclusiveMinimum", `{type: number}`, `{type: number, exclusiveMinimum: 1}`, ""},
	{"exclusiveMaximum", `{type: number}`, `{type: number, exclusiveMaximum: 1}`, ""},
	{"multipleOf", `{type: integer}`, `{type: integer, multipleOf: 2}`, ""},
	{"allOf", `{type: string}`, `{allOf: [{type: string}, {maxLength: 1}]}`, "word"}, // merged
	{"oneOf", `{}`, `{oneOf: [{type: string}, {type: object}]}`, ""},
	{"oneOf", `{type: object}`, `{oneOf: [{$ref: '#/types/O'}, {$ref: '#/types/P'}]}`, ""},
	{"anyOf", `{}`, `{anyOf: [{type: string}, {type: object}]}`, ""},
	{"not", `{}`, `{not: {type: string}}`, ""},
	{"if", `{}`, `{if: {type: string}, then: {maxLength: 1}}`, ""},
	{"then", `{if: {type: string}, else: {type: integer}}`,
		`{if: {type: string}, then: {maxLength: 1}, else: {type: integer}}`, ""},
	{"else", `{if: {type: string}, then: {maxLength: 1}}`,
		`{if: {type: string}, then: {maxLength: 1}, else: {type: integer}}`, ""},
	{"prefixItems", `{type: array, items: {}}`, `{type: array, prefixItems: [{type: string}]}`, ""},
	{"contains", `{type: array, items: {}}`, `{type: array, items: {}, contains: {type: string}}`, ""},
	{"minContains", `{type: array, items: {}, contains: {type: string}}`,
		`{type: array, items: {}, contains: {type: string}, minContains: 2}`, ""},
	{"maxContains", `{type: array, items: {}, contains: {type: string}}`,
		`{type: array, items: {}, contains: {type: string}, maxContains: 2}`, ""},
	{"unevaluatedItems", `{type: array, prefixItems: [{type: string}]}`,
		`{type: array, prefixItems: [{type: string}], unevaluatedItems: false}`, ""},
	{"patternProperties", `{type: object}`, `{type: object, patternProperties: {"^a": {type: string}}}`, ""},
	{"propertyNames", `{type: object}`, `{type: object, propertyNames: {maxLength: 1}}`, ""},
	{"dependentRequired", `{type: object}`, `{type: object, dependentRequired: {a: [b]}}`, ""},
	{"dependentSchemas", `{type: object}`, `{type: object, dependentSchemas: {a: {required: [b]}}}`, ""},
	{"unevaluatedProperties", `{type: object, properties: {a: {}}}`,
		`{type: object, properties: {a: {}}, unevaluatedProperties: false}`, ""},
	{"default", `{type: string}`, `{type: string, default: marked}`, ""},
	{"examples", `{type: string}`, `{type: string, examples: [marked]}`, "code"},
	{"deprecated", `{type: string}`, `{type: string, deprecated: true}`, ""},
	{"readOnly", `{type: string}`, `{type: string, readOnly: true}`, "code"},
	{"writeOnly", `{type: string}`, `{type: string, writeOnly: true}`, "code"},
	{"contentEncoding", `{type: string}`, `{type: string, contentEncoding: base64}`, "code"},
	{"contentMediaType", `{type: string}`, `{type: string, contentMediaType: text/html}`, "code"},
	{"contentSchema", `{type: string}`, `{type: string, contentSchema: {type: object}}`, "code"},
	{"$comment", `{type: string}`, `{type: string, $comment: marked}`, "code"},
	{"$id", `{type: string}`, `{type: string, $id: "https://example.com/a"}`, "code docs export breaking"},
	{"$anchor", `{type: string}`, `{type: string, $anchor: marked}`, "code docs export breaking"},
	{"$schema", `{type: string}`, `{type: string, $schema: "https://json-schema.org/draft/2020-12/schema"}`,
		"code docs export breaking"},
	{"x-go-name", `{type: string}`, `{type: string, x-go-name: Marked}`, "export"},
	{"x-go-type", `{type: string}`, `{type: string, x-go-type: math/big.Int}`, "export"},
	{"x-gdpr-sensitive", `{type: string}`, `{type: string, x-gdpr-sensitive: true}`, ""},
	{"x-unknown-branch", `{oneOf: [{$ref: '#/types/A'}, {$ref: '#/types/B'}]}`,
		`{oneOf: [{$ref: '#/types/A'}, {$ref: '#/types/B'}], x-unknown-branch: keep}`, "word"}, // is one more branch
	{"x-theirs", `{type: string}`, `{type: string, x-theirs: marked}`, "code"},
}

// draft7 is what AsyncAPI, which is draft 7, has in place of a keyword.
var draft7 = map[string]string{
	"prefixItems": "items", "dependentRequired": "dependencies", "dependentSchemas": "dependencies",
}

// A toolResult is what the tools make of a catalog.
type toolResult struct {
	catalog                          *schema.Catalog
	code, docs, asyncAPI, jsonSchema string
}

// TestEveryKeywordReachesEveryTool takes each keyword of the vocabulary through all that reads schemas.
func TestEveryKeywordReachesEveryTool(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through many catalogs")
	editor := editorSchema(t)
	met, without := map[string]bool{}, map[string]toolResult{}
	for _, v := range vocabulary {
		met[v.keyword] = true
		t.Run(v.keyword+" "+v.with, func(t *testing.T) {
			speaks := func(tool string) bool { return !slices.Contains(strings.Fields(v.silent), tool) }
			if _, done := without[v.without]; !done {
				without[v.without] = throughTools(t, editor, v.without)
			}
			before, after := without[v.without], throughTools(t, editor, v.with)
			for _, tool := range []struct{ name, before, after string }{
				{"code", before.code, after.code}, {"docs", before.docs, after.docs},
				{"export", before.asyncAPI, after.asyncAPI}, {"export", before.jsonSchema, after.jsonSchema},
			} {
				if speaks(tool.name) != (tool.before != tool.after) {
					t.Errorf("the %s is another with the keyword: %v", tool.name, tool.before != tool.after)
				}
			}
			word := cmp.Or(draft7[v.keyword], v.keyword)
			if speaks("export") && speaks("word") && !strings.Contains(after.asyncAPI, `"`+word+`"`) {
				t.Errorf("the AsyncAPI document does not have %s", word)
			}
			if speaks("export") && speaks("word") && !strings.Contains(after.jsonSchema, v.keyword) { // maybe in a $comment
				t.Errorf("the JSON Schema does not have it")
			}
			changes := compat.Compare(before.catalog, after.catalog,
				compat.Options{OldNames: fieldNames(before.catalog), NewNames: fieldNames(after.catalog)})
			if speaks("breaking") != (len(changes) > 0) {
				t.Errorf("breaking finds %d changes", len(changes))
			}
		})
	}
	for keyword := range editor.properties {
		if !met[keyword] {
			t.Errorf("there is no case of %s", keyword)
		}
	}
}

// An editor checks a catalog as it is typed.
type editor struct {
	schema     *judge.Schema
	properties map[string]any // of schemas
}

func editorSchema(t *testing.T) editor {
	t.Helper()
	doc, err := judge.UnmarshalJSON(strings.NewReader(schema.CatalogSchema))
	if err != nil {
		t.Fatal(err)
	}
	c := judge.NewCompiler()
	if err := c.AddResource("catalog.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("catalog.json")
	if err != nil {
		t.Fatal(err)
	}
	of := doc.(map[string]any)["$defs"].(map[string]any)["schema"].(map[string]any)
	return editor{compiled, of["properties"].(map[string]any)}
}

const vocabularyCatalog = `bqgen: 1
package: shop
info: {owner: team}
queues: {q: {}}
types:
  T: {type: string}
  O: {type: object, properties: {o: {type: string}}}
  P: {type: object, properties: {p: {type: integer}}}
  A: {type: object, required: [kind], properties: {kind: {const: a}}}
  B: {type: object, required: [kind], properties: {kind: {const: b}}}
urns:
  urn:babel:shop:opened:
    queue: q
    summary: A shop was opened.
    data:
      $defs: {Own: {type: string}}
      $comment: Of the payload.
      x-owner: shops
      type: object
      properties: {own: {$ref: '#/$defs/Own'}, p: %s}
  urn:babel:shop:listed:
    queue: q
    summary: Everything.
    data:
      type: object
      properties:
        t: {$ref: '#/types/T'}
        o: {$ref: '#/types/O'}
        p: {$ref: '#/types/P'}
        a: {$ref: '#/types/A'}
        b: {$ref: '#/types/B'}
`

func throughTools(t *testing.T, e editor, property string) toolResult {
	t.Helper()
	text := fmt.Sprintf(vocabularyCatalog, property)
	c, findings := load.Parse("urns.yaml", []byte(text))
	if len(findings) > 0 {
		t.Fatalf("load: %v", findings)
	}
	for _, f := range lint.Check(c, lint.Options{}) {
		if f.Rule != "missing-example" && f.Rule != "personal-data" {
			t.Errorf("lint: %v", f)
		}
	}
	formatted, findings := catfmt.Format("urns.yaml", []byte(text))
	if len(findings) > 0 {
		t.Fatalf("fmt: %v", findings)
	}
	again, _ := load.Parse("urns.yaml", formatted)
	if again == nil || len(compat.Compare(c, again, compat.Options{})) > 0 {
		t.Errorf("fmt changed the catalog:\n%s", formatted)
	}
	if err := e.schema.Validate(yamlValue(t, formatted)); err != nil {
		t.Errorf("an editor refuses the catalog: %v", err)
	}
	r := toolResult{catalog: c}
	code, findings, err := golang.Generate(c, golang.Options{})
	if err != nil || len(findings) > 0 {
		t.Fatalf("generate: %v %v", err, findings)
	}
	r.code = joined(code)
	pages, err := docs.Generate(c, docs.Markdown)
	if err != nil {
		t.Fatal(err)
	}
	r.docs = joined(pages)
	document, err := asyncapi.Generate(c, "asyncapi.json", asyncapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.asyncAPI = string(document)
	schemas, err := jsonschema.Generate(c)
	if err != nil {
		t.Fatal(err)
	}
	r.jsonSchema = joined(schemas)
	noDuplicates(t, json.NewDecoder(bytes.NewReader(document)))
	for _, text := range schemas {
		noDuplicates(t, json.NewDecoder(bytes.NewReader(text)))
	}
	return r
}

// fieldNames are the names of fields in the generated code.
func fieldNames(c *schema.Catalog) compat.GoNames {
	planned, _ := gonames.Of(c)
	names := compat.GoNames{}
	for p, name := range planned.Fields {
		names[p] = name
	}
	return names
}

func joined(files map[string][]byte) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b.Write(files[name])
	}
	return b.String()
}

func yamlValue(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, asJSON)
}

// noDuplicates reads a JSON value whose objects have each member once.
func noDuplicates(t *testing.T, d *json.Decoder) {
	t.Helper()
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	delim, isDelim := token.(json.Delim)
	if !isDelim {
		return
	}
	met := map[string]bool{}
	for d.More() {
		if delim == '{' {
			name, err := d.Token()
			if err != nil {
				t.Fatal(err)
			}
			if met[name.(string)] {
				t.Errorf("the member %s is there twice", name)
			}
			met[name.(string)] = true
		}
		noDuplicates(t, d)
	}
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
}
