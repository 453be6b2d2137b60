package schema

import "regexp"

// A plainKind says what an unquoted scalar is.
type plainKind int

const (
	plainString plainKind = iota
	plainNull
	plainBool
	plainNumber // a number as JSON writes it, so that its text can be taken over as it stands
	// plainOther is text that some YAML versions or libraries read as a boolean, a number or a date:
	// NO, 010, 0x1F, 1_000, 12:30, 2024-01-02. What it is depends on the reader, so bqgen asks for quotes.
	plainOther
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

// isOldBool reports the words that were booleans in YAML 1.1 and are not in YAML 1.2.
func isOldBool(text string) bool {
	switch text {
	case "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "y", "Y", "n", "N":
		return true
	}
	return false
}

// classifyPlain judges an unquoted scalar by its text alone.
func classifyPlain(text string) plainKind {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return plainNull
	case "true", "false":
		return plainBool
	case "True", "TRUE", "False", "FALSE", "<<", "=":
		return plainOther
	}
	if isOldBool(text) {
		return plainOther
	}
	switch c := text[0]; {
	case c != '-' && c != '+' && c != '.' && (c < '0' || c > '9'):
		return plainString
	case jsonNumber.MatchString(text):
		return plainNumber
	case yamlNumber.MatchString(text), yamlTime.MatchString(text):
		return plainOther
	}
	return plainString
}
