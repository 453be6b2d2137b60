package envelope

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// PoisonRecord returns the dead-letter record of a body that is not accepted, from which the body can be had back, but
// for white space around an object. A body that is a JSON object gets the block as its last member (POI-5 to POI-8); any other text is
// wrapped as a JSON string (POI-9 to POI-12, POI-14), and bytes that are not UTF-8 as base64 (POI-13).
func PoisonRecord(body []byte, d DeadLetter) []byte {
	if !utf8.Valid(body) {
		out := append(make([]byte, 0, base64.StdEncoding.EncodedLen(len(body))+256), `{"raw":"`...)
		out = base64.StdEncoding.AppendEncode(out, body)
		return closeRecord(append(out, `","raw_encoding":"base64"`...), d)
	}
	if object, empty, ok := spliceable(body); ok {
		out := append(make([]byte, 0, len(object)+256), object[:len(object)-1]...)
		if empty {
			return append(d.append(append(out[:0], `{"dead_letter":`...)), '}') // POI-7
		}
		return closeRecord(out, d)
	}
	out := append(make([]byte, 0, len(body)+256), `{"raw":`...)
	out, _ = jsonwire.AppendString(out, body)
	return closeRecord(out, d)
}

// closeRecord appends the block and the closing brace to an object that has members.
func closeRecord(object []byte, d DeadLetter) []byte {
	return append(d.append(append(object, `,"dead_letter":`...)), '}')
}

// spliceable returns the object that body is, without outer white space (POI-6), and reports whether the block can be
// added to it and whether it is empty.
func spliceable(body []byte) (object []byte, empty, ok bool) {
	object = bytes.Trim(body, " \t\r\n")
	if len(object) == 0 || object[0] != '{' {
		return nil, false, false
	}
	empty = true
	letter := false
	end, err := members(object, 0, MaxDepth, func(name []byte, _ member) {
		empty = false
		letter = letter || string(name) == "dead_letter"
	})
	if err != nil || end != len(object) || letter || jsonwire.HasLoneSurrogate(object) {
		return nil, false, false
	}
	return object, empty, true
}
