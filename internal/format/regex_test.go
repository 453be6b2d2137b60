package format

import (
	"regexp/syntax"
	"testing"
)

// The flag to ignore case makes each range cost as much as it has characters, and changes nothing about what is valid.
func TestRegexHeedsTheCase(t *testing.T) {
	for _, s := range []string{
		"(?i)[a-z]", "(?i:[!-\U00010000])", "(?is-m)a", "(?si)a", "(?-i)a", "(?i-i)a", "(?P<iii>a)", "[(?i]", `\(?i`, "(?i",
		"(?i(a", "(?ix)a", "(?i)(", "(?<i>a)", "(?i-)a",
	} {
		heeding := heedCase(s)
		_, err := syntax.Parse(s, syntax.Perl)
		tree, heedingErr := syntax.Parse(heeding, syntax.Perl)
		if (err == nil) != (heedingErr == nil) {
			t.Errorf("%s: %v, but %s: %v", s, err, heeding, heedingErr)
		}
		if heedingErr == nil && folds(tree) {
			t.Errorf("%s becomes %s, which ignores case", s, heeding)
		}
	}
}

func folds(re *syntax.Regexp) bool {
	for _, sub := range re.Sub {
		if folds(sub) {
			return true
		}
	}
	return re.Flags&syntax.FoldCase != 0
}
