package payload

import (
	"errors"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// A Decoder reads one payload from JSON text. Generated code calls it:
//
//	func (v *Order) DecodeJSON(d *payload.Decoder) {
//		*v = Order{}
//		d.Require("id")
//		for name := range d.Object {
//			switch string(name) {
//			case "id":
//				d.Int64(&v.ID)
//			}
//		}
//	}
//
// Each method reads the value that comes next. A value of the wrong type is a violation and is skipped, so that one run
// finds all violations; [Decoder.Finish] returns them as one [*Error]. If the text is not JSON, decoding ends: the
// methods do nothing from there on.
//
// Member names are compared exactly, after unescaping (ENV-12). Unknown members are skipped. The last of members with
// equal names counts, and violations of the earlier ones do not (ACC-11). For every method here, null is a value of the
// wrong type.
//
// The zero Decoder has an empty text. [Decoder.Reset] prepares it for the next payload and keeps its memory.
type Decoder struct {
	src    []byte
	pos    int  // of the value that comes next
	broken bool // the text is not JSON
	trail[[]byte]
	required []requirement
	pending  int       // the number of requirements for the next Object, at the end of required
	limits   limits    // of the next Object
	ahead    lookahead // of unions
	checked  int       // bytes that checkers were given
	allowed  int       // those that they may be given; 0 for what the text deserves
}

// Reset starts a new payload. Decoded values do not refer to src.
func (d *Decoder) Reset(src []byte) {
	d.src = src
	d.pos = jsonwire.SkipSpace(src, 0)
	d.broken = false
	d.reset()
	d.required = d.required[:0]
	d.pending = 0
	d.limits = limits{}
	d.ahead.reset()
	d.checked, d.allowed = 0, 0
}

// Finish returns a [*Error] with all violations, or nil. Text after the payload is a violation.
func (d *Decoder) Finish() error {
	if !d.broken {
		if end := jsonwire.SkipSpace(d.src, d.pos); end < len(d.src) {
			d.fail(&jsonwire.SyntaxError{Offset: end, Message: "text after the payload"})
		}
	}
	return d.err()
}

// Unmarshal reads the payload in src with decode. It returns all violations as one [*Error]. Generated UnmarshalJSON
// methods call it.
func Unmarshal(src []byte, decode func(*Decoder)) error {
	var d Decoder
	d.Reset(src)
	decode(&d)
	return d.Finish()
}

// Object reads an object. It is for a range loop, which runs once for each member, in the order of the text. The loop's
// body reads the member's value; if it does not, the value is skipped. The name is valid in its iteration only.
func (d *Decoder) Object(yield func(name []byte) bool) {
	base := len(d.required) - d.pending
	count := counter{limits: d.limits}
	d.pending, d.limits = 0, limits{}
	if d.open('{', "an object") {
		d.members(yield, base, &count)
	}
	d.required = d.required[:base]
}

// members reads the members of an object, up to its closing brace. Its requirements are d.required[base:].
func (d *Decoder) members(yield func(name []byte) bool, base int, count *counter) {
	top := len(d.steps) - 1
	next := base      // the requirement that the next member probably meets
	var faulty faults // members that had violations
	for first := true; d.more('}', first); first = false {
		name, ok := d.name()
		if !ok {
			return
		}
		d.steps[top].name = name
		if f, again := faulty.take(name); again {
			d.forget(f.count, f.from, f.to)
		}
		count.add(name)
		next = d.meet(name, base, next)
		start, found, kept := d.pos, d.total, len(d.kept)
		if !yield(name) {
			d.fail(errStopped)
		}
		if d.pos == start {
			d.skip()
		}
		if d.total > found {
			faulty.add(string(name), fault{d.total - found, kept, len(d.kept)})
		}
	}
	if d.broken {
		return
	}
	d.checkRequired(base)
	d.steps = d.steps[:top]
	count.check(d)
}

// errStopped is the violation of generated code that breaks out of a loop.
var errStopped = errors.New("reading stopped inside an object or array")

// Array reads an array. It is for a range loop, which runs once for each element. The loop's body reads the element; if
// it does not, the element is skipped.
func (d *Decoder) Array(yield func(index int) bool) {
	if !d.open('[', "an array") {
		return
	}
	top := len(d.steps) - 1
	for i := 0; d.more(']', i == 0); i++ {
		d.steps[top] = step[[]byte]{index: i, element: true}
		start := d.pos
		if !yield(i) {
			d.fail(errStopped)
		}
		if d.pos == start {
			d.skip()
		}
	}
	if !d.broken {
		d.steps = d.steps[:top]
	}
}

// open enters an object or an array. Its first part, or its closing bracket, comes next.
func (d *Decoder) open(bracket byte, want string) bool {
	switch c, ok := d.peek(); {
	case !ok:
		return false
	case c != bracket:
		d.mismatch(RuleType, want)
		return false
	case len(d.steps) == maxPayloadDepth:
		d.violate(RuleDepth, "is nested too deeply", "")
		d.skip()
		return false
	}
	d.pos = jsonwire.SkipSpace(d.src, d.pos+1)
	d.steps = append(d.steps, step[[]byte]{})
	return true
}

// more moves to the next part of an object or array, before the first part or after another. At the closing bracket it
// moves past it and returns false.
func (d *Decoder) more(closing byte, first bool) bool {
	if d.broken {
		return false
	}
	if first {
		if d.pos < len(d.src) && d.src[d.pos] == closing {
			d.pos++
			return false
		}
		return true
	}
	next, more, err := jsonwire.ScanNext(d.src, d.pos, closing)
	if err != nil {
		d.fail(err)
		return false
	}
	d.pos = next
	return more
}

// name reads the name of a member. Its value comes next.
func (d *Decoder) name() (name []byte, ok bool) {
	end, plain, value, err := jsonwire.ScanMember(d.src, d.pos)
	if err != nil {
		d.fail(err)
		return nil, false
	}
	quoted := d.src[d.pos:end]
	d.pos = value
	if plain {
		return quoted[1 : len(quoted)-1], true
	}
	return jsonwire.AppendUnquoted(nil, quoted), true
}

// peek returns the first byte of the value that comes next.
func (d *Decoder) peek() (c byte, ok bool) {
	switch {
	case d.broken:
		return 0, false
	case d.pos >= len(d.src):
		d.skip() // reports what is missing
		return 0, false
	}
	return d.src[d.pos], true
}

// skip skips the value that comes next.
func (d *Decoder) skip() {
	if d.broken {
		return
	}
	// One level more than is read: a value that is too deep to be read has been reported, and its parts are not.
	end, err := jsonwire.ScanValue(d.src, d.pos, maxPayloadDepth+1)
	if err != nil {
		d.fail(err)
		return
	}
	d.pos = end
}

// fail ends decoding: the text is not JSON from here on.
func (d *Decoder) fail(err error) {
	if !d.broken {
		d.broken = true
		d.violate(RuleSyntax, "cannot be read: "+err.Error(), "")
	}
}

// mismatch reports the value that comes next and skips it.
func (d *Decoder) mismatch(rule, want string) {
	start := d.pos
	d.skip()
	if !d.broken {
		d.violate(rule, "want "+want, describe(d.src[start:d.pos]))
	}
}

// describe shows a JSON value to people.
func describe(value []byte) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return quoteShort(jsonwire.Unquote(value, false))
	}
	return shorten(string(value))
}
