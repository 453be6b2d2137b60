package gentest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAURNIsRemovedByGoGenerate removes a URN from the catalog the way a user does. The go command has listed the files
// of the URN before it runs bqgen, and must not fail when it gets to them.
func TestAURNIsRemovedByGoGenerate(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	m := newUserModule(t, root)
	all := readFile(t, filepath.Join(m.dir, "urns.yaml"))
	fewer, _, found := strings.Cut(all, "  urn:babel:mail:receipt.requested:\n")
	if !found {
		t.Fatal("the catalog lacks the URN to remove")
	}
	files := []string{"mail_receipt_requested.bq.go", "mail_receipt_requested.codec.bq.go"}
	left := func() []string {
		var names []string
		for _, name := range files {
			if _, err := os.Stat(filepath.Join(m.dir, "orderevents", name)); err == nil {
				names = append(names, name)
			}
		}
		return names
	}
	check := []string{"tool", "bqgen", "check", "--catalog", "urns.yaml", "--out", "./orderevents"}

	goIn(t, m.dir, "generate", "./...")
	if got := left(); len(got) != len(files) {
		t.Fatalf("generated are %q, want %q", got, files)
	}
	m.write(t, "urns.yaml", fewer)
	goIn(t, m.dir, "generate", "./...")
	if got := left(); len(got) > 0 {
		t.Errorf("after go generate ./... there are still %q", got)
	}
	goIn(t, m.dir, check...)
	goIn(t, m.dir, "build", "./...")

	// "go generate ." does not list the generated files. What it leaves declares nothing, and the next run removes it.
	m.write(t, "urns.yaml", all)
	goIn(t, m.dir, "generate", ".")
	m.write(t, "urns.yaml", fewer)
	goIn(t, m.dir, "generate", ".")
	goIn(t, m.dir, "build", "./...")
	goIn(t, m.dir, "generate", ".")
	if got := left(); len(got) > 0 {
		t.Errorf("after a second go generate . there are still %q", got)
	}
	goIn(t, m.dir, check...)
}
