package uniqueitems

import (
	"reflect"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemasIn returns the schemas in all fields that a schema has, those of later versions of the library included.
func schemasIn(s *jsonschema.Schema) (all []*jsonschema.Schema) {
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if v.IsNil() {
				return
			}
			if part, ok := v.Interface().(*jsonschema.Schema); ok {
				all = append(all, part)
				return
			}
			walk(v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				walk(v.MapIndex(key))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i))
				}
			}
		}
	}
	walk(reflect.ValueOf(s).Elem())
	return all
}
