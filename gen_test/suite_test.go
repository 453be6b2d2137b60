package gentest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/importer"
	"github.com/babelqueue/bqgen/schema/load"
)

// The official JSON Schema test suite ships with the source distribution of this Python package.
const (
	suitePackage = "jsonschema"
	suiteVersion = "4.23.0"
	suiteFolder  = "json/tests/draft2020-12"
	suiteRemotes = "json/remotes" // the files that its schemas refer to
)

// suiteReport is the golden file with the result of each group.
const suiteReport = "testdata/suite.txt"

// A suiteGroup is a schema of the suite, with documents.
type suiteGroup struct {
	file        string
	Description string
	Schema      any
	Tests       []suiteCase

	urn     string
	code    string   // the package of its code
	imports bool     // it is taken by import only
	added   []string // types that the schema leaves open and bqgen requires
	leftOut int      // tests for which the added types matter
	refused string
	implied bool // bqgen takes a part of the schema for an object, since it has properties
}

type suiteCase struct {
	Description string
	Data        any
	Valid       bool
}

// TestTheOfficialSuite runs every group of the suite whose keywords bqgen supports: its schema as that of a property
// of a payload, its documents as values of that property. A golden file contains the result of each group.
func TestTheOfficialSuite(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine imports hundreds of schemas")
	if testing.Short() {
		t.Skip("compiles a module")
	}
	groups, remotes := suiteGroups(t)
	urns, catalogs := map[string]any{}, map[string]*schema.Catalog{}
	for i, g := range groups {
		g.urn, g.code = fmt.Sprintf("urn:suite:group-%d", i), "suite"
		if entry := g.admit(t); entry != nil {
			urns[g.urn] = entry
		} else if c := g.imported(t, remotes); c != nil {
			g.urn, g.code = c.URNs[0].URN, fmt.Sprintf("imported%d", i)
			catalogs[g.code] = c
		}
	}
	catalog, findings := load.Parse("urns.yaml", catalogText(map[string]any{}, urns))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	catalogs["suite"] = catalog
	receiver := newReceiver(t, catalogs)
	got := report(t, receiver, groups)
	if *update {
		if err := os.WriteFile(suiteReport, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(readFile(t, suiteReport), got); diff != "" {
		t.Errorf("what becomes of the suite (-want +got); run with -update, and read it:\n%s", diff)
	}
}

// admit makes the group's schema that of a payload's property and returns the URN's entry in the catalog, or records
// why bqgen refuses it.
func (g *suiteGroup) admit(t *testing.T) map[string]any {
	t.Helper()
	if g.Schema == true {
		g.Schema = map[string]any{}
	}
	typed, added := withTypes(g.Schema)
	entry, why := g.entry(g.Schema)
	if len(added) == 0 || why == "" && !g.implied {
		g.refused = why
		return entry
	}
	if entry, why = g.entry(typed); why != "" {
		g.refused = why
		return nil
	}
	g.added = added
	g.Schema = typed
	// The suite's verdicts are about the schema as it was. Leave out tests for which the added types matter.
	root := map[string]any{}
	if defs := typed.(map[string]any)["$defs"]; defs != nil {
		root["$defs"] = defs
	}
	judge := newJudge(t, root)(map[string]any{"properties": map[string]any{"value": withoutDialect(typed)}})
	g.Tests = slices.DeleteFunc(g.Tests, func(c suiteCase) bool {
		data, err := json.Marshal(map[string]any{"value": c.Data})
		if err != nil {
			t.Fatal(err)
		}
		changed := (judge.Validate(parsed(t, data)) == nil) != c.Valid
		if changed {
			g.leftOut++
		}
		return changed
	})
	return entry
}

// imported imports the group's schema, as a file that a payload refers to, with the files that the suite refers to. It
// returns nil, and the reason, when the import would lose something.
func (g *suiteGroup) imported(t *testing.T, remotes fstest.MapFS) *schema.Catalog {
	t.Helper()
	group := g.Schema
	if m, ok := group.(map[string]any); ok && m["$schema"] == nil {
		m = maps.Clone(m)
		m["$schema"] = draft2020
		group = m
	}
	root := maps.Clone(remotes)
	for name, value := range map[string]any{
		"group.json": group,
		"payload.json": map[string]any{
			"$schema": draft2020, "type": "object", "required": []any{"value"},
			"properties": map[string]any{"value": map[string]any{"$ref": "group.json"}},
		},
	} {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		root[name] = &fstest.MapFile{Data: text}
	}
	r, err := importer.JSONSchema(
		importer.Options{Root: root, Package: "p", Strict: true, Check: generates}, importer.Source{File: "payload.json"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Severity == schema.Error {
			g.refused = f.Message
			return nil
		}
	}
	c, findings := load.Parse("urns.yaml", r.Text)
	if c == nil {
		t.Fatal(findings)
	}
	g.refused, g.imports = "", true
	return c
}

const draft2020 = "https://json-schema.org/draft/2020-12/schema"

func withoutDialect(s any) any {
	m, ok := s.(map[string]any)
	if !ok {
		return s
	}
	m = maps.Clone(m)
	delete(m, "$schema")
	delete(m, "$id") // names the document, and its $defs are moved
	delete(m, "$comment")
	delete(m, "$defs") // stands at the top
	return m
}

// entry is a URN with a payload whose member value has the schema s, or the reason why bqgen refuses it.
func (g *suiteGroup) entry(s any) (entry map[string]any, why string) {
	properties := map[string]any{"value": withoutDialect(s)}
	data := map[string]any{"type": "object", "required": []any{"value"}, "properties": properties}
	if m, ok := s.(map[string]any); ok && m["$defs"] != nil {
		data["$defs"] = m["$defs"]
	}
	entry = map[string]any{"queue": "all", "data": data}
	_, findings := load.Parse("urns.yaml", catalogText(map[string]any{}, map[string]any{g.urn: entry}))
	g.implied = false
	for _, f := range findings {
		if f.Severity == schema.Error {
			return nil, f.Message
		}
		g.implied = g.implied || f.Rule == schema.RuleImplied
	}
	return entry, ""
}

// impliedTypes are types, each with the keywords that apply to it only.
var impliedTypes = []struct{ kind, keywords string }{
	{"object", "properties required additionalProperties minProperties maxProperties"},
	{"array", "items minItems maxItems uniqueItems"},
	{"string", "minLength maxLength pattern format"},
	{"number", "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"},
}

// withTypes adds types that schemas leave open, where their keywords are for one type only, and items of any type.
func withTypes(s any) (typed any, added []string) {
	m, ok := s.(map[string]any)
	if !ok {
		return s, nil
	}
	m = maps.Clone(m)
	if m["type"] == nil && m["$ref"] == nil && m["const"] == nil && m["enum"] == nil && m["oneOf"] == nil {
		for _, implied := range impliedTypes {
			if slices.ContainsFunc(strings.Fields(implied.keywords), func(k string) bool { return m[k] != nil }) {
				m["type"] = implied.kind
				added = append(added, implied.kind)
				break
			}
		}
	}
	if m["type"] == "array" && m["items"] == nil && m["prefixItems"] == nil {
		m["items"] = map[string]any{}
		added = append(added, "items")
	}
	inside := func(v any) any {
		v, more := withTypes(v)
		added = append(added, more...)
		return v
	}
	for _, keyword := range []string{"properties", "$defs"} {
		if of, ok := m[keyword].(map[string]any); ok {
			of = maps.Clone(of)
			for _, name := range slices.Sorted(maps.Keys(of)) {
				of[name] = inside(of[name])
			}
			m[keyword] = of
		}
	}
	for _, keyword := range []string{"allOf", "oneOf"} {
		if of, ok := m[keyword].([]any); ok {
			of = slices.Clone(of)
			for i := range of {
				of[i] = inside(of[i])
			}
			m[keyword] = of
		}
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		if m[keyword] != nil {
			m[keyword] = inside(m[keyword])
		}
	}
	return m, added
}

// report asks the generated code and describes the result of each group.
func report(t *testing.T, r receiver, groups []*suiteGroup) string {
	t.Helper()
	var questions []question
	for _, g := range groups {
		if g.refused != "" {
			continue
		}
		for _, c := range g.Tests {
			data, err := json.Marshal(map[string]any{"value": c.Data})
			if err != nil {
				t.Fatal(err)
			}
			questions = append(questions, question{g.code + "/" + g.urn, data})
		}
	}
	answers := r.ask(t, questions)
	var lines strings.Builder
	count := map[string]int{}
	for _, g := range groups {
		if g.refused != "" {
			count["groups refused"]++
			fmt.Fprintf(&lines, "refused  %s: %s: %s\n", g.file, g.Description, g.refused)
			continue
		}
		var differ []string
		for _, c := range g.Tests {
			a := answers[0]
			answers = answers[1:]
			switch {
			case (a.Rules == nil) != c.Valid:
				differ = append(differ, fmt.Sprintf("         %s: want valid %v, got %q\n", c.Description, c.Valid, a.Error))
			case a.Unfaith != "" && !strings.Contains(a.Unfaith, " members"):
				differ = append(differ, fmt.Sprintf("         %s: %s\n", c.Description, a.Unfaith))
			}
		}
		note := fmt.Sprintf("%d tests", len(g.Tests))
		if len(g.added) > 0 {
			note += fmt.Sprintf("; said to be of %s, %d tests left out", strings.Join(g.added, ", "), g.leftOut)
			count["of them with types that were left open"]++
		}
		if g.imports {
			note += "; by import"
			count["of them by import"]++
		}
		what := "passed"
		if len(differ) > 0 {
			what = "differs"
			reason := reasonOf(g.file, g.Description)
			if reason == "" {
				t.Errorf("%s: %s differs, and no reason is listed", g.file, g.Description)
			}
			note += "; " + reason
		}
		count["groups run"]++
		count["groups "+what]++
		count["tests run"] += len(g.Tests)
		count["tests left out"] += g.leftOut
		count["tests that differ"] += len(differ)
		fmt.Fprintf(&lines, "%-8s %s: %s (%s)\n%s", what, g.file, g.Description, note, strings.Join(differ, ""))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "What becomes of the groups of the official JSON Schema test suite, draft 2020-12, as it ships with "+
		"%s %s.\n", suitePackage, suiteVersion)
	for _, what := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(&b, "%s: %d\n", what, count[what])
		t.Logf("%s: %d", what, count[what])
	}
	return b.String() + "\n" + lines.String()
}

// suiteReasons say why groups differ, by their files, or by their file and description. All but the last are in
// docs/payloads.md or docs/import.md.
var suiteReasons = []struct{ group, reason string }{
	{"format.json", "bqgen always checks formats"},
	{"optional/bignum.json", "an integer has 64 bits"},
	{"optional/float-overflow.json", "an integer has 64 bits"},
	{`optional/ecmascript-regex.json: ECMA 262 \s`, "a pattern is one of RE2"},
	{`optional/ecmascript-regex.json: ECMA 262 \S`, "a pattern is one of RE2"},
	{"optional/dependencies-compatibility.json", "without a type, keywords of objects make an object"},
	{"ref.json: root pointer ref", "without a type, keywords of objects make an object"},
	{"optional/cross-draft.json", "an import reads keywords of newer drafts in older ones too"},
	{"optional/unknownKeyword.json", "an import takes any $id for one, also under a keyword that does not exist"},
	{"optional/format/idn-hostname.json", "of IDNA, rules about single letters and Punycode are not known"},
}

func reasonOf(file, description string) string {
	for _, r := range suiteReasons {
		if strings.HasPrefix(file+": "+description, r.group) {
			return r.reason
		}
	}
	return ""
}

// suiteGroups reads the suite, from the user's cache if it is there, and the files that it refers to: each has the $id
// by which the suite does that.
func suiteGroups(t *testing.T) ([]*suiteGroup, fstest.MapFS) {
	t.Helper()
	archive, err := suiteArchive(t.Context())
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	files, remotes := map[string][]*suiteGroup{}, fstest.MapFS{}
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, name, ok := strings.Cut(h.Name, "/"+suiteRemotes+"/"); ok && path.Ext(name) == ".json" {
			remotes["remotes/"+name] = remoteFile(t, name, r)
		}
		_, inside, ok := strings.Cut(h.Name, "/"+suiteFolder+"/")
		if !ok || path.Ext(inside) != ".json" {
			continue
		}
		var groups []*suiteGroup
		d := json.NewDecoder(r)
		d.UseNumber()
		if err := d.Decode(&groups); err != nil {
			t.Fatalf("%s: %v", h.Name, err)
		}
		for _, g := range groups {
			g.file = inside
		}
		files[inside] = groups
	}
	var all []*suiteGroup
	for _, file := range slices.Sorted(maps.Keys(files)) {
		all = append(all, files[file]...)
	}
	if len(all) < 100 {
		t.Fatalf("the suite has %d groups only", len(all))
	}
	return all, remotes
}

func remoteFile(t *testing.T, name string, r io.Reader) *fstest.MapFile {
	t.Helper()
	var document any
	d := json.NewDecoder(r)
	d.UseNumber()
	if err := d.Decode(&document); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if m, ok := document.(map[string]any); ok && m["$id"] == nil && m["id"] == nil {
		m["$id"] = "http://localhost:1234/" + name
	}
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: text}
}

// suiteArchive is the source distribution. pip fetches it from the configured package index.
func suiteArchive(ctx context.Context) ([]byte, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s-%s.tar.gz", suitePackage, suiteVersion)
	kept := filepath.Join(cache, "bqgen", "suite", name)
	if text, err := os.ReadFile(kept); !errors.Is(err, fs.ErrNotExist) {
		return text, err
	}
	if err := os.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(filepath.Dir(kept), "new-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	pip := exec.CommandContext(ctx, "python3", "-I", "-m", "pip", "--disable-pip-version-check", "--no-input",
		"download", "--quiet", "--no-deps", "--no-binary", suitePackage, "--dest", dir, suitePackage+"=="+suiteVersion)
	if out, err := pip.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("fetch the official test suite: %w\n%s", err, out)
	}
	if err := os.Rename(filepath.Join(dir, name), kept); err != nil {
		return nil, fmt.Errorf("fetch the official test suite: %w", err)
	}
	return os.ReadFile(kept)
}
