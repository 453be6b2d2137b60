package importer_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/catfmt"
	"github.com/babelqueue/bqgen/schema/importer"
	"github.com/babelqueue/bqgen/schema/lint"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/golang"
)

var update = flag.Bool("update", false, "rewrite the expected catalogs and findings in testdata")

// TestCases imports the files of each folder in testdata and compares the catalog with want.yaml, and the findings with
// want.txt. The file args names what to import, one source a line; "strict" and "keep-undeclared" on lines of
// their own set these options.
func TestCases(t *testing.T) {
	for _, format := range []string{"jsonschema", "asyncapi"} {
		folders, err := filepath.Glob(filepath.Join("testdata", format, "*"))
		if err != nil || len(folders) == 0 {
			t.Fatalf("no cases of %s: %v", format, err)
		}
		for _, dir := range folders {
			t.Run(format+"/"+filepath.Base(dir), func(t *testing.T) { runCase(t, format, dir) })
		}
	}
}

func runCase(t *testing.T, format, dir string) {
	args, err := os.ReadFile(filepath.Join(dir, "args"))
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	o := importer.Options{Root: root.FS(), Package: "probe", Check: checkCode}
	sources := strings.Fields(string(args))
	if at := slices.Index(sources, "keep-undeclared"); at >= 0 {
		o.KeepUndeclared, sources = true, slices.Delete(sources, at, at+1)
	}
	if at := slices.Index(sources, "strict"); at >= 0 {
		o.Strict, sources = true, slices.Delete(sources, at, at+1)
	}
	r, err := run(o, format, sources)
	if err != nil {
		t.Fatal(err)
	}
	var findings strings.Builder
	for _, d := range r.Findings {
		findings.WriteString(d.String() + "\n")
		if d.Hint != "" {
			findings.WriteString("    hint: " + d.Hint + "\n")
		}
	}
	golden(t, filepath.Join(dir, "want.txt"), findings.String())
	golden(t, filepath.Join(dir, "want.yaml"), string(r.Text))
	if r.Text != nil {
		accepted(t, r.Text)
	}
}

func run(o importer.Options, format string, args []string) (*importer.Result, error) {
	if format == "asyncapi" {
		return importer.AsyncAPI(o, args...)
	}
	var sources []importer.Source
	for _, arg := range args {
		file, pointer, _ := strings.Cut(arg, "#")
		sources = append(sources, importer.Source{File: file, Pointer: pointer})
	}
	return importer.JSONSchema(o, sources...)
}

func checkCode(c *schema.Catalog) schema.Diagnostics {
	_, findings, err := golang.Generate(c, golang.Options{})
	if err != nil {
		return schema.NewDiagnostics(schema.Diagnostic{Pos: schema.Pos{File: c.File}, Message: err.Error()})
	}
	return findings
}

// accepted checks that a catalog is formatted, has no errors, for lint either, and that code can be generated from it.
func accepted(t testing.TB, text []byte) {
	t.Helper()
	c, findings := load.Parse("urns.yaml", text)
	if c == nil {
		t.Fatalf("the catalog has errors: %v", findings)
	}
	if findings := lint.Check(c, lint.Options{}); findings.HasErrors() {
		t.Errorf("the catalog has lint errors: %v", findings)
	}
	if findings := checkCode(c); findings.HasErrors() {
		t.Errorf("no code is generated: %v", findings)
	}
	again, findings := catfmt.Format("urns.yaml", text)
	if string(again) != string(text) {
		t.Errorf("the catalog is not formatted: %v", findings)
	}
}

