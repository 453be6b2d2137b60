package fileset

import (
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// cases are the names of wanted files, by their spelling without case.
type cases map[string][]string

func casesOf(files map[string][]byte) cases {
	c := cases{}
	for name := range files {
		c[withoutCase(name)] = append(c[withoutCase(name)], name)
	}
	return c
}

// contain reports whether name is a wanted file in another case, on a file system that ignores case.
func (c cases) contain(dir, name string) bool {
	for _, wanted := range c[withoutCase(name)] {
		a, errA := os.Lstat(filepath.Join(dir, name))
		b, errB := os.Lstat(filepath.Join(dir, wanted))
		if errA == nil && errB == nil && os.SameFile(a, b) {
			return true
		}
	}
	return false
}

// withoutCase returns the same text for all names that strings.EqualFold takes for equal.
func withoutCase(name string) string {
	return strings.Map(func(r rune) rune {
		first := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			first = min(first, next)
		}
		return first
	}, name)
}
