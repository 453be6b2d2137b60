package format

import "encoding/base64"

// Byte accepts bytes in base64 with the standard alphabet and padding. It rejects line breaks and stray bits at the
// end.
func Byte(text string) bool {
	_, ok := DecodeByte([]byte(text))
	return ok
}

// DecodeByte decodes a text that [Byte] accepts. If ok, the slice is not nil.
func DecodeByte(text []byte) (decoded []byte, ok bool) {
	out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Strict().Decode(out, text)
	// The decoder skips line breaks, so only the length tells whether there were any.
	if err != nil || base64.StdEncoding.EncodedLen(n) != len(text) {
		return nil, false
	}
	return out[:n], true
}
