package payload

import (
	"errors"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// A Decoder reads one payload from JSON text. It is made for generated code:
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
// Each method reads the value that comes next. A value of the wrong kind is a violation and is passed over, so that
// one run finds all of them; they come back as one *Error from [Decoder.Finish]. A text that is not JSON ends
// the run: no method reads on.
//
// Member names are compared exactly, after unescaping (ENV-12). Unknown members are passed over. Of duplicate
// members the last one counts and what was wrong with the others does not (ACC-11). null is a value of the wrong kind
// for every method here. An unpaired surrogate escape in a string reads as U+FFFD, like everywhere in Go; the message
// keeps its own bytes.
//
// The zero Decoder has an empty text. Reset makes one fit for the next payload and keeps its memory.
type Decoder struct {
	src    []byte
	pos    int // of the next value, whitespace passed
	broken bool
	trail[[]byte]
	required []requirement
	pending  int       // how many of required wait for the next Object
	limits   limits    // of the next Object
	ahead    lookahead // of unions
}

type requirement struct {
	name string
	met  bool
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
}

// Finish returns a *Error with all violations, or nil. Text after the payload is one.
func (d *Decoder) Finish() error {
	if !d.broken {
		if end := jsonwire.SkipSpace(d.src, d.pos); end < len(d.src) {
			d.fail(&jsonwire.SyntaxError{Offset: end, Message: "text after the payload"})
		}
	}
	return d.err()
}

// Unmarshal reads the payload in src by decode. It returns a *Error when there is anything wrong with it.
// Generated UnmarshalJSON methods call it.
func Unmarshal(src []byte, decode func(*Decoder)) error {
	var d Decoder
	d.Reset(src)
	decode(&d)
	return d.Finish()
}

// Require names members that the object read next must have.
func (d *Decoder) Require(names ...string) {
	for _, name := range names {
		d.required = append(d.required, requirement{name: name})
	}
	d.pending += len(names)
}

// Object reads an object: range over it. The loop runs once for each member, in the text's order, with the member's name;
// its body reads the value, or leaves it to be passed over. The name is valid during its turn only.
func (d *Decoder) Object(yield func(name []byte) bool) {
	base := len(d.required) - d.pending
	count := counter{limits: d.limits}
	d.pending, d.limits = 0, limits{}
	if d.open('{', "an object") {
		d.members(yield, base, &count)
	}
	d.required = d.required[:base]
}

// members reads the members of an object up to its closing brace. Its requirements are d.required[base:].
func (d *Decoder) members(yield func(name []byte) bool, base int, count *counter) {
	top := len(d.steps) - 1
	next := base      // the requirement that a member in the catalog's order meets
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
		count.meet(name)
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
	for _, r := range d.required[base:] {
		if !r.met {
			d.steps[top].name = []byte(r.name)
			d.violate(RuleRequired, "is required but missing", "")
		}
	}
	d.steps = d.steps[:top]
	count.check(d)
}

var errStopped = errors.New("reading stopped inside an object or array")

// meet notes that the object has a member called name. It returns where to look for the next one first.
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

// Array reads an array: range over it. The loop runs once for each element, with its index; its body reads the
// element, or leaves it to be passed over.
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

// open enters an object or an array and stands before its first part or its closing bracket.
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

// more stands before the first part of an object or array, or after one. It moves to the next part, or reports false
// after the closing bracket.
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

// name reads a member's name and stands before its value.
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
		d.skip() // says what is missing
		return 0, false
	}
	return d.src[d.pos], true
}

// skip passes over the value that comes next.
func (d *Decoder) skip() {
	if d.broken {
		return
	}
	// One level more than may be read: what is too deep to be read has been reported, and its parts are not looked at.
	end, err := jsonwire.ScanValue(d.src, d.pos, maxPayloadDepth+1)
	if err != nil {
		d.fail(err)
		return
	}
	d.pos = end
}

// fail ends the run: from here on the text means nothing.
func (d *Decoder) fail(err error) {
	if !d.broken {
		d.broken = true
		d.violate(RuleSyntax, "cannot be read: "+err.Error(), "")
	}
}

// mismatch reports the value that comes next and passes over it.
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
