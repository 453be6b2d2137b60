package node

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/dev/python"
)

// A manifest and a lock file without packages, so that there is nothing to download.
const (
	noPackages = `{"name": "none", "version": "1.0.0", "private": true}`
	noLock     = `{"name": "none", "version": "1.0.0", "lockfileVersion": 3, "requires": true,
		"packages": {"": {"name": "none", "version": "1.0.0"}}}`
)

// cacheFolder makes environments go to a folder of the test, which it returns.
func cacheFolder(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, home)
	}
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(base, "bqgen", "node")
}

func TestEnvironmentIsMadeOnce(t *testing.T) {
	if inPath(t.Context()) == nil {
		t.Skip("there is no Node in PATH")
	}
	cache := cacheFolder(t)
	for range 2 {
		env, err := Environment(t.Context(), []byte(noPackages), []byte(noLock))
		if err != nil {
			t.Fatal(err)
		}
		script := filepath.Join(t.TempDir(), "a.js")
		if err := os.WriteFile(script, []byte("console.log(process.env.NODE_PATH, process.argv[2])"), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := env.Command(t.Context(), script, "x y").Output()
		if err != nil || strings.TrimSpace(string(out)) != env.Path("")+" x y" {
			t.Errorf("got %q, %v", out, err)
		}
	}
	if found, _ := filepath.Glob(filepath.Join(cache, "*")); len(found) != 1 {
		t.Errorf("the cache contains %q", found)
	}
}

func TestFailedInstallIsUnavailableAndLeavesNothing(t *testing.T) {
	if inPath(t.Context()) == nil {
		t.Skip("there is no Node in PATH")
	}
	cache := cacheFolder(t)
	_, err := Environment(t.Context(), []byte(noPackages), []byte("no lock file"))
	if !errors.Is(err, ErrUnavailable) {
		t.Errorf("error %v", err)
	}
	if found, _ := filepath.Glob(filepath.Join(cache, "*")); len(found) != 0 {
		t.Errorf("left behind: %q", found)
	}
}

// TestNodeComesFromPythonWhereThereIsNone downloads Node once for each machine.
func TestNodeComesFromPythonWhereThereIsNone(t *testing.T) {
	if testing.Short() {
		t.Skip("may download Node")
	}
	tool, err := fromPython(t.Context())
	if errors.Is(err, python.ErrUnavailable) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func(context.Context, ...string) *exec.Cmd{"node": tool.node, "npm": tool.npm} {
		if out, err := run(t.Context(), "--version").CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	err = output(tool.node(t.Context(), "-e", "process.exit(3)"))
	if err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("error %v", err)
	}
}
