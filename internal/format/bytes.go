package format

import (
	"encoding/base64"

	"github.com/google/uuid"
)

// Byte accepts bytes in base64: standard alphabet, padded, no line breaks, no stray bits at the end.
func Byte(text string) bool {
	_, ok := DecodeByte([]byte(text))
	return ok
}

// DecodeByte decodes what [Byte] accepts. The slice is not nil when ok.
func DecodeByte(text []byte) (decoded []byte, ok bool) {
	out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Strict().Decode(out, text)
	// The decoder skips line breaks, so the lengths tell whether there were any.
	if err != nil || base64.StdEncoding.EncodedLen(n) != len(text) {
		return nil, false
	}
	return out[:n], true
}

// UUID accepts the 36 characters of RFC 4122: hexadecimal digits in either case, with hyphens.
func UUID(text string) bool {
	_, ok := ParseUUID([]byte(text))
	return ok
}

// ParseUUID parses what [UUID] accepts.
func ParseUUID(text []byte) (id uuid.UUID, ok bool) {
	if len(text) != 36 { // the library parses other spellings too
		return uuid.UUID{}, false
	}
	id, err := uuid.ParseBytes(text)
	return id, err == nil
}
