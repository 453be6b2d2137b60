package payload

import (
	"fmt"
	"maps"
	"slices"
)

// MinItems checks that an array has at least min elements.
func MinItems(c *Validator, n, min int) {
	if n < min {
		c.violate(RuleMinItems, fmt.Sprintf("want at least %d elements", min), fmt.Sprint(n))
	}
}

// MaxItems checks that an array has at most max elements.
func MaxItems(c *Validator, n, max int) {
	if n > max {
		c.violate(RuleMaxItems, fmt.Sprintf("want at most %d elements", max), fmt.Sprint(n))
	}
}

// MinProperties checks that an object has at least min members.
func MinProperties(c *Validator, n, min int) {
	if n < min {
		c.violate(RuleMinProperties, wantProperties("at least", min), fmt.Sprint(n))
	}
}

// MaxProperties checks that an object has at most max members.
func MaxProperties(c *Validator, n, max int) {
	if n > max {
		c.violate(RuleMaxProperties, wantProperties("at most", max), fmt.Sprint(n))
	}
}

// Count counts what is true: the optional members that are there.
func Count(there ...bool) (n int) {
	for _, is := range there {
		if is {
			n++
		}
	}
	return n
}

func sortedNames[T any](values map[string]T) []string { return slices.Sorted(maps.Keys(values)) }