// golden compares got with a file; one that is not there is empty.
func golden(t *testing.T, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if *update && string(want) != got {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// TestNothingOutsideOfTheRoot checks that neither a path nor a symbolic link leads out.
func TestNothingOutsideOfTheRoot(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "root")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(outside, "secret.json"), `{"title": "Secret", "$id": "https://example.com/secret"}`)
	if err := os.Symlink("../secret.json", filepath.Join(dir, "link.json")); err != nil {
		t.Skip(err)
	}
	for _, ref := range []string{
		"../secret.json", "link.json", "/secret.json", "file:///secret.json", "%2e%2e/secret.json", `..\\secret.json`,
		"https://example.com/secret", "a/../../secret.json", "//host/secret.json",
	} {
		write(filepath.Join(dir, "a.json"), `{"type": "object", "properties": {"a": {"$ref": "`+ref+`"}}}`)
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		r := importJSONSchema(t, root.FS(), "a.json")
		root.Close()
		if strings.Contains(string(r.Text), "Secret") || len(r.Losses) != 1 || r.Losses[0].Keyword != "$ref" {
			t.Errorf("%s: %v\n%s", ref, r.Findings, r.Text)
		}
	}
}

func importJSONSchema(t *testing.T, root fs.FS, file string) *importer.Result {
	t.Helper()
	r, err := importer.JSONSchema(importer.Options{Root: root}, importer.Source{File: file})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func importAsyncAPI(t *testing.T, root fs.FS, file string) *importer.Result {
	t.Helper()
	r, err := importer.AsyncAPI(importer.Options{Root: root}, file)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWhatIsTooMuchForACatalogEndsTheImport imports sources that exceed limits of the loader: once, or with one part
// after the other.
func TestWhatIsTooMuchForACatalogEndsTheImport(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine loads large catalogs")
	var properties, big, channels, wide []string
	for i := range 1000 {
		big = append(big, fmt.Sprintf(`"p%d": {"type": "string"}`, i))
	}
	for i := range 150 {
		properties = append(properties,
			fmt.Sprintf(`"a%d": {"allOf": [{"$ref": "#/$defs/big"}, {"properties": {"b%d": {}}}]}`, i, i))
	}
	for i := range 5001 {
		channels = append(channels, fmt.Sprintf(`"c%d": {"subscribe": {"message": {"name": "m%d", "payload": {}}}}`, i, i))
	}
	for i := range 46_000 {
		wide = append(wide, fmt.Sprintf(`"p%d": {}`, i))
	}
	root := fstest.MapFS{
		"deep.json": {Data: []byte(strings.Repeat(`{"type": "object", "properties": {"p": `, 95) +
			`{"type": "object", "properties": {` + strings.Join(wide, ", ") + "}}" + strings.Repeat("}}", 95))},
		"parts.json": {Data: []byte(`{"type": "object", "properties": {` + strings.Join(properties, ", ") +
			`}, "$defs": {"big": {"type": "object", "properties": {` + strings.Join(big, ", ") + `}}}}`)},
		"messages.json": {Data: []byte(`{"asyncapi": "2.6.0", "info": {"title": "t", "version": "1"}, "channels": {` +
			strings.Join(channels, ", ") + `}}`)},
	}
	for file, r := range map[string]*importer.Result{
		"deep.json":     importJSONSchema(t, root, "deep.json"), // each line is indented
		"parts.json":    importJSONSchema(t, root, "parts.json"),
		"messages.json": importAsyncAPI(t, root, "messages.json"),
	} {
		last := r.Findings[len(r.Findings)-1]
		if r.Text != nil || last.Rule != schema.RuleTooLarge || last.Pos.File != file || len(r.Losses) > 1 {
			t.Errorf("%s: losses %v, findings %v", file, r.Losses, r.Findings)
		}
	}
}

// A catalog has no key of more than 1,024 characters. Names that are made for it are short, those of members stay.
func TestLongNamesAreNotCarriedOver(t *testing.T) {
	long := strings.Repeat("n", 2000)
	root := fstest.MapFS{
		"a.json": {Data: []byte(strings.ReplaceAll(`{"title": "LONG", "type": "object", "$defs": {"LONG": {"title": "x"}},
			"examples": [{"LONG": 1}], "properties": {"long": {"properties": {"LONG": {}}}, "ref": {"$ref": "#/$defs/LONG"},
			"const": {"const": {"LONG": 1}}, "pattern": {"patternProperties": {"LONG": {}}},
			"default": {"default": [{"LONG": 1}]}, "needs": {"dependentRequired": {"LONG": ["a"]}}}}`, "LONG", long))},
		"b.json": {Data: []byte(strings.ReplaceAll(`{"asyncapi": "3.0.0", "info": {"title": "t", "version": "1"}, "channels":
			{"LONG": {"address": "LONG", "messages": {"LONG": {"name": "urn:x:LONG", "payload": {"type": "object"},
			"examples": [{"payload": {"LONG": 1}}]}}}}}`, "LONG", long))},
	}
	a, b := importJSONSchema(t, root, "a.json"), importAsyncAPI(t, root, "b.json")
	for file, tt := range map[string]struct {
		result           *importer.Result
		losses, findings int
	}{"a.json": {a, 4, 6}, "b.json": {b, 0, 1}} {
		r := tt.result
		if r.Text == nil || len(r.Losses) != tt.losses || len(r.Findings) != tt.findings || r.Findings.HasErrors() {
			t.Errorf("%s: losses %.2000v, findings %.2000v", file, r.Losses, r.Findings)
		}
	}
}

// A message of many channels and a trait of many messages are repeated for each, as far as a catalog has room for them.
func TestTooMuchThatMessagesShareIsLeftOut(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine loads large catalogs")
	var properties, channels, examples, messages []string
	for i := range 200 {
		properties = append(properties, fmt.Sprintf(`"p%d": {"type": "string"}`, i))
		channels = append(channels, fmt.Sprintf(`"c%d": {"messages": {"m": {"$ref": "#/components/messages/m"}}}`, i))
		examples = append(examples, fmt.Sprintf(`{"payload": {"a": %d}}`, i))
	}
	for i := range 400 {
		messages = append(messages, fmt.Sprintf(
			`"m%d": {"payload": {"type": "object"}, "traits": [{"$ref": "#/components/messageTraits/t"}]}`, i))
	}
	head := `{"asyncapi": "3.0.0", "info": {"title": "t", "version": "1"}, "channels": {`
	root := fstest.MapFS{
		"channels.json": {Data: []byte(head + strings.Join(channels, ", ") +
			`}, "components": {"messages": {"m": {"payload": {"type": "object", "properties": {` +
			strings.Join(properties, ", ") + `}}}}}}`)},
		"traits.json": {Data: []byte(head + `"c": {"messages": {` + strings.Join(messages, ", ") +
			`}}}, "components": {"messageTraits": {"t": {"examples": [` + strings.Join(examples, ", ") + `]}}}}`)},
	}
	for file, want := range map[string]struct {
		what            string
		atLeast, atMost int
		losses          bool
	}{
		"channels.json": {"type: string", 14_800, 15_200, true},
		"traits.json":   {"- {a: ", 10_000, 10_400, false},
	} {
		r := importAsyncAPI(t, root, file)
		count := bytes.Count(r.Text, []byte(want.what))
		if count < want.atLeast || count > want.atMost || want.losses != (len(r.Losses) > 0) || len(r.Findings) == 0 ||
			r.Findings.HasErrors() {
			t.Errorf("%s: %d times %q, %d losses, findings %v", file, count, want.what, len(r.Losses),
				r.Findings[:min(len(r.Findings), 3)])
		}
	}
}

// FuzzImport imports hostile documents. There is a catalog or there are errors, and the catalog is right.
func FuzzImport(f *testing.F) {
	seed := func(name string, entry fs.DirEntry, err error) error {
		if ext := filepath.Ext(name); ext == ".json" || ext == ".yaml" || ext == ".yml" {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			f.Add(string(text), ext == ".json")
		}
		return err
	}
	if err := filepath.WalkDir("testdata", seed); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string, isJSON bool) {
		name := "a.yaml"
		if isJSON {
			name = "a.json"
		}
		for _, format := range []string{"jsonschema", "asyncapi"} {
			o := importer.Options{Root: fstest.MapFS{name: {Data: []byte(text)}}, Package: "probe", Check: checkCode}
			r, err := run(o, format, []string{name})
			switch {
			case err != nil:
				t.Fatalf("%s: %v", format, err)
			case r.Text == nil && !r.Findings.HasErrors():
				t.Fatalf("%s: neither a catalog nor an error", format)
			case r.Text != nil:
				accepted(t, r.Text)
			}
		}
	})
}
