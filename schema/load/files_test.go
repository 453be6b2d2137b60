package load

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"

	"github.com/babelqueue/bqgen/schema/internal/source"
)

// TestOtherFiles reads the archives in testdata/files as folders. The catalog is urns.yaml.
func TestOtherFiles(t *testing.T) {
	archives, err := filepath.Glob("testdata/files/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fsys := fstest.MapFS{}
			for _, f := range archive.Files {
				fsys["folder/"+f.Name] = &fstest.MapFile{Data: f.Data}
			}
			fsys["up.yaml"] = &fstest.MapFile{Data: []byte("types: {A: {type: string}}")}
			c, findings, err := LoadFS(fsys, "folder/urns.yaml")
			if err != nil {
				t.Fatal(err)
			}
			if (c == nil) != findings.HasErrors() {
				t.Errorf("catalog %v with findings %v", c != nil, findings)
			}
			got := textOf(t, findings)
			if c != nil {
				got += dump(c)
			}
			golden(t, strings.TrimSuffix(path, ".txtar")+".txt", got)

			// From a real folder it is the same.
			dir := t.TempDir()
			for _, f := range archive.Files {
				write(t, filepath.Join(dir, "folder", filepath.FromSlash(f.Name)), string(f.Data))
			}
			write(t, filepath.Join(dir, "up.yaml"), "types: {A: {type: string}}")
			c, findings, err = Load(filepath.Join(dir, "folder", "urns.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			real := textOf(t, findings)
			if c != nil {
				real += dump(c)
			}
			real = strings.ReplaceAll(filepath.ToSlash(real), filepath.ToSlash(dir)+"/", "")
			if diff := cmp.Diff(got, real); diff != "" {
				t.Errorf("in a real folder (-file system +folder):\n%s", diff)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const folderCatalog = "bqgen: 1\npackage: shop\nqueues: {q: {}}\nurns:\n  urn:a: {queue: q, data: {type: object, " +
	"properties: {a: {$ref: 'FILE'}}}}\n"

func TestSymbolicLinksStayInTheFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("making links needs privileges")
	}
	outside := t.TempDir()
	write(t, filepath.Join(outside, "secret.yaml"), "types: {A: {type: string}}")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "common.yaml"), "types: {A: {type: string}, B: {type: object, properties: {a: {$ref: "+
		"'same.yaml#/types/A'}}}}")
	for from, to := range map[string]string{
		"link.yaml":    filepath.Join(outside, "secret.yaml"),
		"folder":       outside,
		"same.yaml":    "common.yaml",
		"dangling":     "nowhere",
		"loop.yaml":    "loop.yaml",
		"catalog.yaml": "urns.yaml",
	} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	for ref, want := range map[string]string{
		"link.yaml#/types/A":          "escapes",
		"folder/secret.yaml#/types/A": "escapes",
		"dangling#/types/A":           "no such file",
		"loop.yaml#/types/A":          "too many levels",
		"same.yaml#/types/A":          "",
		"same.yaml#/types/B":          "",
	} {
		path := filepath.Join(dir, "urns.yaml")
		write(t, path, strings.Replace(folderCatalog, "FILE", ref, 1))
		c, findings, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		text := textOf(t, findings)
		switch {
		case want == "" && c == nil, want != "" && !strings.Contains(text, want):
			t.Errorf("%s: findings %q, want %q", ref, text, want)
		case want != "" && (len(findings) != 1 || strings.Contains(text, outside) || findings[0].Pos.Line != 5):
			t.Errorf("%s: findings %q", ref, text)
		case strings.HasSuffix(ref, "/B") && len(c.Types) != 2:
			t.Errorf("%s: the file was read twice: %s", ref, dump(c))
		}
	}
}

func TestOtherFilesThatAreNoFiles(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("no devices here")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "urns.yaml"), strings.Replace(folderCatalog, "FILE", "sub#/types/A", 1))
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, findings, err := Load(filepath.Join(dir, "urns.yaml"))
	if err != nil || len(findings) != 1 || !strings.Contains(findings[0].Message, "not an ordinary file") {
		t.Errorf("error %v, findings %v", err, findings)
	}
}

// Reading a file costs more than referring to it.
func TestACatalogHasALimitedNumberOfFiles(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through many catalogs")
	fsys := fstest.MapFS{}
	var refs strings.Builder
	for i := range 10_003 {
		fmt.Fprintf(&refs, "p%d: {$ref: '%d'}, ", i, i)
		fsys[fmt.Sprint(i)] = &fstest.MapFile{Data: []byte("{}")}
	}
	fsys["urns.yaml"] = &fstest.MapFile{Data: []byte("bqgen: 1\npackage: shop\nqueues: {q: {}}\n" +
		"urns: {urn:a: {queue: q, data: {type: object, properties: {" + refs.String() + "}}}}\n")}
	_, findings, err := LoadFS(fsys, "urns.yaml")
	if err != nil || len(findings) != 1 || findings[0].Rule != schema.RuleTooLarge || findings[0].Pos.Line != 4 {
		t.Errorf("error %v, findings %v", err, findings)
	}
}

