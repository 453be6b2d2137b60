package bqtest

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/apache/pulsar-client-go/pulsar"
)

// ErrNotSupported is wrapped by the errors for what Pulsar has and this
// package has not.
var ErrNotSupported = errors.New("not supported by bqtest")

// ErrInjected is the error of a [Fault] that was given none.
var ErrInjected = errors.New("fault injected by bqtest")

// The client returns these as plain errors without a type; only their text is
// there to be tested, so the text is the same.
var (
	errConsumerState    = errors.New("consumer state is closed")
	errConnectionClosed = errors.New("connection closed")
	errConnection       = errors.New("connection error")
	errClientClosed     = errors.New("client has been closed")
)

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), ErrNotSupported)
}

// serverError is what the client makes of an error command from the broker.
func serverError(code, message string) error {
	return fmt.Errorf("server error: %s: %s", code, message)
}

// clientError is a *pulsar.Error with the given result. The type has no
// constructor, yet code under test asks it for its Result; so the two fields
// are set by reflection. Should a newer client rename them, a plain error with
// the same text is returned.
func clientError(result pulsar.Result, resultName, message string) error {
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

func errConsumerClosed() error {
	return clientError(pulsar.ConsumerClosed, "ConsumerClosed", "consumer closed")
}
