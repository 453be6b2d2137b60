package envelope

import "github.com/babelqueue/bqgen/runtime/internal/jsonwire"

// A member of an object, as offsets into the scanned text.
type member struct {
	comma   int  // the comma before it, or the opening brace
	start   int  // the opening quote of its name
	nameEnd int  // after the closing quote of its name
	plain   bool // its name contains no escapes
	value   span
	next    int // the name of the next member, or the closing brace
}

// A span is a part of a text, from start up to but not including end.
type span struct{ start, end int }

func (m member) name(text []byte) []byte {
	quoted := text[m.start:m.nameEnd]
	if m.plain {
		return quoted[1 : len(quoted)-1]
	}
	return jsonwire.AppendUnquoted(nil, quoted)
}

// members scans the object that starts at text[i] and returns the offset after it. It calls visit with each member and
// its unescaped name (ENV-12).
func members(text []byte, i, maxDepth int, visit func(name []byte, m member)) (end int, err error) {
	m := member{comma: i, start: jsonwire.SkipSpace(text, i+1)}
	if m.start < len(text) && text[m.start] == '}' {
		return m.start + 1, nil
	}
	for {
		if m.nameEnd, m.plain, m.value.start, err = jsonwire.ScanMember(text, m.start); err != nil {
			return 0, err
		}
		if m.value.end, err = jsonwire.ScanValue(text, m.value.start, maxDepth-1); err != nil {
			return 0, err
		}
		next, more, err := jsonwire.ScanNext(text, m.value.end, '}')
		if err != nil {
			return 0, err
		}
		if !more {
			m.next = next - 1
			visit(m.name(text), m)
			return next, nil
		}
		m.next = next
		visit(m.name(text), m)
		m = member{comma: jsonwire.SkipSpace(text, m.value.end), start: next}
	}
}
