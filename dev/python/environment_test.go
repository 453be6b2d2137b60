package python

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
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
	return filepath.Join(base, "bqgen", "python")
}

// entries lists a folder that may not exist.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// mustHavePython skips the test where there is no Python, except in CI.
func mustHavePython(t *testing.T) {
	t.Helper()
	_, err := findInterpreter(t.Context())
	if err != nil && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestEnvironmentIsMadeOnceHoweverManyAsk(t *testing.T) {
	mustHavePython(t)
	cache := cacheFolder(t)
	none := []byte("# no packages, so no network\n")
	envs := make([]*Env, 2)
	var all sync.WaitGroup
	for n := range envs {
		all.Go(func() {
			var err error
			if envs[n], err = Environment(t.Context(), none); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if t.Failed() {
		return
	}
	if *envs[0] != *envs[1] {
		t.Errorf("got two environments: %v, %v", envs[0], envs[1])
	}
	if got := entries(t, cache); len(got) != 1 {
		t.Errorf("the cache contains %q, want one environment", got)
	}
	out, err := envs[0].Command(t.Context(), "-c", "import sys; print(sys.prefix)").Output()
	if err != nil {
		t.Fatal(err)
	}
	got, err := filepath.EvalSymlinks(strings.TrimSpace(string(out)))
	if err != nil || !strings.HasSuffix(got, filepath.Base(envs[0].dir)) {
		t.Errorf("programs run in %s (%v), want in %s", got, err, envs[0].dir)
	}

	before, err := os.Stat(envs[0].dir)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Environment(t.Context(), none)
	if err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(again.dir)
	if err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the environment was made again (%v)", err)
	}
}

func TestFailedInstallIsUnavailableAndLeavesNothing(t *testing.T) {
	mustHavePython(t)
	cache := cacheFolder(t)
	// pip rejects this before it uses the network.
	_, err := Environment(t.Context(), []byte("no such requirement!\n"))
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "no such requirement!") {
		t.Errorf("got %v, want ErrUnavailable with what pip printed", err)
	}
	if got := entries(t, cache); len(got) != 0 {
		t.Errorf("left behind: %q", got)
	}
}

func TestUnsuitablePythonIsUnavailable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins are shell scripts")
	}
	for name, tc := range map[string]struct{ script, want string }{
		"missing":      {"", "there is no program python3 or python"},
		"too old":      {"#!/bin/sh\necho False\necho 3.8\n", "older than Python 3.9"},
		"does not run": {"#!/bin/sh\nexit 3\n", "does not run: exit status 3"},
	} {
		t.Run(name, func(t *testing.T) {
			bin := t.TempDir()
			t.Setenv("PATH", bin)
			if tc.script != "" {
				if err := os.WriteFile(filepath.Join(bin, "python3"), []byte(tc.script), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			_, err := Environment(t.Context(), nil)
			if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want ErrUnavailable: %s", err, tc.want)
			}
		})
	}
}

func TestAnotherListOrInterpreterIsAnotherEnvironment(t *testing.T) {
	seen := map[string]bool{}
	for _, i := range []*interpreter{{"/a", "3.11"}, {"/a", "3.12"}, {"/b", "3.11"}} {
		for _, list := range []string{"x==1", "x==2"} {
			seen[key(i, []byte(list))] = true
		}
	}
	if len(seen) != 6 {
		t.Errorf("6 environments share %d names", len(seen))
	}
}

func TestSweepRemovesOnlyWhatWasLeftBehind(t *testing.T) {
	cache := t.TempDir()
	for _, name := range []string{"new-1", "new-2", "0123"} {
		if err := os.Mkdir(filepath.Join(cache, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * abandoned)
	for _, name := range []string{"new-1", "0123"} {
		if err := os.Chtimes(filepath.Join(cache, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	sweep(cache)
	got := entries(t, cache)
	if len(got) != 2 || filepath.Base(got[0]) != "0123" || filepath.Base(got[1]) != "new-2" {
		t.Errorf("%q remain, want 0123 and new-2", got)
	}
}
