package source

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/near"
)

// An Expect takes values of an expected shape from nodes, and reports any other. A Bad node is never reported again.
type Expect struct{ Reporter }

// Keys are the keys that a mapping of the catalog may have.
type Keys struct {
	Required []RequiredKey
	Optional []string
}

// A RequiredKey is a key that a mapping must have. The hint shows how to write it.
type RequiredKey struct{ Name, Hint string }

// Names returns all keys, those that are required first.
func (k Keys) Names() []string {
	return append(near.Names(k.Required, func(r RequiredKey) string { return r.Name }), k.Optional...)
}

func (k Keys) contain(name string) bool {
	return slices.Contains(k.Optional, name) ||
		slices.ContainsFunc(k.Required, func(r RequiredKey) bool { return r.Name == name })
}

// Mapping takes a mapping with these keys. A finding about a key does not stop it.
func (e Expect) Mapping(n *Node, what string, keys Keys) (*Node, bool) {
	if !e.IsMapping(n, what) {
		return nil, false
	}
	var missing []RequiredKey
	for _, r := range keys.Required {
		if n.Get(r.Name) == nil {
			missing = append(missing, r)
		}
	}
	for _, p := range n.Pairs {
		if keys.contain(p.Key.Text) {
			continue
		}
		allowed := keys.Names()
		hint := "allowed here: " + text.List(allowed)
		if nearest := near.Nearest(p.Key.Text, allowed); nearest != "" {
			hint = "did you mean " + text.Quote(nearest) + "? " + hint
			// A key that is only misspelt is not missing too.
			missing = slices.DeleteFunc(missing, func(r RequiredKey) bool { return r.Name == nearest })
		}
		e.Report(p.Key.Pos, schema.RuleUnknownKey, hint, "unknown key %s in %s", text.Quote(p.Key.Text), what)
	}
	for _, r := range missing {
		e.Report(n.Pos, schema.RuleMissingKey, "add "+r.Hint, "%s has no %s", what, r.Name)
	}
	return n, true
}

// wrongType reports a value of another type than the one that was expected.
func (e Expect) wrongType(n *Node, hint, what, want string) {
	e.Report(n.Pos, schema.RuleWrongType, hint, "%s must be %s, this is %s", what, want, n.Describe())
}

// IsMapping reports anything but a mapping.
func (e Expect) IsMapping(n *Node, what string) bool {
	switch {
	case n.Kind == Mapping:
		return true
	case n.Kind == Bad:
	case n.IsText(""):
		e.wrongType(n, "write {} for an empty one", what, "a mapping")
	default:
		e.wrongType(n, "", what, "a mapping")
	}
	return false
}

// IsList reports anything but a list.
func (e Expect) IsList(n *Node, what string) bool {
	if n.Kind != Sequence && n.Kind != Bad {
		e.wrongType(n, "", what, "a list")
	}
	return n.Kind == Sequence
}

// Text takes a string. Unquoted text that only some YAML readers take for a string is not one.
func (e Expect) Text(n *Node, what string) (string, bool) {
	switch {
	case n.Kind == Bad:
		return "", false
	case n.Kind != Scalar:
		e.wrongType(n, "", what, "a string")
	case !n.Plain || ClassifyPlain(n.Text) == PlainString:
		return n.Text, true
	case n.Comment != "":
		e.wrongType(n, commentHint(n.Comment), what, "a string")
	case n.Text == "":
		e.wrongType(n, `give it a value; an empty string is ""`, what, "a string")
	default:
		e.wrongType(n, `quote it: "`+text.Short(n.Text)+`"`, what, "a string")
	}
	return "", false
}

// Name takes the name of something that is declared as a key. A key is text as it stands, so the words that only YAML
// 1.1 takes for booleans are names: required: [x, y] means what it says.
func (e Expect) Name(n *Node, what string) (string, bool) {
	if n.Kind == Scalar && n.Plain && isOldBool(n.Text) {
		return n.Text, true
	}
	return e.Text(n, what)
}

// OptionalText takes the string of a key, or "" when there is no such key.
func (e Expect) OptionalText(m *Node, key string) string {
	n := m.Get(key)
	if n == nil {
		return ""
	}
	s, _ := e.Text(n, key)
	return s
}

