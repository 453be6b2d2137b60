package payload

import "fmt"

// limits say how many members an object must and may have.
type limits struct {
	min, max int
	set      bool
}

// Properties says how many members, known and unknown ones, the object read next must and may have; a negative max is
// no limit. A generated type that passes unknown members over cannot count them later.
func (d *Decoder) Properties(min, max int) { d.limits = limits{min: min, max: max, set: true} }

// A counter counts the members of an object that has limits, equal names once.
type counter struct {
	limits
	names map[string]struct{}
}

func (c *counter) meet(name []byte) {
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
