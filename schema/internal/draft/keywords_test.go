package draft

import (
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// readPayload drafts data that is given in YAML.
func readPayload(t *testing.T, data string) (*Root, schema.Diagnostics) {
	t.Helper()
	findings := &source.Findings{}
	files := source.NewReader(findings)
	n := files.Read(source.File{Name: "urns.yaml", What: "the catalog", Main: true}, []byte(data))
	if n == nil {
		t.Fatalf("%q cannot be read", data)
	}
	scope := &Scope{File: "urns.yaml", Owner: &schema.URN{URN: "urn:a"}, Defs: NewSection(true, nil)}
	root := NewReader(findings).Payload(n, scope)
	return root, findings.Diagnostics(files.Places)
}

// Every keyword of the table is read, and no other.
func TestKeywordsOfTheTableAreRead(t *testing.T) {
	for _, k := range Keywords {
		_, findings := readPayload(t, k.Name+": {}")
		for _, d := range findings {
			if d.Rule == schema.RuleUnknownKeyword || d.Rule == schema.RuleUnsupportedKeyword {
				t.Errorf("%s: %v", k.Name, d)
			}
		}
	}
	for name, hint := range unsupported {
		root, findings := readPayload(t, name+": {}")
		if len(findings) != 1 || findings[0].Rule != schema.RuleUnsupportedKeyword || findings[0].Hint != hint {
			t.Errorf("%s: %v", name, findings)
		}
		if root.Draft.Doubt.MayMiss() || root.Draft.Doubt.MayContradict() || root.Doubt.MayRely() {
			t.Errorf("%s: the draft is not doubted", name)
		}
	}
}

func TestADraftIsWhatIsWritten(t *testing.T) {
	root, findings := readPayload(t, `
type: [object, "null"]
required: [a]
properties: {a: {allOf: [{$ref: '#/$defs/A'}, {maxLength: 3}]}}
additionalProperties: {type: integer}
$defs: {A: {type: string}}
`)
	if findings != nil || root.Doubt != 0 {
		t.Fatalf("findings %v, doubt %v", findings, root.Doubt)
	}
	d := root.Draft
	if d.Types != ObjectType|NullType || len(d.Required) != 1 || d.Further == nil || d.Further.Types != IntegerType {
		t.Errorf("%+v", d)
	}
	entries := d.Members[0].Schema.AllOf
	if len(entries) != 2 || entries[0].Ref.Text != "#/$defs/A" || entries[0].Ref.To != nil || *entries[1].MaxLength != 3 {
		t.Errorf("%+v", entries)
	}
	if len(root.Refs) != 1 || root.Scope.Defs.Roots["A"].Draft.Types != StringType {
		t.Errorf("references %v, $defs %v", root.Refs, root.Scope.Defs.Roots)
	}
}

// What was reported deep inside is doubted all the way up, but keywords are blamed only where they stand.
func TestDoubtGrowsOutward(t *testing.T) {
	root, findings := readPayload(t, "type: object\nproperties: {a: {type: array, items: {minLength: x}}}\n")
	if len(findings) != 1 || !strings.Contains(findings[0].Message, "minLength") {
		t.Fatal(findings)
	}
	outer := root.Draft.Members[0].Schema
	for name, d := range map[string]*Draft{"data": root.Draft, "property": outer} {
		if d.Doubt.MayRely() || !d.Doubt.MayContradict() || !d.Doubt.MayMiss() {
			t.Errorf("%s: doubt %04b", name, d.Doubt)
		}
	}
	if outer.Item.Doubt.MayContradict() {
		t.Errorf("items: doubt %04b", outer.Item.Doubt)
	}
}
