package gentest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/importer"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/golang"
)

// realSchemas holds event catalogs that others have published. It is not part of the project.
const realSchemas = "../../shared/real"

// maxImport is how long the import of one schema may take on a busy machine. Most take a few milliseconds.
const maxImport = 20 * time.Second

// compiledEach is the number of schemas of each catalog that are compiled.
const compiledEach = 2

// TestRealSchemas imports every schema of the real catalogs, each by itself and all of a catalog together, and
// generates code for them. It compiles a sample.
func TestRealSchemas(t *testing.T) {
	indexes, err := filepath.Glob(filepath.Join(realSchemas, "*", "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(indexes) == 0 {
		t.Skip("there are no real schemas beside the project")
	}
	sample := map[string]*schema.Catalog{}
	for _, index := range indexes {
		folder := filepath.Base(filepath.Dir(index))
		t.Run(folder, func(t *testing.T) { importFolder(t, index, folder, sample) })
	}
	if !testing.Short() && !t.Failed() {
		newReceiver(t, sample)
	}
}

func importFolder(t *testing.T, index, folder string, sample map[string]*schema.Catalog) {
	var entries []struct{ Name, File, Pointer string }
	if err := json.Unmarshal([]byte(readFile(t, index)), &entries); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Join(filepath.Dir(index), "files"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	var all []importer.Source
	documents := realExamples(t, filepath.Dir(index))
	judge := newRealJudge(t, root.FS())
	widened, refused, judged := map[string]int{}, 0, 0
	for i, e := range entries {
		source := importer.Source{File: e.File, Pointer: e.Pointer}
		all = append(all, source)
		c, losses := importReal(t, root.FS(), source)
		seen := map[string]bool{}
		for _, l := range losses {
			if !seen[l.Keyword] {
				seen[l.Keyword] = true
				widened[l.Keyword]++
			}
		}
		if c != nil && filepath.Ext(e.File) == ".json" {
			place := e.File + "#" + e.Pointer
			judged += judge.compare(t, place, c, len(losses) == 0, append(documents[e.Name], map[string]any{}))
		}
		switch {
		case c == nil:
			refused++
		case i%(len(entries)/compiledEach+1) == 0:
			sample[strings.ReplaceAll(folder, "_", "")+string(rune('a'+len(sample)))] = c
		}
	}
	if len(documents) > 0 && judged == 0 && filepath.Ext(entries[0].File) == ".json" {
		t.Error("no document was judged")
	}
	t.Logf("%d schemas, %d refused, %d documents judged, schemas with a loss by keyword: %v",
		len(entries), refused, judged, widened)
	if c, _ := importReal(t, root.FS(), all...); c == nil || len(c.URNs) != len(entries)-refused {
		t.Errorf("not all %d schemas became one catalog", len(entries))
	}
}

// realExamples returns the documents beside an index, by the names of schemas.
func realExamples(t *testing.T, dir string) map[string][]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "examples.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var all map[string][]struct{ Value any }
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&all); err != nil {
		t.Fatal(err)
	}
	documents := map[string][]any{}
	for name, examples := range all {
		for _, e := range examples {
			documents[name] = append(documents[name], e.Value)
		}
	}
	return documents
}

// importReal imports schemas. It returns no catalog when none of them is a payload.
func importReal(t *testing.T, root fs.FS, sources ...importer.Source) (*schema.Catalog, []importer.Loss) {
	t.Helper()
	start := time.Now()
	r, err := importer.JSONSchema(importer.Options{Root: root, Package: "p", Check: generates}, sources...)
	switch took := time.Since(start); {
	case err != nil:
		t.Fatalf("%v: %v", sources, err)
	case took > maxImport:
		t.Errorf("%v took %v", sources[0], took)
	}
	if r.Text == nil {
		for _, f := range r.Findings {
			if f.Severity == schema.Error && f.Rule != "no-message" {
				t.Errorf("%v: %v", sources, f)
			}
		}
		return nil, r.Losses
	}
	c, findings := load.Parse("urns.yaml", r.Text)
	if c == nil {
		t.Fatalf("%v: %v", sources, findings)
	}
	if findings := generates(c); findings.HasErrors() {
		t.Fatalf("%v: %v", sources, findings)
	}
	return c, r.Losses
}

// generates reports what keeps code from being generated.
func generates(c *schema.Catalog) schema.Diagnostics {
	files, findings, err := golang.Generate(c, golang.Options{})
	if err == nil && len(files) == 0 && !findings.HasErrors() {
		err = errors.New("there is no code")
	}
	if err != nil {
		return schema.NewDiagnostics(schema.Diagnostic{Pos: schema.Pos{File: c.File}, Message: err.Error()})
	}
	return findings
}
