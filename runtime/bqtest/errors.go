package bqtest

import (
	"errors"
	"fmt"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// ErrNotSupported is wrapped by the errors for what Pulsar has and this package lacks.
var ErrNotSupported = errors.New("not supported by bqtest")

// ErrInjected is the error of a [Fault] without an error of its own.
var ErrInjected = errors.New("fault injected by bqtest")

// The client returns these as plain errors without a type; only their text is there to be tested, so the text is the
// same.
var (
	errConsumerState    = errors.New("consumer state is closed")
	errConnectionClosed = errors.New("connection closed")
	errConnection       = errors.New("connection error")
	errClientClosed     = errors.New("client has been closed")
)

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), ErrNotSupported)
}

func errConsumerClosed() error {
	return wire.ClientError(pulsar.ConsumerClosed, "ConsumerClosed", "consumer closed")
}
