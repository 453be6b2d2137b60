package record

import (
	"errors"
	"fmt"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/text"
)

// A Field is a field of a record.
type Field struct {
	Name string
	// Value is nil, a bool, an int64, a float64, a string, a []byte (Avro's bytes and fixed), a []any, a
	// map[string]any, or Fields. It is a json.Number for a number of JSON that neither an int64 nor a float64 can hold.
	// Of a logical type it is what is stored: milliseconds, for example. In Avro, a float64 may be NaN or infinite, and a
	// string may be invalid UTF-8.
	Value any
}

// Fields are the fields of a record, in the order of its schema.
type Fields []Field

// Get returns the value of a field, and whether there is one with the name.
func (f Fields) Get(name string) (value any, ok bool) {
	for _, field := range f {
		if field.Name == name {
			return field.Value, true
		}
	}
	return nil, false
}

// A Decoder reads the records of one schema.
type Decoder struct {
	format pulsar.SchemaType
	root   *schema
}

// maxDefinition bounds the definition of a schema, in bytes.
const maxDefinition = 1 << 20

// NewDecoder returns the decoder of a schema. It returns an error if the schema is not of JSON or Avro records, or if
// its definition cannot be parsed.
func NewDecoder(info *pulsar.SchemaInfo) (*Decoder, error) {
	switch {
	case info.Type != pulsar.JSON && info.Type != pulsar.AVRO:
		return nil, fmt.Errorf("a schema of type %s has no fields that can be read: only those of type JSON and AVRO have",
			TypeName(info.Type))
	case len(info.Schema) > maxDefinition:
		return nil, fmt.Errorf("the definition of the schema has %d bytes, at most %d are read", len(info.Schema),
			maxDefinition)
	}
	root, err := parse([]byte(info.Schema))
	if err == nil && root.kind != kindRecord {
		err = errors.New("it is not the definition of a record")
	}
	if err != nil {
		return nil, fmt.Errorf("the definition of the schema cannot be used: %w", err)
	}
	return &Decoder{info.Type, root}, nil
}

// Fields returns the fields of a message with the decoder's schema. Fields of JSON that the schema does not have come
// last, by name; those that the message does not have are left out.
func (d *Decoder) Fields(body []byte) (Fields, error) {
	read := readAvro
	if d.format == pulsar.JSON {
		read = readJSON
	}
	fields, err := read(d.root, body)
	if err != nil {
		return nil, fmt.Errorf("the message does not fit its schema of type %s: %w", TypeName(d.format), err)
	}
	return fields, nil
}

var typeNames = map[pulsar.SchemaType]string{
	pulsar.BYTES: "BYTES", pulsar.STRING: "STRING", pulsar.BOOLEAN: "BOOLEAN",
	pulsar.INT8: "INT8", pulsar.INT16: "INT16", pulsar.INT32: "INT32", pulsar.INT64: "INT64",
	pulsar.FLOAT: "FLOAT", pulsar.DOUBLE: "DOUBLE",
	pulsar.JSON: "JSON", pulsar.AVRO: "AVRO", pulsar.KeyValue: "KEY_VALUE",
	pulsar.PROTOBUF: "PROTOBUF", pulsar.ProtoNative: "PROTOBUF_NATIVE",
}

// TypeName returns the name that Pulsar's admin API has for a type of schemas.
func TypeName(t pulsar.SchemaType) string {
	if name, ok := typeNames[t]; ok {
		return name
	}
	return fmt.Sprintf("%d", t)
}

// TypeNamed returns the type of schemas that Pulsar's admin API calls by a name.
func TypeNamed(name string) (pulsar.SchemaType, error) {
	for t, known := range typeNames {
		if known == name {
			return t, nil
		}
	}
	return pulsar.NONE, fmt.Errorf("schemas of type %s are not known", text.Quote(name))
}
