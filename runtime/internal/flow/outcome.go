package flow

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// This file owns what an error of user code means. It is pure, but it calls the error's methods, which are the user's.

// A PermanentError says that a retry is of no use.
type PermanentError struct{ Err error }

func (e *PermanentError) Error() string { return e.Err.Error() }

// Unwrap returns the error that it was made of.
func (e *PermanentError) Unwrap() error { return e.Err }

// A RetryAfterError says that the next try is to wait.
type RetryAfterError struct {
	Delay time.Duration
	Err   error
}

func (e *RetryAfterError) Error() string { return e.Err.Error() }

// Unwrap returns the error that it was made of.
func (e *RetryAfterError) Unwrap() error { return e.Err }

// A SnoozeError says that the message is not to be handled now, which is no failure.
type SnoozeError struct{ Delay time.Duration }

func (e *SnoozeError) Error() string { return fmt.Sprintf("snoozed for %s", e.Delay) }

// A DiscardError says that the message is of no use.
type DiscardError struct{ Err error }

func (e *DiscardError) Error() string { return e.Err.Error() }

// Unwrap returns the error that it was made of.
func (e *DiscardError) Unwrap() error { return e.Err }

// A StopError says that the consumer is to end.
type StopError struct{ Err error }

func (e *StopError) Error() string { return e.Err.Error() }

// Unwrap returns the error that it was made of.
func (e *StopError) Unwrap() error { return e.Err }

// ErrTimeout is the cause with which a handler's context ends when its time is up.
var ErrTimeout = errors.New("the handler timeout is over")

// ErrShutdown is the cause with which handlers' contexts end when the grace period is over.
var ErrShutdown = errors.New("the consumer is shutting down")

// errGoexit is the outcome of user code that ends its goroutine, as t.FailNow does in a test.
var errGoexit = errors.New("the handler ended its goroutine (runtime.Goexit)")

// A keptError is an error of user code with what is needed of it. It is made where a panic of the error's own methods
// does no harm, and using it calls none of them.
type keptError struct {
	error
	text      string
	exception string
}

func keep(err error) *keptError {
	return &keptError{error: err, text: err.Error(), exception: exception(err)}
}

func (e *keptError) Error() string { return e.text }
func (e *keptError) Unwrap() error { return e.error }

// exception returns the type of the innermost error, which is what went wrong; what is around it only says where.
func exception(err error) string {
	if kept, ok := err.(*keptError); ok {
		return kept.exception
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return fmt.Sprintf("%T", err)
		}
		err = inner
	}
}

// failed reports whether the attempt failed, so that it counts and observers are told.
func (o *outcome) failed() bool { return o.err != nil && !o.interrupted && !o.snoozed && !o.stop }

// An outcome is what became of a delivery in user code. At most one of stop, permanent, discarded, snoozed and delayed
// is set: what is first in this order is anywhere in the error.
type outcome struct {
	err         error // nil: handled
	stop        bool  // a StopError
	permanent   bool  // a PermanentError
	discarded   bool  // a DiscardError
	snoozed     bool  // a SnoozeError, for delay
	delayed     bool  // a RetryAfterError, for delay
	delay       time.Duration
	interrupted bool // ended by shutdown: neither done nor failed
	took        time.Duration
}

// failure returns the outcome that err stands for, however it is wrapped or joined.
func failure(err error) outcome {
	o := outcome{err: err}
	var snooze *SnoozeError
	var retry *RetryAfterError
	switch {
	case errors.As(err, new(*StopError)):
		o.stop = true
	case errors.As(err, new(*PermanentError)):
		o.permanent = true
	case errors.As(err, new(*DiscardError)):
		o.discarded = true
	case errors.As(err, &snooze):
		o.snoozed, o.delay = true, snooze.Delay
	case errors.As(err, &retry):
		o.delayed, o.delay = true, retry.Delay
	}
	return o
}

// judge returns the outcome of user code that returned err. interrupted says that its context ended with the shutdown;
// ended is why the consumer has been told to stop, nil when it has not.
func judge(interrupted bool, ended, err error) outcome {
	// Within the grace period the handler's own context is alive, yet the handler's clients may share the
	// context whose end stops the consumer: a cancellation then is the shutdown too.
	cancelled := ended != nil && (errors.Is(err, context.Canceled) || errors.Is(err, ended))
	if err != nil && (interrupted || cancelled) {
		return outcome{err: err, interrupted: true}
	}
	return failure(err)
}
