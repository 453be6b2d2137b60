package payload

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
)

// The rules that a [Violation] can name: the keywords of JSON Schema, and names for limits that have no keyword.
const (
	RuleType     = "type"      // the value has another JSON type, or is null
	RuleRequired = "required"  // the member is missing
	RuleEnum     = "enum"      // the value is not in the enum
	RuleFormat   = "format"    // the string does not have its format
	RuleConst    = "const"     // the value is not the only one that is allowed
	RuleRange    = "range"     // the number or time does not fit its Go type, or the year is not from 0 to 9999
	RuleGoType   = "x-go-type" // the Go type that replaces the schema rejects the value
	RuleUTF8     = "utf8"      // the string is not valid UTF-8 (ENC-5)
	RuleDepth    = "depth"     // objects and arrays nest deeper than 999 levels (ACC-12; the envelope is a level)
	RuleSyntax   = "syntax"    // the text is not JSON by RFC 8259

	RuleAdditional       = "additionalProperties" // the object must not have the member
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

// A Violation is one rule that a payload breaks at one place.
type Violation struct {
	Pointer string // JSON Pointer (RFC 6901) into the payload; empty for the payload itself
	Rule    string // one of the Rule constants
	Message string // what was wanted; it never contains a part of the payload
	Value   string // what was found, for people: quoted, at most 40 characters; empty if there is nothing to show
}

// String returns the violation on one line, without its value.
func (v Violation) String() string {
	where := v.Pointer
	if where == "" {
		where = "payload"
	}
	if strings.ContainsFunc(where, func(r rune) bool { return !strconv.IsPrint(r) }) {
		where = strconv.Quote(where)
	}
	return where + ": " + v.Message
}

// Detail returns the violation on one line, with its value.
func (v Violation) Detail() string {
	if v.Value == "" {
		return v.String()
	}
	return v.String() + ", got " + v.Value
}

// An Error contains everything that is wrong with a payload that was to be sent or was received.
type Error struct {
	Violations []Violation // in the order found; at least 1, at most 32
	More       int         // the number of violations found beyond these
}

// Error returns a text with the first three violations. It is short whatever the payload is. It contains names of
// members, but no values, which can be personal data; see [Error.Detail].
func (e *Error) Error() string { return e.join(Violation.String) }

// Detail is Error with the values.
func (e *Error) Detail() string { return e.join(Violation.Detail) }

func (e *Error) join(show func(Violation) string) string {
	const shown = 3
	var b strings.Builder
	b.WriteString("invalid payload")
	for i, v := range e.Violations[:min(shown, len(e.Violations))] {
		b.WriteString([]string{": ", "; "}[min(i, 1)])
		b.WriteString(text.Shorten(show(v), 200))
	}
	if more := max(0, len(e.Violations)-shown) + e.More; more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	return b.String()
}

const maxValueLength = 40

// quoteShort quotes a value for people, at a readable length.
func quoteShort[S ~string | ~[]byte](s S) string { return text.QuoteShort(string(s), maxValueLength) }

// shorten shortens a value for people, to a readable length.
func shorten(s string) string { return text.Shorten(s, maxValueLength) }
