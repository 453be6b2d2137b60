package jsonwire

import "strings"

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// EscapePointer returns a member name as it stands in a JSON Pointer (RFC 6901).
func EscapePointer(name string) string { return pointerEscapes.Replace(name) }
