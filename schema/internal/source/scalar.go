package source

import "regexp"

// A PlainKind is the type of an unquoted scalar.
type PlainKind int

// The kinds.
const (
	PlainString PlainKind = iota
	PlainNull
	PlainBool
	PlainNumber // a number as JSON writes it, so that its text can be taken as it stands
	// PlainAmbiguous is text that some YAML versions or libraries read as a boolean, a number or a date: NO, 010, 0x1F,
	// 1_000, 12:30, 2024-01-02. Since its type depends on the reader, bqgen asks for quotes.
	PlainAmbiguous
)

var (
	jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

	yamlNumber = regexp.MustCompile(`^[-+]?(` +
		`0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+` +
		`|[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?` + // base 60
		`|[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?` +
		`|\.[0-9_]+([eE][-+]?[0-9]+)?` +
		`|\.(inf|Inf|INF))$|^\.(nan|NaN|NAN)$`)

	yamlTime = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}` +
		`(([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?([ \t]*(Z|[-+][0-9]{1,2}(:?[0-9]{2})?))?)?$`)
)

// isOldBool reports words that are booleans in YAML 1.1 and strings in YAML 1.2.
func isOldBool(word string) bool {
	switch word {
	case "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "y", "Y", "n", "N":
		return true
	}
	return false
}

// ClassifyPlain returns the type of an unquoted scalar, which its text alone decides.
func ClassifyPlain(word string) PlainKind {
	switch word {
	case "", "~", "null", "Null", "NULL":
		return PlainNull
	case "true", "false":
		return PlainBool
	case "True", "TRUE", "False", "FALSE", "<<", "=":
		return PlainAmbiguous
	}
	if isOldBool(word) {
		return PlainAmbiguous
	}
	switch c := word[0]; {
	case c != '-' && c != '+' && c != '.' && (c < '0' || c > '9'):
		return PlainString
	case jsonNumber.MatchString(word):
		return PlainNumber
	case yamlNumber.MatchString(word), yamlTime.MatchString(word):
		return PlainAmbiguous
	}
	return PlainString
}
