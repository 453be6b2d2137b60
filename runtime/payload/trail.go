package payload

import (
	"slices"
	"strconv"

	"github.com/babelqueue/bqgen/internal/pointer"
)

const (
	maxViolations   = 32
	maxShown        = 1000 // a hostile text can repeat a wrong member, deep inside, as often as it has room for
	maxPayloadDepth = 999  // the envelope around the payload is one of the 1000 levels of a body (ACC-12)
)

// A trail is the way from a payload to the value at hand, and the violations found on the way.
type trail[N string | []byte] struct {
	steps []step[N]
	kept  []Violation
	total int // violations found, also those that are not kept
	shown int // violations ever kept, also those forgotten since
}

// A step leads from a value to one of its members or elements.
type step[N string | []byte] struct {
	name    N
	index   int
	element bool // the step leads to an element, so index is used and name is not
}

func (t *trail[N]) reset() {
	clear(t.steps)
	t.steps = t.steps[:0]
	t.kept = nil // an earlier error may still refer to the slice
	t.total, t.shown = 0, 0
}

// violate records a violation of the value at hand.
func (t *trail[N]) violate(rule, message, value string) {
	t.total++
	if len(t.kept) < maxViolations && t.shown < maxShown {
		t.shown++
		t.kept = append(t.kept, Violation{Pointer: t.pointer(), Rule: rule, Message: message, Value: value})
	}
}

// forget removes count violations; those of them that are kept are kept[from:to].
func (t *trail[N]) forget(count, from, to int) {
	t.total -= count
	t.kept = slices.Delete(t.kept, from, to)
}

func (t *trail[N]) pointer() string {
	var b []byte
	for _, s := range t.steps {
		if s.element {
			b = strconv.AppendInt(append(b, '/'), int64(s.index), 10)
		} else {
			b = pointer.Append(b, s.name)
		}
	}
	return string(b)
}

// err returns a *Error, or nil if there are no violations.
func (t *trail[N]) err() error {
	if t.total == 0 {
		return nil
	}
	if len(t.kept) == 0 { // all that were kept have been forgotten
		t.kept = []Violation{{Rule: RuleSyntax, Message: "repeats its members too often to say what is wrong with them"}}
	}
	return &Error{Violations: t.kept, More: t.total - len(t.kept)}
}
