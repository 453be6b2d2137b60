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
	fields   []member  // of a record
	items    *schema   // of an array or a map
	branches []*schema // of a union
	symbols  []string  // of an enum
	size     int       // of fixed
}

type member struct {
	name string
	of   *schema
}

// maxDepth bounds how deep definitions and values nest.
const maxDepth = 200

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
		return nil, fmt.Errorf("it nests deeper than %d levels", maxDepth)
	}
	switch v := v.(type) {
	case string:
		return p.reference(v, namespace)
	case []any:
		s := &schema{kind: kindUnion, branches: make([]*schema, len(v))}
		for i, branch := range v {
			var err error
			if s.branches[i], err = p.schema(branch, namespace, depth+1); err != nil {
				return nil, err
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
	s := &schema{kind: kindRecord}
	namespace, err := p.define(s, v, namespace)
	if err != nil {
		return nil, err
	}
	fields, ok := v["fields"].([]any)
	if !ok {
		return nil, errors.New("a record has no fields")
	}
	seen := map[string]bool{}
	for _, f := range fields {
		field, _ := f.(map[string]any)
		name, _ := field["name"].(string)
		if name == "" || seen[name] {
			return nil, fmt.Errorf("a field has no name, or that of another: %s", shown(name))
		}
		seen[name] = true
		of, err := p.schema(field["type"], namespace, depth+1)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", shown(name), err)
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

// shown returns what an error shows of a part of a definition, or of a message.
func shown(v any) string { return text.Quote(fmt.Sprint(v)) }
