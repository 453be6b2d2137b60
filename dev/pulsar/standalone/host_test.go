//go:build linux || darwin

package standalone

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/dev/pulsar/internal/fakes"
)

func TestChooseLauncher(t *testing.T) {
	const java = "java not found in JAVA_HOME or PATH (Java 17 or later and Maven 3 are needed)"
	for name, tc := range map[string]struct {
		tools      []string
		javaMode   string
		dockerMode string
		want       string // what is chosen, without paths
		missing    []string
	}{
		"Java and Maven":             {tools: []string{"java", "mvn"}, want: "java"},
		"everything":                 {tools: []string{"java", "mvn", "docker"}, want: "java"},
		"Docker alone":               {tools: []string{"docker"}, want: "docker"},
		"Java without Maven, Docker": {tools: []string{"java", "docker"}, want: "docker"},
		"old Java, Docker":           {tools: []string{"java", "mvn", "docker"}, javaMode: "old", want: "docker"},
		"nothing":                    {missing: []string{java, "docker not found in PATH"}},
		"Java without Maven": {
			tools: []string{"java"},
			missing: []string{
				"mvn not found in PATH (Java 17 or later and Maven 3 are needed)",
				"docker not found in PATH",
			},
		},
		"Docker without daemon": {
			tools: []string{"docker"}, dockerMode: "no daemon",
			missing: []string{java, "docker is installed but its daemon does not answer"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tools := fakes.Install(t, tc.tools...)
			tools.Set(t, "java", tc.javaMode)
			tools.Set(t, "docker", tc.dockerMode)
			l, err := fakeHost(t, tools).chooseLauncher(testContext(t))
			var unavailable *UnavailableError
			if err != nil && (!errors.Is(err, ErrUnavailable) || !errors.As(err, &unavailable)) {
				t.Fatalf("not ErrUnavailable: %v", err)
			}
			got, missing := "", []string(nil)
			switch l := l.(type) {
			case *javaLauncher:
				got = filepath.Base(l.java)
			case *dockerLauncher:
				got = filepath.Base(l.docker)
			}
			if unavailable != nil {
				missing = unavailable.Missing
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("chosen (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tc.missing, missing); diff != "" {
				t.Errorf("missing (-want +got)\n%s", diff)
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
