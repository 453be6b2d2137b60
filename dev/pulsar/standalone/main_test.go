//go:build linux || darwin

package standalone

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/babelqueue/bqgen/dev/pulsar/internal/fakes"
)

func TestMain(m *testing.M) {
	fakes.Main()
	runHelper()
	// Some tests have a broker's folder left behind on purpose.
	dir, err := os.MkdirTemp("", "standalone-test-")
	if err != nil {
		panic(err)
	}
	os.Setenv("TMPDIR", dir)
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(dir)
		os.Exit(code)
	}))
}

// fakeHost is a machine with the fakes of tools and nothing else.
func fakeHost(t *testing.T, tools *fakes.Tools) *host {
	t.Helper()
	cache := t.TempDir()
	return &host{
		getenv: func(string) string { return "" },
		lookPath: func(name string) (string, error) {
			path := filepath.Join(tools.Dir, name)
			if _, err := os.Stat(path); err != nil {
				return "", exec.ErrNotFound
			}
			return path, nil
		},
		cacheDir:    func() (string, error) { return cache, nil },
		withTimeout: context.WithTimeoutCause,
	}
}

// testTimeout is far longer than anything here takes.
const testTimeout = 2 * time.Minute

// testContext ends with the test, and early when the test hangs.
func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	t.Cleanup(cancel)
	return ctx
}

// eventually waits until the condition holds.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(testTimeout); !condition(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come to pass within %s", what, testTimeout)
		}
		<-time.After(5 * time.Millisecond)
	}
}

// tempFolders has temporary folders made in a folder of the test's own and
// returns a function that lists those of brokers.
func tempFolders(t *testing.T) func() []string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	return func() []string {
		found, err := filepath.Glob(filepath.Join(dir, "bqgen-*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
}

// lines collects what is written to it.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// mustContain fails the test for each part that is not in text.
func mustContain(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in:\n%s", part, text)
		}
	}
}

// errorText is the text of an error that must be there.
func errorText(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	return err.Error()
}

// startError is the *StartError that err must be.
func startError(t *testing.T, err error) *StartError {
	t.Helper()
	var failed *StartError
	if !errors.As(err, &failed) {
		t.Fatalf("not a *StartError: %v", err)
	}
	return failed
}
