package payload

import "fmt"

// MinItems checks that an array of n elements has at least min.
func MinItems(c *Validator, n, min int) {
	if n < min {
		c.violate(RuleMinItems, fmt.Sprintf("want at least %d elements", min), fmt.Sprint(n))
	}
}

// MaxItems checks that an array of n elements has at most max.
func MaxItems(c *Validator, n, max int) {
	if n > max {
		c.violate(RuleMaxItems, fmt.Sprintf("want at most %d elements", max), fmt.Sprint(n))
	}
}