// TextList takes a list of strings that are neither blank nor padded, or nothing when there is no such key.
func (e Expect) TextList(m *Node, key string) []string {
	n := m.Get(key)
	if n == nil || !e.IsList(n, key) {
		return nil
	}
	var texts []string
	for _, item := range n.Items {
		what := "an entry of " + key
		if s, ok := e.Text(item, what); ok && e.NotBlank(item.Pos, s, what) {
			texts = append(texts, s)
		}
	}
	return texts
}

// NotBlank reports a name that is blank or padded with the blanks of ENV-8.
func (e Expect) NotBlank(pos schema.Pos, s, what string) bool {
	switch {
	case text.IsBlank(s):
		e.Report(pos, schema.RuleBlank, "", "%s is blank", what)
		return false
	case text.IsPadded(s):
		e.Report(pos, schema.RuleBlank, "write "+text.Quote(strings.Trim(s, text.Blanks)),
			"%s starts or ends with a blank: %s", what, text.Quote(s))
		return false
	}
	return true
}

// Bool takes true or false.
func (e Expect) Bool(n *Node, what string) bool {
	switch {
	case n.Kind == Bad:
	case n.Kind == Scalar && n.Plain && ClassifyPlain(n.Text) == PlainBool:
		return n.Text == "true"
	case n.IsQuoted("true", "false"):
		e.wrongType(n, "remove the quotes", what, "true or false")
	default:
		e.wrongType(n, "", what, "true or false")
	}
	return false
}

// Whole takes a whole number in decimal digits. It returns the text, so that nothing is rounded.
func (e Expect) Whole(n *Node, rule, what string) (string, bool) {
	switch {
	case n.Kind == Bad:
	case n.Kind == Scalar && !n.Plain && IsWhole(n.Text):
		e.wrongType(n, "remove the quotes", what, "a number")
	case !isNumberLike(n):
		e.wrongType(n, "", what, "a number")
	case !IsWhole(n.Text):
		e.Report(n.Pos, rule, "write it in decimal digits",
			"%s must be a whole number, this is %s", what, text.Short(n.Text))
	default:
		return n.Text, true
	}
	return "", false
}

// isNumberLike reports a number, or text that some YAML reader could take for one.
func isNumberLike(n *Node) bool {
	if n.Kind != Scalar || !n.Plain {
		return false
	}
	kind := ClassifyPlain(n.Text)
	return kind == PlainNumber || kind == PlainAmbiguous
}

// Count takes a whole number that is not negative.
func (e Expect) Count(n *Node, what string) *int {
	if n.Kind == Scalar && n.Plain && ClassifyPlain(n.Text) == PlainNumber && IsWorkable(n.Text) {
		if digits, ok := WholeText(n.Text); ok { // 2.0 is 2
			again := *n
			again.Text, n = digits, &again
		}
	}
	digits, ok := e.Whole(n, schema.RuleBound, what)
	if !ok {
		return nil
	}
	v, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case digits[0] == '-' && digits != "-0":
		e.Report(n.Pos, schema.RuleBound, "", "%s is %s, it must not be negative", what, text.Short(digits))
	case err != nil || v > math.MaxInt32:
		e.Report(n.Pos, schema.RuleBound, "leave it out: no message is that large",
			"%s is %s, it must be at most %d", what, text.Short(digits), math.MaxInt32)
	default:
		count := int(v)
		return &count
	}
	return nil
}

// Number takes a number as it is written.
func (e Expect) Number(n *Node, what string) *schema.Num {
	switch {
	case n.Kind == Bad:
	case n.Kind == Scalar && !n.Plain && IsNumber(n.Text):
		e.wrongType(n, "remove the quotes", what, "a number")
	case !isNumberLike(n):
		e.wrongType(n, "", what, "a number")
	case ClassifyPlain(n.Text) == PlainAmbiguous:
		e.Report(n.Pos, schema.RuleWrongType, "write it in decimal digits",
			"%s must be a number as JSON writes it, this is %s", what, text.Short(n.Text))
	case !IsWorkable(n.Text):
		e.Report(n.Pos, schema.RuleBound, "leave it out", "%s is out of range: %s", what, text.Short(n.Text))
	default:
		return &schema.Num{Pos: n.Pos, Text: n.Text}
	}
	return nil
}
