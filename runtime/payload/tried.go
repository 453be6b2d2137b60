package payload

// Fits checks the value that comes next, which is that of a union without a discriminator. If the schema refuses it, it
// is skipped, and Fits returns false.
func (d *Decoder) Fits(s Checker) bool {
	found := d.total
	d.Conforms(s)
	if d.total > found {
		d.skip()
		return false
	}
	return !d.broken && d.pos < len(d.src)
}

// Try reads the value that comes next if it is a valid T, and else leaves it. Branches of a union without a
// discriminator are tried one after another. What is tried counts as checked: unions inside each other cannot make
// reading take more time than the size of the payload deserves.
func Try[T any, P interface {
	*T
	DecodeJSON(*Decoder)
}](d *Decoder) (P, bool) {
	if d.broken || d.pos >= len(d.src) {
		return nil, false
	}
	end, err := d.ahead.scan(d.src, d.pos)
	if err != nil {
		return nil, false // whoever skips it reports it
	}
	var inner Decoder
	inner.Reset(d.src[d.pos:end])
	inner.checked, inner.allowed = d.checked+end-d.pos, d.mayCheck()
	if d.checked = inner.checked; d.checked > inner.allowed {
		return nil, false
	}
	v := P(new(T))
	v.DecodeJSON(&inner)
	d.checked = inner.checked
	if inner.Finish() != nil {
		return nil, false
	}
	if checked, ok := any(v).(checkedValue); ok {
		c := Validator{received: true}
		if checked.ValidateJSON(&c); c.total > 0 {
			return nil, false
		}
	}
	d.pos = end
	return v, true
}

// NoBranch skips the value that comes next, which the schema of a union accepts and none of its branches can hold.
func (d *Decoder) NoBranch() {
	rule, message := RuleRange, "has a number that the Go type cannot hold"
	if d.checked > d.mayCheck() {
		rule, message = RuleDepth, "is nested too deeply to be checked"
	}
	d.skip()
	d.violate(rule, message, "")
}

// mayCheck returns how many bytes may be checked, in all of the payload.
func (d *Decoder) mayCheck() int {
	if d.allowed > 0 {
		return d.allowed // that of the decoder around it
	}
	return maxChecked + maxCheckedTimes*len(d.src)
}

// ValidateTried checks the branch that v is, and what the schema of the union says about all of them.
func ValidateTried[U Value](c *Validator, v U, s Checker) {
	if isNil(v) {
		return
	}
	ValidateUnion(c, v)
	if !c.received {
		Conforms(c, v.EncodeJSON, s)
	}
}
