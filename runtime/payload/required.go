package payload

// A requirement is a member that an object must have.
type requirement struct {
	name string
	met  bool
}

// Require names members that the object read next must have.
func (d *Decoder) Require(names ...string) {
	for _, name := range names {
		d.required = append(d.required, requirement{name: name})
	}
	d.pending += len(names)
}

// meet records that the object has a member called name. It returns the index of the requirement to compare the next
// member with first: most texts have their members in the order of the catalog.
func (d *Decoder) meet(name []byte, base, next int) int {
	for i := next; i < len(d.required); i++ {
		if d.required[i].name == string(name) {
			d.required[i].met = true
			return i + 1
		}
	}
	for i := base; i < next; i++ {
		if d.required[i].name == string(name) {
			d.required[i].met = true
			break
		}
	}
	return next
}

// checkRequired reports the requirements in d.required[base:] that no member of the object has met.
func (d *Decoder) checkRequired(base int) {
	top := len(d.steps) - 1
	for _, r := range d.required[base:] {
		if !r.met {
			d.steps[top].name = []byte(r.name)
			d.violate(RuleRequired, isMissing, "")
		}
	}
}

// Missing reports that there is no value to write where one is required.
func (e *Encoder) Missing() { e.violate(RuleRequired, isMissing, "") }

const isMissing = "is required but missing"
