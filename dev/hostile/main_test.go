package main

import (
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// Every catalog, at a small size, goes through one of the commands that do the most, in turn. make hostile runs all of
// them, in full size.
func TestSmallHostileCatalogs(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs bqgen hundreds of times")
	}
	dir := t.TempDir()
	bqgen := filepath.Join(dir, "bqgen.exe")
	if text, err := exec.Command("go", "build", "-o", bqgen, "../../cmd/bqgen").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	catalogs := corpus(2_000)
	for i, name := range slices.Sorted(maps.Keys(catalogs)) {
		t.Run(name, func(t *testing.T) {
			p := catalogs[name]()
			commands := p.commandsOr([]string{"breaking --against old.yaml", "generate --out gen"})
			command := commands[i%len(commands)]
			if r := try(bqgen, filepath.Join(dir, "files"), command, p); r.fault != "" {
				t.Errorf("%s: exit %d, %v, %d bytes of memory, %d printed: %s",
					r.command, r.exit, r.time, r.memory, r.output, r.fault)
			}
		})
	}
}
