package standalone

import (
	"errors"
	"strings"
)

// ErrUnavailable is what errors.Is finds when no broker can be had on this
// machine: the programs that run it are missing or too old, or its jars could
// not be downloaded. A broker that was launched and failed is a [*StartError]
// instead, and never ErrUnavailable.
var ErrUnavailable = errors.New("no Apache Pulsar can be started on this machine")

// UnavailableError says what is missing. It matches [ErrUnavailable].
type UnavailableError struct {
	// Missing holds one line for each way to run a broker that was tried and
	// why it cannot be used here.
	Missing []string
	// Err is the failure behind it, when there was one.
	Err error
}

func (e *UnavailableError) Error() string {
	return ErrUnavailable.Error() + ": " + strings.Join(e.Missing, "; ")
}

// Is reports whether target is [ErrUnavailable].
func (e *UnavailableError) Is(target error) bool { return target == ErrUnavailable }

// Unwrap returns the failure behind the error, or nil.
func (e *UnavailableError) Unwrap() error { return e.Err }
