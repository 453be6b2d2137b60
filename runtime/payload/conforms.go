package payload

// A Checker checks a JSON value against a schema that Go types cannot express. Package jsonvalue has one.
type Checker interface {
	// Check returns what is wrong with text, one JSON value.
	Check(text []byte) []Problem
}

// A Problem is a [Violation] of a value that a [Checker] was given, with the way from the value to its place: names of
// members, and indexes of elements.
type Problem struct {
	Path                 []string
	Rule, Message, Value string
}

// Values inside each other are checked again and again. A payload that repeats that too often is not read: checking
// this many bytes is allowed, and so many times the text.
const (
	maxChecked      = 1 << 20
	maxCheckedTimes = 32
)

// Conforms looks ahead at the value that comes next and checks it. The decoder does it since the text shows more than
// the Go value: members that are not kept, numbers as they were sent.
func (d *Decoder) Conforms(s Checker) {
	if d.broken || d.pos >= len(d.src) {
		return // the next read reports it
	}
	end, err := d.ahead.scan(d.src, d.pos)
	if err != nil {
		return // likewise
	}
	text := d.src[d.pos:end]
	if d.checked += len(text); d.checked > d.mayCheck() {
		d.violate(RuleDepth, "is nested too deeply to be checked", "")
		return
	}
	for _, p := range s.Check(text) {
		depth := len(d.steps)
		for _, name := range p.Path {
			d.steps = append(d.steps, step[[]byte]{name: []byte(name)})
		}
		d.violate(p.Rule, p.Message, p.Value)
		d.steps = d.steps[:depth]
	}
}

// Conforms checks the value that encode writes.
func Conforms(c *Validator, encode func(*Encoder), s Checker) {
	text, err := Marshal(encode)
	if err != nil || len(text) == 0 {
		return // the encoder reports it
	}
	for _, p := range s.Check(text) {
		depth := len(c.steps)
		for _, name := range p.Path {
			c.steps = append(c.steps, step[string]{name: name})
		}
		c.violate(p.Rule, p.Message, p.Value)
		c.steps = c.steps[:depth]
	}
}
