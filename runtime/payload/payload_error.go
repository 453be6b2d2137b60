package payload

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/internal/text"
)

// The rules that a [Violation] can name. They are JSON Schema's keywords where there is one.
const (
	RuleType     = "type"      // the value has another JSON type, null included
	RuleRequired = "required"  // the member is missing
	RuleEnum     = "enum"      // the value is not one of the enum's
	RuleFormat   = "format"    // the string is not a date-time, not a UUID, or not what else its format says
	RuleConst    = "const"     // the value is another than the only one that is allowed
	RuleRange    = "range"     // the number or time does not fit its type: no int64, no finite float64, no year 0 to 9999
	RuleGoType   = "x-go-type" // the Go type that stands in for the schema refuses the value
	RuleUTF8     = "utf8"      // the string is not valid UTF-8 (ENC-5)
	RuleDepth    = "depth"     // objects and arrays nest deeper than 999 levels (ACC-12, less one for the envelope)
	RuleSyntax   = "syntax"    // the text is not JSON by RFC 8259

	RuleAdditional       = "additionalProperties" // the member is not one of the object's
	RuleMinProperties    = "minProperties"
	RuleMaxProperties    = "maxProperties"
	RuleMinItems         = "minItems"
	RuleMaxItems         = "maxItems"
	RuleUniqueItems      = "uniqueItems"
	RuleMinLength        = "minLength"
	RuleMaxLength        = "maxLength"
	RulePattern          = "pattern"
	RuleMinimum          = "minimum"
	RuleMaximum          = "maximum"
	RuleExclusiveMinimum = "exclusiveMinimum"
	RuleExclusiveMaximum = "exclusiveMaximum"
	RuleMultipleOf       = "multipleOf"
)

// A Violation is one place where a payload is not what its schema says.
type Violation struct {
	Pointer string // JSON Pointer (RFC 6901) into the payload; empty for the payload itself
	Rule    string // one of the Rule constants
	Message string // what was wanted; never holds any of the payload
	Value   string // what was found, for people: quoted, cut to some 40 characters; empty when there is nothing to show
}

// String returns the violation on one line.
func (v Violation) String() string {
	where := v.Pointer
	if where == "" {
		where = "payload"
	}
	if strings.ContainsFunc(where, func(r rune) bool { return !strconv.IsPrint(r) }) {
		where = strconv.Quote(where)
	}
	if v.Value == "" {
		return where + ": " + v.Message
	}
	return where + ": " + v.Message + ", got " + v.Value
}

// A Error says everything that is wrong with a payload, on the way out or on the way in.
type Error struct {
	Violations []Violation // in the order met; at most 32, at least 1
	More       int         // how many were met beyond those that Violations keeps
}

// Error returns a text with the first three violations; it is short whatever the payload.
func (e *Error) Error() string {
	const shown = 3
	var b strings.Builder
	b.WriteString("invalid payload")
	for i, v := range e.Violations[:min(shown, len(e.Violations))] {
		b.WriteString([]string{": ", "; "}[min(i, 1)])
		b.WriteString(text.Shorten(v.String(), 200))
	}
	if more := max(0, len(e.Violations)-shown) + e.More; more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	return b.String()
}

const (
	maxViolations   = 32
	maxShown        = 1000 // a hostile text can repeat a wrong member, deep inside, as often as it has room for
	maxValueLength  = 40
	maxPayloadDepth = 999 // the envelope around the payload takes one of the 1000 levels that a body may have
)

// A trail knows where in a payload a codec stands and what it has found wrong on its way.
type trail[N string | []byte] struct {
	steps []step[N]
	kept  []Violation
	total int
	shown int // how many violations were ever kept, those taken back included
}

// A step leads from a value into one of its parts.
type step[N string | []byte] struct {
	name    N
	index   int
	element bool // index counts, not name
}

func (t *trail[N]) reset() {
	clear(t.steps)
	t.steps = t.steps[:0]
	t.kept = nil // an earlier error may still hold the slice
	t.total, t.shown = 0, 0
}

// violate records a violation at the current place.
func (t *trail[N]) violate(rule, message, value string) {
	t.total++
	if len(t.kept) < maxViolations && t.shown < maxShown {
		t.shown++
		t.kept = append(t.kept, Violation{Pointer: t.pointer(), Rule: rule, Message: message, Value: value})
	}
}

// forget takes back count violations, of which kept[from:to] are kept.
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

// err returns a *Error, or nil when nothing was found.
func (t *trail[N]) err() error {
	if t.total == 0 {
		return nil
	}
	if len(t.kept) == 0 { // all that were shown have been taken back
		t.kept = []Violation{{Rule: RuleSyntax, Message: "repeats its members too often to say what is wrong with them"}}
	}
	return &Error{Violations: t.kept, More: t.total - len(t.kept)}
}

// quoteShort quotes a value for people, shortened to a readable length.
func quoteShort[S ~string | ~[]byte](s S) string { return text.QuoteShort(string(s), maxValueLength) }

// shorten shortens a value for people to a readable length.
func shorten(s string) string { return text.Shorten(s, maxValueLength) }
