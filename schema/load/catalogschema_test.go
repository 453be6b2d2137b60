package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// beyondShape are the catalogs in testdata/findings that the JSON Schema of catalogs accepts, with the reason. It must
// reject all others.
var beyondShape = map[string]string{
	"examples":         "whether examples are valid depends on the schema next to them",
	"recursion":        "where references lead is not a matter of shape",
	"services-idle":    "which services the URNs name is not a matter of shape",
	"services-topics":  "which topics are equal is not a matter of shape",
	"version-fraction": "1.0 is 1 to JSON",
}

func catalogValidator(t testing.TB) *jsonschema.Schema {
	t.Helper()
	compiled, err := compileSchema([]byte(schema.CatalogSchema))
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// asJSON reads a catalog as an editor does; nil when it is no YAML that one would validate.
func asJSON(src []byte) any {
	findings := &source.Findings{}
	top := source.NewReader(findings).Read(source.File{Name: "urns.yaml", What: "the catalog", Main: true}, src)
	if top == nil || findings.Errors() > 0 {
		return nil
	}
	_, value := top.JSON(func(*source.Node) {})
	return value
}

func TestCatalogSchemaTakesGoodCatalogs(t *testing.T) {
	paths := append(catalogs(t, "good"), "../../examples/urns.yaml", "../../templates/scaffold/urns.yaml")
	more, err := filepath.Glob("../../gen_test/testdata/*/urns.yaml")
	if err != nil {
		t.Fatal(err)
	}
	validator := catalogValidator(t)
	for _, path := range append(paths, more...) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if c, _, err := Load(path); err != nil || c == nil {
			continue // one of the generator's refused cases
		}
		if err := validator.Validate(asJSON(src)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestCatalogSchemaRefusesWhatTheLoaderRefusesForShape(t *testing.T) {
	validator := catalogValidator(t)
	for _, path := range catalogs(t, "findings") {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		value := asJSON(src)
		if value == nil {
			continue // no YAML, so no editor gets this far
		}
		refused := validator.Validate(value) != nil
		reason, beyond := beyondShape[name]
		switch {
		case !refused && !beyond:
			t.Errorf("%s is taken", name)
		case refused && beyond:
			t.Errorf("%s is refused, though %s", name, reason)
		}
	}
}

// Every finding about shape alone, as a catalog of its own: an editor has to see it too.
func TestCatalogSchemaRefusesEachFaultOfShape(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through many catalogs")
	validator := catalogValidator(t)
	for _, path := range catalogs(t, "findings") {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		checkShapeOfProperties(t, validator, filepath.Base(path), src)
	}
}

// checkShapeOfProperties takes the properties of the first URN one by one and compares what the loader and
// the schema say of a catalog with this one only.
func checkShapeOfProperties(t *testing.T, validator *jsonschema.Schema, name string, src []byte) {
	t.Helper()
	lines := strings.Split(string(src), "\n")
	start := slices.IndexFunc(lines, func(l string) bool { return l == "      properties:" })
	if start < 0 {
		return
	}
	end := start + 1
	for end < len(lines) && strings.HasPrefix(lines[end], "        ") && !strings.HasPrefix(lines[end], "         ") {
		end++
	}
	types := slices.IndexFunc(lines, func(l string) bool { return l == "types:" })
	for _, property := range lines[start+1 : end] {
		catalog := "bqgen: 1\npackage: shop\nqueues: {q: {}}\n"
		if types >= 0 {
			for i := types; i < len(lines) && (i == types || strings.HasPrefix(lines[i], "  ")); i++ {
				if !strings.Contains(lines[i], "Wrong") {
					catalog += lines[i] + "\n"
				}
			}
		}
		catalog += "urns:\n  urn:a:\n    queue: q\n    data:\n      type: object\n      properties:\n" + property + "\n"
		value := asJSON([]byte(catalog))
		if value == nil {
			continue
		}
		c, findings := Parse("urns.yaml", []byte(catalog))
		err := validator.Validate(value)
		shape := slices.ContainsFunc(findings, func(d schema.Diagnostic) bool {
			return d.Severity == schema.Error &&
				shapeRules[d.Rule]
		})
		switch {
		case c != nil && err != nil:
			t.Errorf("%s: %s: the loader takes it, the schema does not: %v", name, property, err)
		case shape && err == nil && seenByLoaderOnly[propertyName(property)] == "":
			t.Errorf("%s: %s: the schema takes it, the loader says\n%s", name, property, textOf(t, findings))
		}
	}
}

func propertyName(line string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
	return name
}

// shapeRules are those that can be told from the shape.
var shapeRules = map[string]bool{
	schema.RuleUnknownKey: true, schema.RuleMissingKey: true, schema.RuleWrongType: true, schema.RuleUnknownKeyword: true,
	schema.RuleUnsupportedKeyword: true, schema.RuleMisplacedKeyword: true,
	schema.RuleUnknownType: true, schema.RuleBound: true,
	schema.RuleGoName: true,
	schema.RuleGoType: true, schema.RuleSensitive: true, schema.RuleConst: true, schema.RuleRefFile: true,
	schema.RuleBadRef: true,
}

// seenByLoaderOnly are properties that only the loader can judge, with the reason.
var seenByLoaderOnly = map[string]string{
	"large-bound":        "numbers of JSON have no largest",
	"tiny-bound":         "nor a smallest",
	"const-huge":         "nor here",
	"const-too-long":     "whether a value is within its bounds is not a matter of shape",
	"const-no-uuid":      "nor whether it has its format",
	"const-flag-or-null": "what a oneOf comes to is not a matter of shape",
	"const-plain":        "to a reader of YAML 1.2, NO is a string",
}

func TestCatalogSchemaNamesEveryKeyword(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema.CatalogSchema))
	if err != nil {
		t.Fatal(err)
	}
	properties := doc.(map[string]any)["$defs"].(map[string]any)["schema"].(map[string]any)["properties"].(map[string]any)
	var want, got []string
	for _, k := range draft.Keywords {
		want = append(want, k.Name)
	}
	for name, p := range properties {
		got = append(got, name)
		if about := p.(map[string]any)["description"]; about == nil {
			t.Errorf("%s has no description", name)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keywords (-loader +schema):\n%s", diff)
	}
	var formatNames []any
	for _, f := range draft.Formats {
		formatNames = append(formatNames, f.String())
	}
	if diff := cmp.Diff(formatNames, properties["format"].(map[string]any)["examples"]); diff != "" {
		t.Errorf("formats (-loader +schema):\n%s", diff)
	}
}

func TestReferenceNamesEveryKeywordAndFormat(t *testing.T) {
	text, err := os.ReadFile("../../docs/catalog.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range draft.Keywords {
		if k.Name != "type" && !strings.Contains(string(text), "`"+k.Name+"`") {
			t.Errorf("docs/catalog.md does not name %s", k.Name)
		}
	}
	for _, f := range draft.Formats {
		if !strings.Contains(string(text), "`"+f.String()+"`") {
			t.Errorf("docs/catalog.md does not name the format %s", f.String())
		}
	}
}
