//go:build linux || darwin

package standalone

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/babelqueue/bqgen/dev/pulsar/internal/fakes"
)

func TestALauncherNeedsJavaAndMaven(t *testing.T) {
	for name, tc := range map[string]struct {
		tools   []string
		missing string // empty: there is a launcher
	}{
		"Java and Maven":     {tools: []string{"java", "mvn"}},
		"nothing":            {missing: "java not found in JAVA_HOME or PATH"},
		"Java without Maven": {tools: []string{"java"}, missing: "mvn not found in PATH"},
		"Maven without Java": {tools: []string{"mvn"}, missing: "java not found in JAVA_HOME or PATH"},
	} {
		t.Run(name, func(t *testing.T) {
			tools := fakes.Install(t, tc.tools...)
			l, err := fakeHost(t, tools).chooseLauncher(testContext(t))
			if tc.missing == "" {
				if err != nil {
					t.Fatal(err)
				}
				if want := filepath.Join(tools.Dir, "java"); l.java != want {
					t.Errorf("chosen %s, want %s", l.java, want)
				}
				return
			}
			var unavailable *UnavailableError
			if !errors.Is(err, ErrUnavailable) || !errors.As(err, &unavailable) {
				t.Fatalf("not ErrUnavailable: %v", err)
			}
			want := tc.missing + " (Java 17 or later and Maven 3 are needed)"
			if unavailable.Reason != want {
				t.Errorf("reason %q, want %q", unavailable.Reason, want)
			}
		})
	}
}

func TestOldJavaIsNamed(t *testing.T) {
	tools := fakes.Install(t, "java", "mvn")
	tools.Set(t, "java", "old")
	_, err := fakeHost(t, tools).chooseLauncher(testContext(t))
	mustContain(t, errorText(t, err), filepath.Join(tools.Dir, "java")+" is Java 11, too old")
}

func TestJavaHomeComesFirst(t *testing.T) {
	home, path := fakes.Install(t, "java"), fakes.Install(t, "java", "mvn")
	if err := os.Mkdir(filepath.Join(home.Dir, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	inHome := filepath.Join(home.Dir, "bin", "java")
	if err := os.Rename(filepath.Join(home.Dir, "java"), inHome); err != nil {
		t.Fatal(err)
	}
	h := fakeHost(t, path)
	h.getenv = func(name string) string {
		if name == "JAVA_HOME" {
			return home.Dir
		}
		return ""
	}
	got, _, why := h.findJavaProgram(testContext(t))
	if got != inHome {
		t.Errorf("found %q (%s), want %q", got, why, inHome)
	}

	home.Set(t, "java", "old")
	got, _, why = h.findJavaProgram(testContext(t))
	if want := filepath.Join(path.Dir, "java"); got != want {
		t.Errorf("with an old one in JAVA_HOME found %q (%s), want %q", got, why, want)
	}
}

func TestKnownJarsNeedNoMaven(t *testing.T) {
	tools := fakes.Install(t, "java", "mvn")
	h := fakeHost(t, tools)
	l, err := h.chooseLauncher(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.prepare(testContext(t), Options{}.withDefaults()); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(tools.Dir, "mvn")); err != nil {
		t.Fatal(err)
	}
	if _, err := h.chooseLauncher(testContext(t)); err != nil {
		t.Errorf("with the jars there and Maven gone: %v", err)
	}
}
