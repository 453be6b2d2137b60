package bq

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestContractDocumentIsTrue checks that docs/contract.md lists each rule once and in order, that the tests it names
// exist, that every rule cited in a comment or a test is in the document, and that the code that keeps a rule names it.
func TestContractDocumentIsTrue(t *testing.T) {
	document, err := os.ReadFile("../docs/contract.md")
	if err != nil {
		t.Fatal(err)
	}
	tests, cited, kept := testsAndRules(t)
	row := regexp.MustCompile(`(?m)^\| ([A-Z]+-[0-9]+) \| [^|]+ \| ([^|]+) \|$`)
	_, rules, found := strings.Cut(string(document), "## The rules")
	if !found {
		t.Fatal("docs/contract.md has no section on the rules")
	}
	documented := map[string]bool{}
	for _, m := range row.FindAllStringSubmatch(rules, -1) {
		if documented[m[1]] {
			t.Errorf("rule %s is there twice", m[1])
		}
		documented[m[1]] = true
		for _, name := range strings.Split(m[2], ", ") {
			if !tests[name] {
				t.Errorf("rule %s is said to be tested by %s, which does not exist", m[1], name)
			}
		}
	}
	for family, last := range map[string]int{
		"ENV": 18, "ENC": 6, "NUM": 5, "ACC": 12, "IDV": 3, "MAP": 8, "DLY": 2, "RTE": 11, "GATE": 10, "ATT": 8,
		"MAX": 4, "RET": 8, "CFG": 5, "SET": 10, "ERR": 5, "DLQ": 8, "POI": 14, "UNK": 3,
		"FAN": 11,
	} {
		for n := 1; n <= last; n++ {
			if id := family + "-" + strconv.Itoa(n); !documented[id] {
				t.Errorf("rule %s is not documented", id)
			} else if !kept[id] {
				t.Errorf("no code other than tests names rule %s", id)
			}
		}
	}
	for id, path := range cited {
		if !documented[id] {
			t.Errorf("%s cites rule %s, which docs/contract.md does not have", path, id)
		}
	}
}

// testsAndRules returns the names of the runtime's tests, the rules that its files cite, with a file of each, and those
// that files other than tests cite.
func testsAndRules(t *testing.T) (tests map[string]bool, cited map[string]string, kept map[string]bool) {
	t.Helper()
	tests, cited, kept = map[string]bool{}, map[string]string{}, map[string]bool{}
	testName := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	const families = "ENV|ENC|NUM|ACC|IDV|MAP|DLY|RTE|GATE|ATT|MAX|RET|CFG|SET|ERR|DLQ|POI|UNK|FAN"
	ruleID := regexp.MustCompile(`\b(` + families + `)-[0-9]+\b`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range testName.FindAllStringSubmatch(string(source), -1) {
			tests[m[1]] = true
		}
		for _, id := range ruleID.FindAllString(string(source), -1) {
			cited[id] = path
			if !strings.HasSuffix(path, "_test.go") {
				kept[id] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests, cited, kept
}
