package standalone

import "errors"

// ErrUnavailable reports that this machine cannot run a broker: the programs that it needs are missing or too old, or
// its jars could not be downloaded. For a broker that was launched and failed, the error is a [*StartError] instead.
var ErrUnavailable = errors.New("no Apache Pulsar can be started on this machine")

// UnavailableError describes what is missing. It matches [ErrUnavailable].
type UnavailableError struct {
	Reason string
	// Err is the underlying error, if any.
	Err error
}

func (e *UnavailableError) Error() string {
	return ErrUnavailable.Error() + ": " + e.Reason
}

// Is reports whether target is [ErrUnavailable].
func (e *UnavailableError) Is(target error) bool { return target == ErrUnavailable }

// Unwrap returns the underlying error, or nil.
func (e *UnavailableError) Unwrap() error { return e.Err }
