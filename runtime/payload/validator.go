package payload

import (
	"strings"

	"github.com/babelqueue/bqgen/internal/pointer"
)

// A Validator checks one payload against its schema. Generated code calls it:
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
// It checks what neither the Go type nor the encoder and decoder ensure. A valid payload costs no allocations, except
// for patterns and uniqueItems.
type Validator struct {
	trail[string]
	received bool
	wrong    []string // the members of a received payload that could not be read
	scratch  []byte
}

// Received reports whether the payload was received. Then generated code does not repeat the checks that the decoder
// has made, on the text, which shows more than the Go value.
func (c *Validator) Received() bool { return c.received }

// BeginObject enters an object. If objects and arrays nest too deeply, which the encoder reports, it returns false, and
// the caller checks nothing.
func (c *Validator) BeginObject() bool { return c.begin(step[string]{}) }

// Member moves to the member called name; the caller checks its value next. It returns c, for chaining.
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

// violate records a violation, except of a value that could not be read.
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

// Validate returns everything that is wrong with a payload as one [*Error]: what check finds and what encode cannot
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

// join makes one *Error of two, either of which can be nil.
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

// Receive reads the payload in src with decode and validates it with check, as a consumer does. It returns all
// violations as one [*Error]. A nil check finds nothing.
func Receive(src []byte, decode func(*Decoder), check func(*Validator)) error {
	err := Unmarshal(src, decode)
	if check == nil {
		return err
	}
	return addReceived(err, check)
}

// addReceived adds what check finds to an error of the decoder. Nothing is checked if it is not known which members
// could be read.
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

// wrongMembers returns the members of a payload in which the decoder found violations, or false if they are not known.
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
