package envelope

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// recordRoom is the number of bytes that a dead-letter block usually fits into.
const recordRoom = 256

// PoisonRecord returns the dead-letter record of a body that is not accepted. The body can be restored from the record,
// except for white space around an object.
//
//   - A JSON object without a dead_letter member gets the block as its last member (POI-5, POI-6, POI-7, POI-8).
//   - Any other text, such as NaN or an object with dead_letter, becomes a JSON string, the member raw (POI-9, POI-10,
//     POI-11, POI-12, POI-14).
//   - Bytes that are not UTF-8 become a member raw in base64 (POI-13).
func PoisonRecord(body []byte, d DeadLetter) []byte {
	if !utf8.Valid(body) {
		return base64Record(body, d)
	}
	if object, empty, ok := spliceable(body); ok {
		return spliced(object, empty, d)
	}
	w := writer{dst: make([]byte, 0, len(body)+recordRoom)}
	w.name('{', contract.PoisonRaw)
	w.dst, _ = jsonwire.AppendString(w.dst, body)
	return w.closeRecord(',', d)
}

func base64Record(body []byte, d DeadLetter) []byte {
	w := writer{dst: make([]byte, 0, base64.StdEncoding.EncodedLen(len(body))+recordRoom)}
	w.name('{', contract.PoisonRaw)
	w.raw(`"`)
	w.dst = base64.StdEncoding.AppendEncode(w.dst, body)
	w.raw(`"`)
	w.text(',', contract.PoisonRawEncoding, "base64")
	return w.closeRecord(',', d)
}

func spliced(object []byte, empty bool, d DeadLetter) []byte {
	w := writer{dst: make([]byte, 0, len(object)+recordRoom)}
	if empty {
		return w.closeRecord('{', d) // POI-7
	}
	w.dst = append(w.dst, object[:len(object)-1]...)
	return w.closeRecord(',', d)
}

// closeRecord appends the block and the closing brace.
func (w *writer) closeRecord(before byte, d DeadLetter) []byte {
	w.name(before, contract.MemberDeadLetter)
	return append(d.append(w.dst), '}')
}

// spliceable reports whether body is an object that the block can be added to. It returns the object without the white
// space around it (POI-6), and whether it is empty.
func spliceable(body []byte) (object []byte, empty, ok bool) {
	object = bytes.Trim(body, " \t\r\n")
	if len(object) == 0 || object[0] != '{' {
		return nil, false, false
	}
	empty = true
	hasBlock := false
	end, err := members(object, 0, MaxDepth, func(name []byte, _ member) {
		empty = false
		hasBlock = hasBlock || string(name) == contract.MemberDeadLetter
	})
	if err != nil || end != len(object) || hasBlock || jsonwire.HasLoneSurrogate(object) {
		return nil, false, false
	}
	return object, empty, true
}
