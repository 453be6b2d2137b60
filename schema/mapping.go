package schema

import (
	"slices"
	"strings"
)

// missingHints show keys that a catalog cannot do without.
var missingHints = map[string]string{
	"bqgen":   "bqgen: 1",
	"package": "package: NAME, the Go package of the generated code",
	"queues":  "queues: {NAME: {}}",
	"urns":    "urns: {URN: {queue: NAME, data: {type: object}}}",
	"queue":   "queue: NAME, one of those under queues",
	"data":    "data: {type: object, properties: {...}}",
}

func keysOf(keys ...string) []string { return keys }

// mapping takes a mapping of the format apart: what names it in messages, required and optional are the
// keys it may have. A required key that is missing is reported but does not stop the rest.
func (l *loader) mapping(n *node, what string, required, optional []string) (*node, bool) {
	if !l.isMapping(n, what) {
		return nil, false
	}
	allowed := slices.Concat(required, optional)
	var missing []string
	for _, key := range required {
		if n.get(key) == nil {
			missing = append(missing, key)
		}
	}
	for _, p := range n.pairs {
		if slices.Contains(allowed, p.key.text) {
			continue
		}
		hint := "allowed here: " + list(allowed)
		if near := nearest(p.key.text, allowed); near != "" {
			hint = "did you mean " + quote(near) + "? " + hint
			// A key that is only misspelt is not missing too.
			missing = slices.DeleteFunc(missing, func(m string) bool { return m == near })
		}
		l.report(p.key.pos, ruleUnknownKey, hint, "unknown key %s in %s", quote(p.key.text), what)
	}
	for _, key := range missing {
		l.report(n.pos, ruleMissingKey, "add "+missingHints[key], "%s has no %s", what, key)
	}
	return n, true
}

// isMapping reports anything else.
func (l *loader) isMapping(n *node, what string) bool {
	switch {
	case n.kind == mappingNode:
		return true
	case n.kind == badNode:
	case n.kind == scalarNode && n.plain && n.text == "":
		l.report(n.pos, ruleWrongType, "write {} for an empty one", "%s must be a mapping, this is nothing", what)
	default:
		l.report(n.pos, ruleWrongType, "", "%s must be a mapping, this is %s", what, n.describe())
	}
	return false
}

// isList reports anything but a sequence.
func (l *loader) isList(n *node, what string) bool {
	if n.kind != sequenceNode && n.kind != badNode {
		l.report(n.pos, ruleWrongType, "", "%s must be a list, this is %s", what, n.describe())
	}
	return n.kind == sequenceNode
}

// text takes a string. Unquoted text that is a string to some YAML readers only is not one here.
func (l *loader) text(n *node, what string) (string, bool) {
	switch {
	case n.kind == badNode:
		return "", false
	case n.kind != scalarNode:
		l.report(n.pos, ruleWrongType, "", "%s must be a string, this is %s", what, n.describe())
		return "", false
	case !n.plain || classifyPlain(n.text) == plainString:
		return n.text, true
	case n.text == "":
		l.report(n.pos, ruleWrongType, `give it a value; an empty string is ""`, "%s must be a string, this is nothing", what)
	default:
		l.report(n.pos, ruleWrongType, `quote it: "`+cut(n.text)+`"`, "%s must be a string, this is %s", what, n.describe())
	}
	return "", false
}

// reference takes the name of something that is declared as a key. A key is text as it stands, so the words that
// only YAML 1.1 took for booleans are names here: required: [x, y] means what it says.
func (l *loader) reference(n *node, what string) (string, bool) {
	if n.kind == scalarNode && n.plain && isOldBool(n.text) {
		return n.text, true
	}
	return l.text(n, what)
}

func (l *loader) optionalText(m *node, key string) string {
	n := m.get(key)
	if n == nil {
		return ""
	}
	s, _ := l.text(n, key)
	return s
}

// names takes a list of strings that are not blank.
func (l *loader) names(m *node, key string) []string {
	n := m.get(key)
	if n == nil || !l.isList(n, key) {
		return nil
	}
	var names []string
	for _, item := range n.items {
		if s, ok := l.text(item, "an entry of "+key); ok && l.notBlank(item.pos, s, "an entry of "+key) {
			names = append(names, s)
		}
	}
	return names
}

// notBlank reports names that are blank or padded by the blanks of ENV-8.
func (l *loader) notBlank(pos Pos, s, what string) bool {
	switch {
	case isBlank(s):
		l.report(pos, ruleBlank, "", "%s is blank", what)
		return false
	case isPadded(s):
		l.report(pos, ruleBlank, "write "+quote(strings.Trim(s, blanks)), "%s starts or ends with a blank: %s", what, quote(s))
		return false
	}
	return true
}

// integer takes a whole number in decimal digits. Its text decides, so nothing is rounded.
func (l *loader) integer(n *node, rule, what string) (string, bool) {
	switch {
	case n.kind == badNode:
		return "", false
	case n.kind == scalarNode && !n.plain && wholeNumber(n.text):
		l.report(n.pos, ruleWrongType, "remove the quotes", "%s must be a number, this is %s", what, n.describe())
		return "", false
	case n.kind != scalarNode || !n.plain:
		l.report(n.pos, ruleWrongType, "", "%s must be a number, this is %s", what, n.describe())
		return "", false
	case classifyPlain(n.text) != plainNumber && classifyPlain(n.text) != plainOther:
		l.report(n.pos, ruleWrongType, "", "%s must be a number, this is %s", what, n.describe())
		return "", false
	case !wholeNumber(n.text):
		l.report(n.pos, rule, "write it in decimal digits", "%s must be a whole number, this is %s", what, cut(n.text))
		return "", false
	}
	return n.text, true
}

func wholeNumber(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == "" && (digits == "0" || digits[0] != '0')
}
