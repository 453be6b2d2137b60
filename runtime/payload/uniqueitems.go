package payload

import (
	"sync"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

const wantUnique = "want no two equal elements"

// UniqueItems looks ahead into the array that comes next: no two of its elements may be equal as JSON, where numbers
// are compared by value and the order of members does not matter. The decoder checks it since two texts that differ
// can become the same Go value.
func (d *Decoder) UniqueItems() {
	if d.broken || d.pos >= len(d.src) || d.src[d.pos] != '[' {
		return // not an array, which the next read reports
	}
	end, err := jsonwire.ScanValue(d.src, d.pos, maxPayloadDepth+1)
	if err != nil {
		return
	}
	if duplicate := equalElement(d.src[d.pos:end]); duplicate != nil {
		d.violate(RuleUniqueItems, wantUnique, describe(duplicate))
	}
}

// UniqueItems checks that no two elements of the array that encode writes are equal as JSON.
func UniqueItems(c *Validator, encode func(*Encoder)) {
	e := encoders.Get().(*Encoder)
	e.Reset(c.scratch[:0])
	encode(e)
	text, err := e.Bytes()
	e.Reset(nil)
	encoders.Put(e)
	if err != nil {
		return // the encoder reports it
	}
	c.scratch = text
	if duplicate := equalElement(text); duplicate != nil {
		c.violate(RuleUniqueItems, wantUnique, describe(duplicate))
	}
}

// maxKept is how large a set may be that is kept: clearing one takes as long as it was ever large.
const maxKept = 1000

// sets keeps the memory of small sets between arrays.
var sets = sync.Pool{New: func() any { return map[string]struct{}{} }}

// equalElement returns an element of a scanned array that is equal to an earlier one, or nil.
func equalElement(array []byte) []byte {
	seen := sets.Get().(map[string]struct{})
	defer func() {
		if len(seen) <= maxKept {
			clear(seen)
			sets.Put(seen)
		}
	}()
	var form []byte
	for i := jsonwire.SkipSpace(array, 1); array[i] != ']'; {
		start := i
		form, i = jsonwire.AppendCanonical(form[:0], array, i)
		if _, found := seen[string(form)]; found {
			return array[start:i]
		}
		seen[string(form)] = struct{}{}
		if i = jsonwire.SkipSpace(array, i); array[i] == ',' {
			i = jsonwire.SkipSpace(array, i+1)
		}
	}
	return nil
}
