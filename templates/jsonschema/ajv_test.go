package jsonschema

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/babelqueue/bqgen/dev/node"
	schemaload "github.com/babelqueue/bqgen/schema/load"
)

// exported writes the schemas of catalogs that use the whole vocabulary, and returns their files.
func exported(t *testing.T) []string {
	t.Helper()
	catalogs, err := filepath.Glob("../../gen_test/testdata/*/urns.yaml")
	if err != nil || len(catalogs) == 0 {
		t.Fatalf("there are no catalogs: %v", err)
	}
	var written []string
	for _, path := range append(catalogs, "../../examples/urns.yaml", "../docs/testdata/everything.yaml") {
		c, findings, err := schemaload.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if findings.HasErrors() {
			continue // a case of findings
		}
		files, err := Generate(c)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for name, text := range files {
			file := filepath.Join(dir, name)
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			written = append(written, file)
		}
	}
	return written
}

// TestAjvCompilesExportedSchemas checks that the most used validator of JavaScript, which is strict by default, has
// nothing to say against an exported schema.
func TestAjvCompilesExportedSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip("may download npm packages")
	}
	manifest, errManifest := os.ReadFile("../asyncapi/testdata/judge/package.json")
	lock, errLock := os.ReadFile("../asyncapi/testdata/judge/package-lock.json")
	if err := errors.Join(errManifest, errLock); err != nil {
		t.Fatal(err)
	}
	env, err := node.Environment(t.Context(), manifest, lock)
	if errors.Is(err, node.ErrUnavailable) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	files := exported(t)
	out, err := env.Command(t.Context(), filepath.Join("testdata", "ajv.js"), files...).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var complaints []string
	if err := json.Unmarshal(out, &complaints); err != nil {
		t.Fatal(err)
	}
	if len(complaints) != len(files) {
		t.Fatalf("%d answers about %d files", len(complaints), len(files))
	}
	for i, file := range files {
		if complaints[i] != "" {
			t.Errorf("%s: %s", filepath.Base(file), complaints[i])
		}
	}
}
