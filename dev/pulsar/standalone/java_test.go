package standalone

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/dev/pulsar/internal/jars"
)

func TestParseJavaVersion(t *testing.T) {
	for name, tc := range map[string]struct {
		output string
		want   int // 0: not understood
	}{
		"17":                        {"openjdk version \"17.0.15\" 2025-04-15\nOpenJDK Runtime Environment\n", 17},
		"21, no dots":               {"openjdk version \"21\" 2023-09-19\n", 21},
		"early access":              {"openjdk version \"25-ea\" 2025-09-16\n", 25},
		"8":                         {"java version \"1.8.0_402\"\n", 8},
		"a line before it":          {"Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version \"17.0.1\"\n", 17},
		"macOS without Java":        {"The operation couldn't be completed. Unable to locate a Java Runtime.\n", 0},
		"empty":                     {"", 0},
		"version of something else": {"version \"17\"\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := parseJavaVersion(tc.output)
			if got != tc.want || ok != (tc.want != 0) {
				t.Errorf("got %d, %t; want %d", got, ok, tc.want)
			}
		})
	}
}

func TestRenderArgFileQuotesForJava(t *testing.T) {
	got := string(renderArgFile([]string{"-cp", `/a b/"c"\d.jar`, "two\nlines"}))
	want := `"-cp"` + "\n" + `"/a b/\"c\"\\d.jar"` + "\n" + `"two\nlines"` + "\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestJavaArgumentsKeepEverythingInTheFolder(t *testing.T) {
	args := javaArguments(&site{dir: "/data/broker"}, "a.jar:b.jar")
	for _, want := range []string{
		"-Djava.io.tmpdir=/data/broker/tmp",
		"-Dlog4j2.configurationFile=/data/broker/log4j2.xml",
		"/data/broker/standalone.conf",
		"/data/broker/metadata",
		"/data/broker/bookkeeper",
		"a.jar:b.jar",
		"-nss",
		"-nfw",
	} {
		if !slices.Contains(args, want) {
			t.Errorf("%q is missing in %q", want, args)
		}
	}
}

func TestWithoutPrefix(t *testing.T) {
	got := withoutPrefix([]string{"PATH=/bin", "PULSAR_STANDALONE_USE_ZOOKEEPER=1", "MY_PULSAR_=x"}, "PULSAR_")
	if diff := cmp.Diff([]string{"PATH=/bin", "MY_PULSAR_=x"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestPOMNamesTheVersion(t *testing.T) {
	var pom struct {
		Dependencies []struct {
			Artifact string `xml:"artifactId"`
			Version  string `xml:"version"`
		} `xml:"dependencies>dependency"`
	}
	if err := xml.Unmarshal(pomXML, &pom); err != nil {
		t.Fatal(err)
	}
	if len(pom.Dependencies) != 1 || pom.Dependencies[0].Version != Version {
		t.Errorf("pom.xml depends on %+v, want one dependency of version %s", pom.Dependencies, Version)
	}
	if !strings.HasPrefix(stamp(), "# made from pom.xml ") {
		t.Errorf("stamp %q", stamp())
	}
	if !strings.Contains(jars.Sums, "  pulsar-broker-"+Version+".jar\n") {
		t.Errorf("the checksums do not include the broker of version %s", Version)
	}
}
