package review

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/internal/report"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/compat"
	"github.com/babelqueue/bqgen/schema/lint"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const head = "bqgen: 1\npackage: p\ninfo: {owner: o}\nqueues: {q: {}}\nurns:\n"

// An ignore comment is about a rule of lint or of breaking, never of both.
func TestRulesHaveTheirOwnIDs(t *testing.T) {
	ids := breakingIDs()
	for _, r := range lint.Rules() {
		if slices.Contains(ids, r.ID) {
			t.Errorf("%s is a rule of both", r.ID)
		}
	}
	if len(ids) != len(compat.Rules()) {
		t.Errorf("%d IDs", len(ids))
	}
}

func TestBreakingReportsWhatIsWaivedAndWhatExpired(t *testing.T) {
	old := write(t, "old.yaml", head+"  u: {queue: q, data: {type: object, properties: {a: {type: string}}}}\n")
	const urn = "  u: {queue: q, data: {type: object, properties: {a: {type: integer}}}}"
	catalog := write(t, "new.yaml", head+urn+" # bqgen:ignore type-changed until=2026-12-31 nobody reads it\n")
	lastDay := time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		today time.Time
		want  []string
		fails bool
	}{
		{lastDay, []string{"type-changed note nobody reads it (until 2026-12-31)"}, false},
		{lastDay.Add(2 * time.Hour), []string{"type-changed error ", "ignore-expired warning "}, true},
	} {
		r, err := Breaking(catalog, InFile(old), BreakingOptions{Today: tt.today, HideSafe: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range r.Findings {
			waived := ""
			for _, d := range f.Details {
				if d.Name == "waived" {
					waived = d.Value
				}
			}
			got = append(got, f.Rule+" "+f.Severity.String()+" "+waived)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || r.Fails(false) != tt.fails {
			t.Errorf("at %v: fails %v (-want +got):\n%s", tt.today, r.Fails(false), diff)
		}
	}
}

// Findings about the catalog, about its comments and about changes are one list, in the order of the catalog.
func TestFindingsOfBreakingAreInOrder(t *testing.T) {
	payload := func(kind, comment string) string {
		members := make([]string, 3)
		for i := range members {
			members[i] = fmt.Sprintf("p%d: {type: %s, x-go-name: P%d}", i, kind, i)
		}
		return " {queue: q, data: {properties: {" + strings.Join(members, ", ") + "}}}" + comment + "\n"
	}
	build := func(kind, comment string) string {
		return head + "  u:" + payload(kind, comment) + "  v:" + payload(kind, comment)
	}
	old := write(t, "old.yaml", build("string", ""))
	r, err := Breaking(write(t, "new.yaml", build("integer", " # bqgen:ignore urn-moved")), InFile(old), BreakingOptions{})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for i, f := range r.Findings {
		kinds[f.Rule]++
		if i > 0 && r.Findings[i-1].Compare(f.Diagnostic) > 0 {
			t.Errorf("%v comes after %v", f.Diagnostic, r.Findings[i-1].Diagnostic)
		}
	}
	if kinds["type-changed"] != 6 || kinds["implied-type"] != 2 || len(kinds) < 3 {
		t.Errorf("findings %v", kinds)
	}
}

// There is nothing to compare with an earlier version that has errors, and they cannot be mended here.
func TestAnEarlierVersionWithErrorsFailsTheRun(t *testing.T) {
	bad := write(t, "bad.yaml", "bqgen: 2\n")
	good := write(t, "good.yaml", head+"  u: {queue: q, data: {type: object}}\n")
	_, err := Breaking(good, InFile(bad), BreakingOptions{})
	if err == nil || !strings.Contains(err.Error(), "bad.yaml:1:") {
		t.Errorf("error %v", err)
	}
	r, err := Breaking(bad, InFile(good), BreakingOptions{})
	if err != nil || !r.Fails(false) || len(r.Findings) == 0 {
		t.Errorf("report %+v, error %v", r, err)
	}
}

// Format reads up to the limit of 16 MiB and no further, however large the catalog is.
func TestFormatStopsAtTheLimit(t *testing.T) {
	path := write(t, "large.yaml", "a: b\n")
	if err := os.Truncate(path, 1<<30); err != nil {
		t.Fatal(err)
	}
	for name, format := range map[string]func(string) (*report.Report, error){"fmt": Format, "fmt --check": CheckFormat} {
		before := allocated()
		r, err := format(path)
		if err != nil || !slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Rule == "too-large" }) {
			t.Errorf("%s: report %+v, error %v", name, r, err)
		}
		if took := allocated() - before; took > 70<<20 { // half of it when this was written
			t.Errorf("%s: %d MB were allocated", name, took>>20)
		}
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func TestLintKnowsTheRulesOfBreaking(t *testing.T) {
	path := write(t, "urns.yaml", head+
		"  urn:babel:a:b: {queue: q, summary: s, data: {type: object}, examples: [{}]} # bqgen:ignore type-changed yes\n"+
		"  urn:babel:a:c: {queue: q, summary: s, data: {type: object}, examples: [{}]} # bqgen:ignore type-chnged no\n")
	r, err := Lint(path, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Rule != "unknown-rule" || r.Findings[0].Pos.Line != 7 {
		t.Errorf("findings %+v", r.Findings)
	}
	if r.Findings[0].Severity != schema.Error {
		t.Errorf("severity %v", r.Findings[0].Severity)
	}
}
