package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// This file reads Avro's binary encoding.

// freeValues is how many values a message may have beyond one for each of its bytes. Some values have no bytes, and
// a few bytes could claim any number of them.
const freeValues = 1 << 16

// A reader reads a message.
type reader struct {
	rest  []byte
	spare int // values that may still come
}

var (
	errEnds = errors.New("it ends too early")
	errSize = errors.New("it has many more values than bytes")
)

func readAvro(s *schema, body []byte) (Fields, error) {
	r := reader{body, len(body) + freeValues}
	v, err := r.value(s, 0)
	if err != nil {
		return nil, err
	}
	if len(r.rest) > 0 {
		return nil, fmt.Errorf("%d bytes are left over", len(r.rest))
	}
	return v.(Fields), nil // of a record
}

func (r *reader) value(s *schema, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	switch s.kind {
	case kindBoolean:
		b, err := r.bytes(1)
		return err == nil && b[0] != 0, err
	case kindInt, kindLong:
		return r.long()
	case kindFloat:
		b, err := r.bytes(4)
		if err != nil {
			return nil, err
		}
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))), nil
	case kindDouble:
		b, err := r.bytes(8)
		if err != nil {
			return nil, err
		}
		return math.Float64frombits(binary.LittleEndian.Uint64(b)), nil
	case kindBytes:
		b, err := r.counted()
		return bytes.Clone(b), err
	case kindString:
		b, err := r.counted()
		return string(b), err
	case kindFixed:
		b, err := r.bytes(int64(s.size))
		return bytes.Clone(b), err
	case kindEnum:
		i, err := r.index(len(s.symbols))
		if err != nil {
			return nil, err
		}
		return s.symbols[i], nil
	case kindUnion:
		i, err := r.index(len(s.branches))
		if err != nil {
			return nil, err
		}
		return r.value(s.branches[i], depth+1)
	case kindRecord:
		return r.record(s, depth)
	case kindArray:
		all := []any{}
		err := r.blocks(func() error {
			v, err := r.value(s.items, depth+1)
			all = append(all, v)
			return err
		})
		return all, err
	case kindMap:
		all := map[string]any{}
		err := r.blocks(func() error {
			key, err := r.counted()
			if err != nil {
				return err
			}
			all[string(key)], err = r.value(s.items, depth+1)
			return err
		})
		return all, err
	}
	return nil, nil // null
}

func (r *reader) record(s *schema, depth int) (Fields, error) {
	if err := r.spend(len(s.fields)); err != nil {
		return nil, err
	}
	fields := make(Fields, len(s.fields))
	for i, f := range s.fields {
		v, err := r.value(f.of, depth+1)
		if err != nil {
			return nil, inField(f.name, err)
		}
		fields[i] = Field{f.name, v}
	}
	return fields, nil
}

// blocks calls item for each item of an array or a map.
func (r *reader) blocks(item func() error) error {
	for {
		n, err := r.long()
		if err != nil || n == 0 {
			return err
		}
		if n < 0 { // the size in bytes follows
			if _, err := r.long(); err != nil {
				return err
			}
			n = -n
		}
		for ; n != 0; n-- { // also of the least number, which has no opposite: it ends with the spare values
			if err := r.spend(1); err != nil {
				return err
			}
			if err := item(); err != nil {
				return err
			}
		}
	}
}

// spend counts values.
func (r *reader) spend(n int) error {
	if r.spare -= n; r.spare < 0 {
		return errSize
	}
	return nil
}

func (r *reader) long() (int64, error) {
	v, n := binary.Varint(r.rest)
	if n <= 0 {
		return 0, errEnds
	}
	r.rest = r.rest[n:]
	return v, nil
}

// index reads the number of one of several things.
func (r *reader) index(count int) (int64, error) {
	i, err := r.long()
	if err == nil && (i < 0 || i >= int64(count)) {
		err = fmt.Errorf("number %d of %d", i, count)
	}
	return i, err
}

// counted reads bytes that follow their number.
func (r *reader) counted() ([]byte, error) {
	n, err := r.long()
	if err != nil {
		return nil, err
	}
	return r.bytes(n)
}

func (r *reader) bytes(n int64) ([]byte, error) {
	if n < 0 || n > int64(len(r.rest)) {
		return nil, errEnds
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b, nil
}
