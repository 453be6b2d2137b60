package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// This file reads JSON.

func readJSON(s *schema, body []byte) (Fields, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber() // a float64 is not exact beyond 2^53
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the object")
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("it is no JSON object")
	}
	return inOrder(s, object, 0)
}

// inOrder returns the members of an object, in the order of a record's fields. It takes as long as the object is large,
// not the record, since an array may have many small objects.
func inOrder(s *schema, object map[string]any, depth int) (Fields, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	names := slices.SortedFunc(maps.Keys(object), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.place(a), s.place(b)), cmp.Compare(a, b))
	})
	fields := make(Fields, len(names))
	for i, name := range names {
		var of *schema
		if place := s.place(name); place < len(s.fields) {
			of = s.fields[place].of
		}
		v, err := converted(of, object[name], depth+1)
		if err != nil {
			return nil, err
		}
		fields[i] = Field{name, v}
	}
	return fields, nil
}

// place returns the number of a record's field, or how many fields there are if it has none with the name.
func (s *schema) place(name string) int {
	if i, ok := s.places[name]; ok {
		return i
	}
	return len(s.fields)
}

// converted returns a value as Field.Value has it. The schema is nil if there is none.
func converted(s *schema, v any, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	switch v := v.(type) {
	case json.Number:
		return number(v), nil
	case []any:
		items := itemsOf(s, kindArray)
		for i := range v {
			var err error
			if v[i], err = converted(items, v[i], depth+1); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		if record := branch(s, kindRecord); record != nil {
			return inOrder(record, v, depth+1)
		}
		items := itemsOf(s, kindMap)
		for name := range v {
			var err error
			if v[name], err = converted(items, v[name], depth+1); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// number returns an integer that fits as an int64, any other number as a float64 if it has its size.
func number(n json.Number) any {
	if i, err := n.Int64(); err == nil {
		return i
	}
	if strings.ContainsAny(n.String(), ".eE") {
		if f, err := strconv.ParseFloat(n.String(), 64); err == nil {
			return f
		}
	}
	return n
}

// branch returns the schema, or the first branch of a union, that is of a kind, or nil.
func branch(s *schema, k kind) *schema {
	switch {
	case s == nil:
		return nil
	case s.kind == k:
		return s
	case s.kind == kindUnion:
		return s.first[k]
	}
	return nil
}

// itemsOf returns the schema of what is in an array or a map, or nil.
func itemsOf(s *schema, k kind) *schema {
	if of := branch(s, k); of != nil {
		return of.items
	}
	return nil
}
