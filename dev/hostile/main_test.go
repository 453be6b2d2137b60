package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// Every catalog, at a small size, goes through the commands that do the most. make hostile runs them all in full size.
func TestSmallHostileCatalogs(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs bqgen hundreds of times")
	}
	dir := t.TempDir()
	bqgen := filepath.Join(dir, "bqgen.exe")
	if text, err := exec.Command("go", "build", "-o", bqgen, "../../cmd/bqgen").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for name, build := range corpus(2_000) {
		t.Run(name, func(t *testing.T) {
			p := build()
			for _, command := range p.commandsOr([]string{"breaking --against old.yaml", "generate --out gen"}) {
				if r := try(bqgen, filepath.Join(dir, "files"), command, p); r.fault != "" {
					t.Errorf("%s: exit %d, %v, %d bytes of memory, %d printed: %s",
						r.command, r.exit, r.time, r.memory, r.output, r.fault)
				}
			}
		})
	}
}
