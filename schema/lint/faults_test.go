package lint

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/schema"
)

func TestEachFaultIsFoundAtItsLine(t *testing.T) {
	text, err := os.ReadFile("testdata/faults.yaml")
	if err != nil {
		t.Fatal(err)
	}
	wanted := regexp.MustCompile(`# want (\S+)$`)
	var want []string
	rules := map[string]bool{}
	for i, line := range strings.Split(string(text), "\n") {
		if m := wanted.FindStringSubmatch(line); m != nil {
			want = append(want, fmt.Sprintf("%d %s", i+1, m[1]))
			rules[m[1]] = true
		}
	}
	findings := Check(parse(t, string(text)), Options{})
	if diff := cmp.Diff(want, found(findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	for _, r := range Rules() {
		if r.check != nil && !rules[r.ID] {
			t.Errorf("no line breaks %s", r.ID)
		}
	}
	for _, f := range findings {
		if want := f.Rule == "unbounded-array" || f.Rule == unknownRule; want != (f.Severity == schema.Error) {
			t.Errorf("line %d: %s is of severity %v", f.Pos.Line, f.Rule, f.Severity)
		}
		if f.Hint == "" || strings.ContainsAny(f.Message+f.Hint, "\n") {
			t.Errorf("line %d: message %q, hint %q", f.Pos.Line, f.Message, f.Hint)
		}
	}
}
