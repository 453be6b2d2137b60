package wire

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/apache/pulsar-client-go/pulsar"
)

// ServerError is what the client makes of an error command from the broker.
func ServerError(code, message string) error {
	return fmt.Errorf("server error: %s: %s", code, message)
}

// ClientError is a *pulsar.Error with the given result. The type has no constructor, yet code under test asks it for
// its Result; so the two fields are set by reflection. Should a newer client rename them, a plain error with the same
// text is returned.
func ClientError(result pulsar.Result, resultName, message string) error {
	text := message + ": " + resultName
	e := new(pulsar.Error)
	v := reflect.ValueOf(e).Elem()
	if !setField(v, "msg", reflect.ValueOf(text)) || !setField(v, "result", reflect.ValueOf(result)) {
		return errors.New(text)
	}
	return e
}

func setField(v reflect.Value, name string, value reflect.Value) bool {
	f := v.FieldByName(name)
	if !f.IsValid() || f.Type() != value.Type() {
		return false
	}
	reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Set(value)
	return true
}
