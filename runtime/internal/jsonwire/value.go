package jsonwire

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// maxValueDepth limits how deep AppendValue follows slices and maps, which can contain themselves.
const maxValueDepth = 100

// AppendValue appends a Go value as JSON: nil, booleans, numbers, strings, and slices and maps of these, with the
// members of maps sorted by name. A json.RawMessage or json.Number that is JSON is appended unchanged. Strings are
// written as by [AppendString]. On an error, AppendValue returns dst unchanged.
func AppendValue(dst []byte, v any) ([]byte, error) {
	out, err := appendValue(dst, v, maxValueDepth)
	if err != nil {
		return dst, err
	}
	return out, nil
}

func appendValue(dst []byte, v any, depth int) ([]byte, error) {
	if depth == 0 {
		return nil, errors.New("the value nests too deeply")
	}
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case json.RawMessage:
		return appendRaw(dst, v)
	case json.Number:
		return appendRaw(dst, []byte(v))
	case json.Marshaler, encoding.TextMarshaler, []byte:
		return nil, fmt.Errorf("a %T has a JSON form of its own: pass it as a string or a json.RawMessage", v)
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(dst, r.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(dst, r.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(dst, r.Uint(), 10), nil
	case reflect.Float32, reflect.Float64:
		if math.IsNaN(r.Float()) || math.IsInf(r.Float(), 0) {
			return nil, fmt.Errorf("%v is not a JSON number", v)
		}
		number, err := json.Marshal(v)
		return append(dst, number...), err
	case reflect.String:
		dst, ok := AppendString(dst, r.String())
		if !ok {
			return nil, fmt.Errorf("%q is not valid UTF-8", r.String())
		}
		return dst, nil
	case reflect.Slice, reflect.Array:
		return appendArray(dst, r, depth)
	case reflect.Map:
		return appendMap(dst, r, depth)
	}
	return nil, fmt.Errorf("a %T has no JSON form here", v)
}

func appendArray(dst []byte, r reflect.Value, depth int) ([]byte, error) {
	dst = append(dst, '[')
	for i := range r.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendValue(dst, r.Index(i).Interface(), depth-1); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

func appendMap(dst []byte, r reflect.Value, depth int) ([]byte, error) {
	if r.Type().Key().Kind() != reflect.String {
		return nil, fmt.Errorf("a map with %s keys has no JSON form", r.Type().Key())
	}
	values := make(map[string]any, r.Len())
	for entries := r.MapRange(); entries.Next(); {
		values[entries.Key().String()] = entries.Value().Interface()
	}
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(values)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		var ok bool
		if dst, ok = AppendString(dst, name); !ok {
			return nil, fmt.Errorf("%q is not valid UTF-8", name)
		}
		var err error
		if dst, err = appendValue(append(dst, ':'), values[name], depth-1); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

func appendRaw(dst, raw []byte) ([]byte, error) {
	end, err := ScanValue(raw, 0, maxValueDepth)
	if err == nil && end != len(raw) {
		err = syntaxError(end, "unexpected text after the value")
	}
	if err != nil {
		return nil, err
	}
	return append(dst, raw...), nil
}
