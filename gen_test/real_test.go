package gentest

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/importer"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/golang"
)

var (
	realSchemas = flag.String("real", "../../shared/real",
		"folder of event catalogs that others have published, which is not part of the project")
	realAll = flag.Bool("real.all", false, "compile the code of all real schemas, not of a sample, which takes minutes")
)

// sampledEach is the number of schemas of each catalog that are compiled by default.
const sampledEach = 10

// maxPackage is the number of schemas whose code becomes one package: Go compiles packages side by side, and large ones
// slowly.
const maxPackage = 30

// TestRealSchemas imports every schema of the real catalogs, each by itself and all of a catalog together. Documents
// and mutations of them are judged by the original schema, by an independent validator, and by what was imported: as a
// schema for all, as compiled code for a sample or, with -real.all, for all.
func TestRealSchemas(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine judges tens of thousands of documents")
	indexes, err := filepath.Glob(filepath.Join(*realSchemas, "*", "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(indexes) == 0 {
		t.Skip("there are no real schemas beside the project")
	}
	compiled := map[string]*schema.Catalog{}
	var trials []trial
	for _, index := range indexes {
		folder := filepath.Base(filepath.Dir(index))
		t.Run(folder, func(t *testing.T) {
			for i, p := range importFolder(t, index) {
				name := strings.ReplaceAll(folder, "_", "") + strconv.Itoa(i)
				compiled[name] = p.catalog
				for _, tr := range p.trials {
					tr.urn = name + "/" + tr.urn
					trials = append(trials, tr)
				}
			}
		})
	}
	if testing.Short() || t.Failed() {
		return
	}
	r := newReceiver(t, compiled)
	receiveReal(t, r, trials)
	if *realAll {
		r.vetted(t)
	}
}

// A triedCatalog is a catalog whose code is to be compiled, and the documents to try it with.
type triedCatalog struct {
	catalog *schema.Catalog
	trials  []trial
}

// An indexed schema is one of the payloads of a real catalog.
type indexed struct{ Name, File, Pointer string }

// importFolder imports the schemas of an index and judges documents by them. It returns those whose code is to be
// compiled.
func importFolder(t *testing.T, index string) []triedCatalog {
	var entries []indexed
	if err := json.Unmarshal([]byte(readFile(t, index)), &entries); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Join(filepath.Dir(index), "files"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	documents := realExamples(t, filepath.Dir(index))
	judge := newRealJudge(t, root.FS())
	widened, judged := map[string]int{}, 0
	var whole, some []importer.Source // without those that are no payload
	var tried [][]trial               // of some
	for i, e := range entries {
		source := importer.Source{File: e.File, Pointer: e.Pointer}
		c, losses := importReal(t, root.FS(), source)
		seen := map[string]bool{}
		for _, l := range losses {
			if !seen[l.Keyword] {
				seen[l.Keyword] = true
				widened[l.Keyword]++
			}
		}
		if c == nil {
			continue
		}
		var here []trial
		place := e.File + "#" + e.Pointer
		here = judge.compare(t, place, c, len(losses) == 0, append(documents[e.Name], map[string]any{}))
		judged += len(here)
		whole = append(whole, source)
		if *realAll || i%(len(entries)/sampledEach+1) == 0 {
			some, tried = append(some, source), append(tried, here)
		}
	}
	if judged == 0 {
		t.Error("no document was judged")
	}
	t.Logf("%d schemas, %d refused, %d documents judged, schemas with a loss by keyword: %v",
		len(entries), len(entries)-len(whole), judged, widened)
	start := time.Now()
	if c, _ := importReal(t, root.FS(), whole...); c == nil || len(c.URNs) != len(whole) {
		t.Errorf("not all %d schemas became one catalog", len(whole))
	}
	t.Logf("imported as one catalog, with its code generated for check, in %v", time.Since(start).Round(time.Millisecond))
	var compiled []triedCatalog
	for len(some) > 0 {
		n := min(len(some), maxPackage)
		c, _ := importReal(t, root.FS(), some[:n]...)
		if c == nil || len(c.URNs) != n {
			t.Fatalf("not all of %d schemas became one catalog", n)
		}
		p := triedCatalog{catalog: c}
		for i, here := range tried[:n] {
			for _, tr := range here {
				tr.urn, tr.data = c.URNs[i].URN, c.URNs[i].Data
				p.trials = append(p.trials, tr)
			}
		}
		compiled, some, tried = append(compiled, p), some[n:], tried[n:]
	}
	return compiled
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
	r, err := importer.JSONSchema(importer.Options{Root: root, Package: "p", Check: generates}, sources...)
	if err != nil {
		t.Fatalf("%v: %v", sources, err)
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
