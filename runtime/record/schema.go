package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
)

// This file reads definitions of schemas: Avro's language, in which Pulsar keeps those of JSON, too.

type kind int

const (
	kindNull kind = iota
	kindBoolean
	kindInt
	kindLong
	kindFloat
	kindDouble
	kindBytes
	kindString
	kindRecord
	kindEnum
	kindArray
	kindMap
	kindUnion
	kindFixed
)

var primitives = map[string]*schema{
	"null": {kind: kindNull}, "boolean": {kind: kindBoolean}, "int": {kind: kindInt}, "long": {kind: kindLong},
	"float": {kind: kindFloat}, "double": {kind: kindDouble}, "bytes": {kind: kindBytes}, "string": {kind: kindString},
}

// A schema is a type of values. Records can contain themselves.
type schema struct {
	kind     kind
	fields   []member         // of a record
	places   map[string]int   // of the fields of a record, by name
	items    *schema          // of an array or a map
	branches []*schema        // of a union
	first    map[kind]*schema // of the branches of a union, by kind
	symbols  []string         // of an enum
	size     int              // of fixed
}

type member struct {
	name string
	of   *schema
}

// maxDepth bounds how deep definitions and values nest.
const maxDepth = 200

var errDeep = fmt.Errorf("it nests deeper than %d levels", maxDepth)

// maxName bounds the name of a type with its namespace, in bytes: each type inside has the namespace in its name, too.
const maxName = 1000

// A parser collects the named types of a definition.
type parser struct{ named map[string]*schema }

func parse(definition []byte) (*schema, error) {
	var v any
	if err := json.Unmarshal(definition, &v); err != nil {
		return nil, err
	}
	return (&parser{map[string]*schema{}}).schema(v, "", 0)
}

func (p *parser) schema(v any, namespace string, depth int) (*schema, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	switch v := v.(type) {
	case string:
		return p.reference(v, namespace)
	case []any:
		s := &schema{kind: kindUnion, branches: make([]*schema, len(v)), first: map[kind]*schema{}}
		for i, branch := range v {
			b, err := p.schema(branch, namespace, depth+1)
			if err != nil {
				return nil, err
			}
			s.branches[i] = b
			if s.first[b.kind] == nil {
				s.first[b.kind] = b
			}
		}
		return s, nil
	case map[string]any:
		return p.complex(v, namespace, depth)
	}
	return nil, fmt.Errorf("%s is no type", shown(v))
}

// reference returns the primitive or named type of a name.
func (p *parser) reference(name, namespace string) (*schema, error) {
	if s, ok := primitives[name]; ok {
		return s, nil
	}
	for _, full := range []string{fullName(name, namespace), name} {
		if s, ok := p.named[full]; ok {
			return s, nil
		}
	}
	return nil, fmt.Errorf("there is no type %s", shown(name))
}

func (p *parser) complex(v map[string]any, namespace string, depth int) (s *schema, err error) {
	switch of := v["type"]; of {
	case "record", "error":
		return p.record(v, namespace, depth)
	case "enum":
		s = &schema{kind: kindEnum}
		symbols, _ := v["symbols"].([]any)
		for _, symbol := range symbols {
			name, ok := symbol.(string)
			if !ok {
				return nil, fmt.Errorf("the symbol %s of an enum is no text", shown(symbol))
			}
			s.symbols = append(s.symbols, name)
		}
		_, err = p.define(s, v, namespace)
		return s, err
	case "fixed":
		size, ok := v["size"].(float64)
		if !ok || size < 0 || size > math.MaxInt32 || size != math.Trunc(size) {
			return nil, fmt.Errorf("%s is no size", shown(v["size"]))
		}
		s = &schema{kind: kindFixed, size: int(size)}
		_, err = p.define(s, v, namespace)
		return s, err
	case "array":
		s = &schema{kind: kindArray}
		s.items, err = p.schema(v["items"], namespace, depth+1)
		return s, err
	case "map":
		s = &schema{kind: kindMap}
		s.items, err = p.schema(v["values"], namespace, depth+1)
		return s, err
	default: // such as {"type":"long","logicalType":"timestamp-millis"}
		return p.schema(of, namespace, depth+1)
	}
}

func (p *parser) record(v map[string]any, namespace string, depth int) (*schema, error) {
	s := &schema{kind: kindRecord, places: map[string]int{}}
	namespace, err := p.define(s, v, namespace)
	if err != nil {
		return nil, err
	}
	fields, ok := v["fields"].([]any)
	if !ok {
		return nil, errors.New("a record has no fields")
	}
	for i, f := range fields {
		field, _ := f.(map[string]any)
		name, _ := field["name"].(string)
		if _, taken := s.places[name]; taken || name == "" {
			return nil, fmt.Errorf("a field has no name, or that of another: %s", shown(name))
		}
		s.places[name] = i
		of, err := p.schema(field["type"], namespace, depth+1)
		if err != nil {
			return nil, inField(name, err)
		}
		s.fields = append(s.fields, member{name, of})
	}
	return s, nil
}

// define gives a type its name, and returns the namespace of what is inside.
func (p *parser) define(s *schema, v map[string]any, namespace string) (string, error) {
	name, _ := v["name"].(string)
	if own, ok := v["namespace"].(string); ok {
		namespace = own
	}
	full := fullName(name, namespace)
	if _, taken := p.named[full]; taken || name == "" || primitives[full] != nil {
		return "", fmt.Errorf("a type has no name, or that of another: %s", shown(full))
	}
	if len(full) > maxName {
		return "", fmt.Errorf("the name of a type has %d bytes, at most %d are read: %s", len(full), maxName, shown(full))
	}
	p.named[full] = s
	if dot := strings.LastIndexByte(full, '.'); dot >= 0 {
		return full[:dot], nil
	}
	return "", nil
}

func fullName(name, namespace string) string {
	if namespace == "" || strings.Contains(name, ".") {
		return name
	}
	return namespace + "." + name
}

// A fieldError says in which field something is wrong, and in which fields that is.
type fieldError struct {
	path string
	err  error
}

func (e *fieldError) Error() string { return fmt.Sprintf("field %s: %v", shown(e.path), e.err) }

func (e *fieldError) Unwrap() error { return e.err }

// inField adds a name to the path of an error. The path ends where shown would cut it.
func inField(name string, err error) error {
	if inner, ok := err.(*fieldError); ok {
		return &fieldError{text.Short(name + "." + inner.path), inner.err}
	}
	return &fieldError{text.Short(name), err}
}

// shown returns what an error shows of a part of a definition, or of a message.
func shown(v any) string { return text.Quote(fmt.Sprint(v)) }
