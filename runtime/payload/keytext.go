package payload

import "github.com/babelqueue/bqgen/runtime/internal/jsonwire"

// KeyText returns the value that encode writes as the text of a message key: its JSON, without quotes if it is a
// string. It returns "" if the value cannot be encoded.
func KeyText(encode func(*Encoder)) string {
	text, err := Marshal(encode)
	if err != nil {
		return ""
	}
	if len(text) > 0 && text[0] == '"' {
		return jsonwire.Unquote(text, false)
	}
	return string(text)
}

// Text returns the string that encode writes. Validators check the constraints of a string on it if the Go type is not
// a string: a date-time, a UUID, bytes.
func Text(encode func(*Encoder)) string { return KeyText(encode) }
