package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/pulsar-client-go/pulsar"
)

// Incompatible returns why a topic cannot have both schemas, or nil. Pulsar's compatibility by default is FULL: old and
// new read each other. Of its rules these are looked at: the kind of schema is the same; fields with one name are of
// one type; a field that only one of them has, has a default.
func Incompatible(old, with *pulsar.SchemaInfo) error {
	switch {
	case old.Type != with.Type:
		return fmt.Errorf("schema type %d instead of %d", with.Type, old.Type)
	case old.Schema == with.Schema:
		return nil
	}
	was, oldErr := fieldsOf(old.Schema)
	is, withErr := fieldsOf(with.Schema)
	if oldErr != nil || withErr != nil {
		return errors.New("the definitions differ and are not of records")
	}
	for name, field := range was {
		if err := replaces(is, name, field); err != nil {
			return err
		}
	}
	for name, field := range is {
		if err := replaces(was, name, field); err != nil {
			return err
		}
	}
	return nil
}

// replaces returns why fields cannot replace other ones, of which one is passed, or nil.
func replaces(fields map[string]schemaField, name string, other schemaField) error {
	field, found := fields[name]
	switch {
	case !found && other.Default == nil:
		return fmt.Errorf("field %q is not in both and has no default", name)
	case found && !reflect.DeepEqual(field.Type, other.Type):
		return fmt.Errorf("field %q is %v and %v", name, field.Type, other.Type)
	}
	return nil
}

type schemaField struct {
	Name    string           `json:"name"`
	Type    any              `json:"type"`
	Default *json.RawMessage `json:"default"`
}

// fieldsOf reads the fields of a record's definition.
func fieldsOf(definition string) (map[string]schemaField, error) {
	var record struct {
		Type   string        `json:"type"`
		Fields []schemaField `json:"fields"`
	}
	if err := json.Unmarshal([]byte(definition), &record); err != nil {
		return nil, err
	}
	if record.Type != "record" {
		return nil, fmt.Errorf("%q is no record", record.Type)
	}
	fields := map[string]schemaField{}
	for _, f := range record.Fields {
		fields[f.Name] = f
	}
	return fields, nil
}
