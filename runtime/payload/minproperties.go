package payload

import "fmt"

// MinProperties checks that an object of n members has at least min.
func MinProperties(c *Validator, n, min int) {
	if n < min {
		c.violate(RuleMinProperties, wantProperties("at least", min), fmt.Sprint(n))
	}
}

// MaxProperties checks that an object of n members has at most max.
func MaxProperties(c *Validator, n, max int) {
	if n > max {
		c.violate(RuleMaxProperties, wantProperties("at most", max), fmt.Sprint(n))
	}
}

// Count returns how many of the optional members of an object are present.
func Count(present ...bool) (n int) {
	for _, is := range present {
		if is {
			n++
		}
	}
	return n
}

// Properties sets how many members the object read next must and may have, unknown members included. A negative max is
// no limit. The decoder checks it since a generated type does not keep unknown members.
func (d *Decoder) Properties(min, max int) { d.limits = limits{min: min, max: max, set: true} }

// limits are the least and the largest number of members of an object.
type limits struct {
	min, max int
	set      bool
}

// A counter counts the members of an object that has limits. Members with equal names count once.
type counter struct {
	limits
	names map[string]struct{}
}

func (c *counter) add(name []byte) {
	if !c.set {
		return
	}
	if c.names == nil {
		c.names = map[string]struct{}{}
	}
	c.names[string(name)] = struct{}{}
}

func (c *counter) check(d *Decoder) {
	if !c.set {
		return
	}
	if n := len(c.names); n < c.min {
		d.violate(RuleMinProperties, wantProperties("at least", c.min), fmt.Sprint(n))
	} else if c.max >= 0 && n > c.max {
		d.violate(RuleMaxProperties, wantProperties("at most", c.max), fmt.Sprint(n))
	}
}

func wantProperties(bound string, n int) string { return fmt.Sprintf("want %s %d members", bound, n) }
