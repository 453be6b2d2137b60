//go:build linux || darwin

package standalone

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/dev/pulsar/internal/fakes"
)

// newJarCache returns an empty cache with the fake Maven, whose pauses take no
// time.
func newJarCache(t *testing.T) (*jarCache, *fakes.Tools) {
	t.Helper()
	tools := fakes.Install(t, "mvn")
	return &jarCache{
		dir:   filepath.Join(t.TempDir(), "cache"),
		mvn:   filepath.Join(tools.Dir, "mvn"),
		pause: func(ctx context.Context, _ time.Duration) error { return context.Cause(ctx) },
	}, tools
}

func TestResolve(t *testing.T) {
	for name, tc := range map[string]struct {
		mode    string
		calls   []string
		said    []string // in the lines for people
		missing string   // in the error; empty: none
	}{
		"all in Maven's repository already": {
			calls: []string{"--offline"},
		},
		"to be downloaded": {
			mode:  "online",
			calls: []string{"--offline", "-U"},
			said:  []string{"resolving the jars", "downloads about 235 MB", "resolved in"},
		},
		"the network fails once": {
			mode:  "flaky",
			calls: []string{"--offline", "-U", "-U"},
			said:  []string{"network error (attempt 1 of 3)", "Unknown host?", "resolved in"},
		},
		"the network is down": {
			mode:  "network down",
			calls: []string{"--offline", "-U", "-U", "-U"},
			said:  []string{"attempt 2 of 3"},
			missing: "Maven could not resolve the jars of Apache Pulsar " + Version +
				": exit status 1: Could not transfer artifact",
		},
		"no such artifact is not tried again": {
			mode:    "no such artifact",
			calls:   []string{"--offline", "-U"},
			missing: "Could not find artifact a:b:jar:1 in central",
		},
		"Maven names a jar that is not there": {
			mode:    "lie",
			calls:   []string{"--offline", "-U"},
			missing: "names jars that do not exist",
		},
		"a jar has other contents": {
			mode:    "forge",
			calls:   []string{"--offline"},
			missing: "resolve the broker's jars: wrong checksum: ",
		},
		"a jar that was downloaded has other contents": {
			mode:    "forge online",
			calls:   []string{"--offline", "-U"},
			missing: "resolve the broker's jars: wrong checksum: ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			cache, tools := newJarCache(t)
			tools.Set(t, "mvn", tc.mode)
			var said lines
			err := cache.resolve(testContext(t), Options{Log: &said}.logf)
			if diff := cmp.Diff(tc.calls, tools.Calls(t, "mvn")); diff != "" {
				t.Errorf("calls of Maven (-want +got)\n%s", diff)
			}
			mustContain(t, said.String(), tc.said...)
			classpath, ok := cache.load()
			if tc.missing == "" {
				if err != nil {
					t.Fatal(err)
				}
				if want := filepath.Join(tools.Dir, "broker.jar"); !ok || classpath != want {
					t.Errorf("class path %q, %t; want %q", classpath, ok, want)
				}
				return
			}
			if ok {
				t.Errorf("a class path after a failure: %q", classpath)
			}
			// A forged jar is no reason to skip tests.
			if want := !strings.HasPrefix(tc.mode, "forge"); errors.Is(err, ErrUnavailable) != want {
				t.Errorf("got %v; is it ErrUnavailable? want %t", err, want)
			}
			mustContain(t, errorText(t, err), tc.missing)
		})
	}
}

func TestResolvedOnceNeedsNoMaven(t *testing.T) {
	cache, tools := newJarCache(t)
	for range 3 {
		if err := cache.resolve(testContext(t), Options{}.withDefaults().logf); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"--offline"}, tools.Calls(t, "mvn")); diff != "" {
		t.Errorf("calls of Maven (-want +got)\n%s", diff)
	}
}

func TestTwoAtOnceRunMavenOnce(t *testing.T) {
	cache, tools := newJarCache(t)
	tools.Set(t, "mvn", "online")
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if err := cache.resolve(testContext(t), Options{}.withDefaults().logf); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if diff := cmp.Diff([]string{"--offline", "-U"}, tools.Calls(t, "mvn")); diff != "" {
		t.Errorf("calls of Maven (-want +got)\n%s", diff)
	}
}

func TestLoadRefusesWhatIsStale(t *testing.T) {
	dir := t.TempDir()
	jar := filepath.Join(dir, "a.jar")
	if err := os.WriteFile(jar, []byte("jar"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty.jar")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		content string
		want    bool
	}{
		"good":                   {stamp() + "\n" + jar + "\n", true},
		"made from another pom":  {"# made from pom.xml 00\n" + jar + "\n", false},
		"no stamp":               {jar + "\n", false},
		"no jars":                {stamp() + "\n\n", false},
		"empty file":             {"", false},
		"a jar is gone":          {stamp() + "\n" + jar + ":" + jar + ".gone\n", false},
		"a jar is empty":         {stamp() + "\n" + jar + ":" + empty + "\n", false},
		"cut after the stamp":    {stamp(), false},
		"an empty element in it": {stamp() + "\n" + jar + "::" + jar + "\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			cache := &jarCache{dir: t.TempDir()}
			if err := os.WriteFile(cache.listPath(), []byte(tc.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, ok := cache.load(); ok != tc.want {
				t.Errorf("accepted: %t, want %t", ok, tc.want)
			}
		})
	}
}

func TestResolveEndsWithItsContext(t *testing.T) {
	cache, tools := newJarCache(t)
	tools.Set(t, "mvn", "hang")
	ctx, cancel := context.WithCancel(testContext(t))
	failed := make(chan error, 1)
	go func() { failed <- cache.resolve(ctx, Options{}.withDefaults().logf) }()
	eventually(t, "the call of Maven", func() bool { return len(tools.Calls(t, "mvn")) > 0 })
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestMavenSays(t *testing.T) {
	for output, want := range map[string]string{
		"[INFO] x\n[ERROR] Unknown host\x1b[0m\n[ERROR] more\n": "Unknown host?[0m",
		"The JAVA_HOME variable is not defined\nsecond\n":       "The JAVA_HOME variable is not defined",
		"\n": "no output",
	} {
		if diff := cmp.Diff(want, mavenSays(output)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", fmt.Sprintf("%q", strings.TrimSpace(output)), diff)
		}
	}
}
