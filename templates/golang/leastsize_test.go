package golang

import (
	"fmt"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

// catalogOfNames returns a catalog of count members whose names have so many characters.
func catalogOfNames(t *testing.T, count, length int) *schema.Catalog {
	t.Helper()
	var members strings.Builder
	for i := range count {
		fmt.Fprintf(&members, "        p%0*d: {type: string}\n", length-1, i)
	}
	c, findings := load.Parse("urns.yaml", []byte("bqgen: 1\npackage: shop\nqueues: {q: {}}\nurns:\n  urn:a:b:\n"+
		"    queue: q\n    data:\n      type: object\n      properties:\n"+members.String()))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return c
}

func TestTheLeastSizeIsBelowTheSizeOfTheCode(t *testing.T) {
	for _, length := range []int{5, 100, 1000} {
		c := catalogOfNames(t, 20, length)
		p, findings := plan(c, c.Package, "urns.yaml")
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		texts, err := emitted(p)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, text := range texts {
			size += len(text)
		}
		if least := leastSize(p); least > size || length == 1000 && least < size/4 {
			t.Errorf("names of %d characters: at least %d bytes, it is %d", length, least, size)
		}
	}
}

// What the names alone make too large is not emitted at all, which would take long and much memory.
func TestCodeOfManyLongNamesIsRefused(t *testing.T) {
	c := catalogOfNames(t, 3000, 1000)
	_, findings, err := Generate(c, Options{})
	if err != nil || len(findings) != 1 || findings[0].Rule != schema.RuleTooLarge {
		t.Errorf("error %v, findings %v", err, findings)
	}
}
