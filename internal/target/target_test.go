package target

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema/load"
	"github.com/google/go-cmp/cmp"
)

const catalog = "bqgen: 1\npackage: shop\nqueues: {q: {}}\nurns:\n" +
	"  urn:babel:orders:created: {queue: q, data: {type: object, properties: {id: {type: integer}}}}\n" +
	"  urn:babel:orders:cancelled: {queue: q, data: {type: object, properties: {id: {type: integer}}}}\n"

func render(t *testing.T, target *Target) *Code {
	t.Helper()
	c, findings := load.Parse(target.Catalog, []byte(catalog))
	if c == nil {
		t.Fatal(findings)
	}
	code, findings, err := target.Render(c)
	if err != nil || code == nil {
		t.Fatal(findings, err)
	}
	return code
}

func TestTheFolderIsNamedLikeThePackage(t *testing.T) {
	for want, target := range map[string]*Target{
		filepath.Join("a", "shop"):  {Catalog: filepath.Join("a", "urns.yaml")},
		filepath.Join("a", "other"): {Catalog: filepath.Join("a", "urns.yaml"), Package: "other"},
		"out":                       {Catalog: filepath.Join("a", "urns.yaml"), Package: "other", Out: "out"},
	} {
		if got := render(t, target).Dir; got != want {
			t.Errorf("%+v: folder %s, want %s", target, got, want)
		}
	}
}

func TestDriftIsMissingOrphanedAndDifferentFiles(t *testing.T) {
	target := &Target{Catalog: "urns.yaml", Out: t.TempDir()}
	code := render(t, target)
	if err := code.Write(); err != nil {
		t.Fatal(err)
	}
	if d, err := target.Drift(code); err != nil || d.Text() != nil || d.Findings() != nil {
		t.Errorf("after writing: %s, %v", d.Text(), err)
	}
	path := func(name string) string { return filepath.Join(target.Out, name) }
	created := code.Files["orders_created.bq.go"]
	for name, content := range map[string]string{
		"orders_gone.bq.go":    string(created),
		"orders_created.bq.go": strings.ReplaceAll(string(created), "\n", "\r\n") + "// more\r\n",
		"catalog.bq.go":        strings.ReplaceAll(string(code.Files["catalog.bq.go"]), "\n", "\r\n"), // line ends only
	} {
		if err := os.WriteFile(path(name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(path("orders_cancelled.bq.go")); err != nil {
		t.Fatal(err)
	}
	d, err := target.Drift(code)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for _, f := range d.Findings() {
		lines[filepath.Base(f.Pos.File)+": "+f.Message] = f.Pos.Line
	}
	last := 1 + strings.Count(string(created), "\n")
	want := map[string]int{
		`urns.yaml: the generated file "orders_cancelled.bq.go" is missing`:       1,
		"orders_gone.bq.go: the generated file is no longer needed":               1,
		"orders_created.bq.go: the file is not what bqgen generates from here on": last,
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	for _, part := range []string{
		"missing: ", "orphan: ", "\n-// more\n", "run bqgen generate --catalog urns.yaml --out ",
	} {
		if !strings.Contains(string(d.Text()), part) {
			t.Errorf("the text lacks %q:\n%s", part, d.Text())
		}
	}
}

// Names and contents of files come from a stranger's pull request.
func TestDriftIsSafeToPrint(t *testing.T) {
	target := &Target{Catalog: "urns.yaml", Out: t.TempDir()}
	code := render(t, target)
	if err := code.Write(); err != nil {
		t.Fatal(err)
	}
	created := string(code.Files["orders_created.bq.go"])
	for name, content := range map[string]string{
		"x\n::error::y.bq.go":  created,
		"orders_created.bq.go": created + "// a\r::error::b\x1b[2K\u202e\n",
	} {
		if err := os.WriteFile(filepath.Join(target.Out, name), []byte(content), 0o644); err != nil {
			t.Skip(err) // not every file system has such names
		}
	}
	d, err := target.Drift(code)
	if err != nil {
		t.Fatal(err)
	}
	shown := string(d.Text())
	if strings.ContainsAny(shown, "\r\x1b\u202e") || strings.Contains(shown, "\n::") {
		t.Errorf("%q", shown)
	}
	for _, part := range []string{`x\u000a::error::y.bq.go`, `-// a\u000d::error::b\u001b[2K\u202e`} {
		if !strings.Contains(shown, part) {
			t.Errorf("the text lacks %s:\n%s", part, shown)
		}
	}
}
