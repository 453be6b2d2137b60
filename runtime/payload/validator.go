package payload

import (
	"strings"

	"github.com/babelqueue/bqgen/internal/pointer"
)

// A Validator collects what is wrong with a payload by its schema. It is made for generated code:
//
//	func (v *Order) ValidateJSON(c *payload.Validator) {
//		if !c.BeginObject() {
//			return
//		}
//		payload.MinLength(c.Member("customer_id"), v.CustomerID, 1)
//		v.Total.ValidateJSON(c.Member("total"))
//		c.EndObject()
//	}
//
// It knows what a schema says beyond what the Go type and the codec know already. Nothing here allocates memory as
// long as all is well, but patterns and uniqueItems.
type Validator struct {
	trail[string]
	received bool
	wrong    []string // members of a received payload that could not be read
	scratch  []byte
}

// Received reports whether the payload was read from a message. What the decoder has checked on the text, and better,
// is not checked again then.
func (c *Validator) Received() bool { return c.received }

// BeginObject enters an object. It reports false, and the caller does nothing, when objects and arrays nest too deeply,
// which the encoder reports.
func (c *Validator) BeginObject() bool { return c.begin(step[string]{}) }

// Member goes to the member called name; its value is to be checked next. It returns c so that both fit on one line.
func (c *Validator) Member(name string) *Validator {
	if len(c.steps) > 0 {
		c.steps[len(c.steps)-1].name = name
	}
	return c
}

// EndObject leaves the object that BeginObject entered.
func (c *Validator) EndObject() { c.end() }

func (c *Validator) begin(s step[string]) bool {
	if len(c.steps) == maxPayloadDepth {
		return false
	}
	c.steps = append(c.steps, s)
	return true
}

func (c *Validator) end() { c.steps = c.steps[:max(0, len(c.steps)-1)] }

// violate records a violation, unless the value could not even be read.
func (c *Validator) violate(rule, message, value string) {
	for _, name := range c.wrong {
		if len(c.steps) == 0 || c.steps[0].name == name {
			return
		}
	}
	c.trail.violate(rule, message, value)
}

func (c *Validator) reset() {
	c.trail.reset()
	c.received, c.wrong = false, nil
}

// ValidateArray checks each element of an array.
func ValidateArray[T any](c *Validator, values []T, check func(*T, *Validator)) {
	if len(values) == 0 || !c.begin(step[string]{element: true}) {
		return
	}
	top := len(c.steps) - 1
	for i := range values {
		c.steps[top].index = i
		check(&values[i], c)
	}
	c.end()
}

// ValidateMap checks each member of an object that is a map.
func ValidateMap[T any](c *Validator, values map[string]T, check func(*T, *Validator)) {
	if len(values) == 0 || !c.BeginObject() {
		return
	}
	ValidateAdditional(c, values, check)
	c.EndObject()
}

// ValidateAdditional checks each member of the object at hand that has no field of its own.
func ValidateAdditional[T any](c *Validator, values map[string]T, check func(*T, *Validator)) {
	before, kept := c.total, len(c.kept)
	for name, value := range values {
		check(&value, c.Member(name))
	}
	if c.total == before {
		return
	}
	// Again, now in an order that is always the same.
	c.forget(c.total-before, kept, len(c.kept))
	for _, name := range sortedNames(values) {
		value := values[name]
		check(&value, c.Member(name))
	}
}

// Validate returns everything that is wrong with a payload as one *Error: what check finds, and what encode cannot
// write. A nil check finds nothing. Generated Validate methods call it.
func Validate(check func(*Validator), encode func(*Encoder)) error {
	c := validators.Get().(*Validator)
	if check != nil {
		check(c)
	}
	e := encoders.Get().(*Encoder)
	e.Reset(c.scratch[:0])
	encode(e)
	text, err := e.Bytes()
	if err == nil {
		c.scratch = text
	}
	err = join(c.err(), err)
	e.Reset(nil)
	encoders.Put(e)
	c.reset()
	validators.Put(c)
	return err
}

// join makes one *Error of two, or nil of none. What both say about one value is said once.
func join(first, second error) error {
	a, _ := first.(*Error)
	b, _ := second.(*Error)
	switch {
	case b == nil:
		return first
	case a == nil:
		return second
	}
	out := &Error{Violations: a.Violations, More: a.More + b.More}
	for _, v := range b.Violations {
		if len(out.Violations) < maxViolations {
			out.Violations = append(out.Violations, v)
		} else {
			out.More++
		}
	}
	return out
}

// Receive reads the payload in src by decode and validates it by check, as a consumer does with a message's. It
// returns a *Error with everything that is wrong. A nil check finds nothing.
func Receive(src []byte, decode func(*Decoder), check func(*Validator)) error {
	err := Unmarshal(src, decode)
	if check == nil {
		return err
	}
	return addReceived(err, check)
}

func addReceived(decoding error, check func(*Validator)) error {
	wrong, ok := wrongMembers(decoding)
	if !ok {
		return decoding
	}
	c := validators.Get().(*Validator)
	c.received, c.wrong = true, wrong
	check(c)
	err := join(decoding, c.err())
	c.reset()
	validators.Put(c)
	return err
}

// wrongMembers are the members of a payload that the decoder found something wrong in. It reports false when they are
// not known.
func wrongMembers(decoding error) (names []string, ok bool) {
	if decoding == nil {
		return nil, true
	}
	e, _ := decoding.(*Error)
	if e == nil || e.More > 0 {
		return nil, false
	}
	for _, v := range e.Violations {
		if v.Rule == RuleSyntax || v.Pointer == "" {
			return nil, false
		}
		segment, _, _ := strings.Cut(v.Pointer[1:], "/")
		name, _ := pointer.Unescape(segment)
		names = append(names, name)
	}
	return names, true
}
