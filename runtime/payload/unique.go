package payload

import (
	"sync"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

const wantUnique = "want no two equal elements"

// UniqueItems looks ahead into the array that comes next: no two of its elements may be equal as JSON, that is by the
// value of numbers and whatever the order of members. A generated type may not see the difference later.
func (d *Decoder) UniqueItems() {
	if d.broken || d.pos >= len(d.src) || d.src[d.pos] != '[' {
		return // whatever reads it will say so
	}
	end, err := jsonwire.ScanValue(d.src, d.pos, maxPayloadDepth+1)
	if err != nil {
		return
	}
	if twice := equalElement(d.src[d.pos:end]); twice != nil {
		d.violate(RuleUniqueItems, wantUnique, describe(twice))
	}
}

// UniqueItems checks that no two elements of an array, which encode writes, are equal as JSON.
func UniqueItems(c *Validator, encode func(*Encoder)) {
	e := encoders.Get().(*Encoder)
	e.Reset(c.scratch[:0])
	encode(e)
	text, err := e.Bytes()
	e.Reset(nil)
	encoders.Put(e)
	if err != nil {
		return // the encoder will say so again
	}
	c.scratch = text
	if twice := equalElement(text); twice != nil {
		c.violate(RuleUniqueItems, wantUnique, describe(twice))
	}
}

// sets are used again, for their memory.
var sets = sync.Pool{New: func() any { return map[string]struct{}{} }}

// equalElement returns an element of array, JSON text, that is equal to an earlier one, or nil.
func equalElement(array []byte) []byte {
	seen := sets.Get().(map[string]struct{})
	defer func() {
		clear(seen)
		sets.Put(seen)
	}()
	var form []byte
	for i := jsonwire.SkipSpace(array, 1); array[i] != ']'; {
		start := i
		form, i = jsonwire.AppendCanonical(form[:0], array, i)
		if _, again := seen[string(form)]; again {
			return array[start:i]
		}
		seen[string(form)] = struct{}{}
		if i = jsonwire.SkipSpace(array, i); array[i] == ',' {
			i = jsonwire.SkipSpace(array, i+1)
		}
	}
	return nil
}