// Each message is a file or two of what is generated, and for queues and services there are code and pages.
func TestACatalogHasALimitedNumberOfNames(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through many catalogs")
	repeat := func(n int, text string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(text, "N", fmt.Sprint(i)))
		}
		return b.String()
	}
	build := func(queues, urns string) string {
		return "bqgen: 1\npackage: shop\nqueues:\n" + queues + "  q: {}\n  r: {services: [a]}\nurns:\n" +
			"  urn:r: {queue: r, data: {type: object}, consumers: [a]}\n" + urns
	}
	services := "[a" + repeat(2500, ", sN") + "]"
	for what, tt := range map[string]struct {
		text string
		line int
	}{
		"messages": {build("", repeat(5000, "  urn:a:N: {queue: q, data: {type: object}}\n")), 7 + 5000},
		"queues":   {build(repeat(4999, "  qN: {}\n"), ""), 4 + 4999 + 1},
		"services": {build("", repeat(101, "  urn:a:N: {queue: q, data: {type: object}, publishers: ["+
			strings.TrimSuffix(strings.ReplaceAll(repeat(50, "pI-N, "), "I", "N"), ", ")+"]}\n")), 8 + 99},
		"services of queues": {build("  s: {services: &s "+services+"}\n  t: {services: *s }\n",
			"  urn:s: {queue: s, consumers: *s , data: {type: object}}\n"+
				"  urn:t: {queue: t, consumers: *s , data: {type: object}}\n"), 4},
	} {
		_, findings := Parse("urns.yaml", []byte(tt.text))
		if len(findings) != 1 || findings[0].Rule != schema.RuleTooLarge || findings[0].Pos.Line != tt.line {
			t.Errorf("%s: findings %v", what, findings[:min(len(findings), 3)])
		}
	}
}

// A name stands many times in what is generated.
func TestAKeyHasALimitedLength(t *testing.T) {
	for _, tt := range []struct {
		length int
		found  bool
	}{{1024, false}, {1025, true}} {
		key := strings.Repeat("é", tt.length)
		fsys := fstest.MapFS{
			"urns.yaml": {Data: []byte("bqgen: 1\npackage: shop\nqueues: {q: {}}\nurns:\n  u:\n    queue: q\n    data:\n" +
				"      type: object\n      properties:\n        p: {$ref: a.json}\n        ? " + key + "\n        : {}\n")},
			"a.json": {Data: []byte("{\"type\": \"object\", \"properties\":\n{\"" + key + "\": {}}}")},
		}
		_, findings, err := LoadFS(fsys, "urns.yaml")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range findings {
			got = append(got, d.Pos.String()+" "+d.Rule)
		}
		want := []string{"urns.yaml:11:11 too-large", "a.json:2:2 too-large"}
		if !tt.found {
			want = nil
		}
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%d characters: findings %v, want %v", tt.length, got, want)
		}
	}
}

func TestAGoNameHasALimitedLength(t *testing.T) {
	for length, want := range map[int]int{255: 0, 256: 3} {
		name := strings.Repeat("N", length)
		_, findings := Parse("urns.yaml", []byte("bqgen: 1\npackage: shop\nqueues: {q: {name: "+name+"}}\nurns:\n  u:\n"+
			"    queue: q\n    name: M"+name[1:]+"\n    data: {type: object, properties: {p: {type: string, x-go-name: "+name+
			"}}}\n"))
		if len(findings) != want || want > 0 && findings[0].Rule != schema.RuleTooLarge {
			t.Errorf("%d bytes: findings %v", length, findings)
		}
	}
}

// Generating code with thousands of imports takes long.
func TestACatalogHasALimitedNumberOfGoPackages(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through many catalogs")
	var members strings.Builder
	for i := range 1002 {
		fmt.Fprintf(&members, "          p%d: {type: string, x-go-type: example.com/a%d.T}\n", i, i/2)
	}
	_, findings := Parse("urns.yaml", []byte("bqgen: 1\npackage: shop\nqueues: {q: {}}\nurns:\n  u:\n"+
		"    queue: q\n    data:\n      type: object\n      properties:\n"+members.String()))
	if len(findings) != 2 || findings[0].Rule != schema.RuleTooLarge || findings[0].Pos.Line != 9+1001 {
		t.Errorf("findings %v", findings)
	}
}

// The limits of a catalog are those of all its files together.
func TestLimitsCountOverAllFiles(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through many catalogs")
	half := "#" + strings.Repeat("x", source.MaxSource/2) + "\n"
	fsys := fstest.MapFS{
		"urns.yaml": {Data: []byte(half + strings.Replace(folderCatalog, "FILE", "a.yaml#/types/A", 1))},
		"a.yaml":    {Data: []byte(half + "types: {A: {type: string}}\n")},
	}
	_, findings, err := LoadFS(fsys, "urns.yaml")
	if err != nil || len(findings) != 1 || findings[0].Rule != schema.RuleTooLarge || findings[0].Pos.File != "a.yaml" {
		t.Errorf("error %v, findings %v", err, findings)
	}

	bomb := "title: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 4 {
		bomb += strings.ReplaceAll("$comment: &N [*O, *O, *O, *O, *O, *O, *O, *O, *O, *O]\n", "$comment",
			[]string{"description", "$comment", "$id", "$schema"}[i])
		bomb = strings.ReplaceAll(strings.ReplaceAll(bomb, "N", string(rune('b'+i))), "O", string(rune('a'+i)))
	}
	many := fstest.MapFS{}
	refs := ""
	for i := range 4 {
		name := string(rune('a'+i)) + ".yaml"
		many[name] = &fstest.MapFile{Data: []byte(bomb + "types: {A: {type: string}}\n")}
		refs += "        " + name + ": {$ref: '" + name + "#/types/A'}\n"
	}
	many["urns.yaml"] = &fstest.MapFile{Data: []byte("bqgen: 1\npackage: shop\nqueues: {q: {}}\nurns:\n  urn:a:\n    " +
		"queue: q\n    data:\n      type: object\n      properties:\n" + refs)}
	_, findings, err = LoadFS(many, "urns.yaml")
	if err != nil || len(findings) == 0 || findings[0].Rule != schema.RuleAliases || findings[0].Pos.File == "urns.yaml" {
		t.Errorf("error %v, findings %v", err, findings)
	}
}
