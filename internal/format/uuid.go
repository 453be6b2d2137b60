package format

import "github.com/google/uuid"

// UUID accepts the 36-character form of RFC 4122: hexadecimal digits in either case, with hyphens.
func UUID(text string) bool {
	_, ok := ParseUUID([]byte(text))
	return ok
}

// ParseUUID parses a text that [UUID] accepts.
func ParseUUID(text []byte) (id uuid.UUID, ok bool) {
	if len(text) != 36 { // the library also parses other forms
		return uuid.UUID{}, false
	}
	id, err := uuid.ParseBytes(text)
	return id, err == nil
}
