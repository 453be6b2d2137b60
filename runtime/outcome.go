package bq

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// Permanent returns an error that says a retry is of no use: the message is dead-lettered at once. It unwraps to err;
// Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanentError{err}
}

type permanentError struct{ err error }

func (e *permanentError) Error() string { return e.err.Error() }
func (e *permanentError) Unwrap() error { return e.err }

// RetryAfter returns an error that says the message should be retried no earlier than after d; a d of 0 or less means
// at once, whatever the consumer's backoff says. It counts as a failed attempt like any error, and the last attempt
// dead-letters the message. It unwraps to err; RetryAfter(d, nil) is an error too.
//
// On Shared and Key_Shared subscriptions Pulsar holds the retry back, give or take its tick (1 s by default). On Exclusive and Failover, where Pulsar does not
// know delays, the consumer holds the message itself, and with it those that wait behind it. Where retries are negative
// acknowledgements (WithRetryByNack) the consumer keeps the message unacknowledged for that long and goes on with
// others. When the consumer stops, a message that it holds is delivered again without the wait.
func RetryAfter(d time.Duration, err error) error {
	if err == nil {
		err = errors.New("retry later")
	}
	return &retryAfterError{max(d, 0), err}
}

type retryAfterError struct {
	delay time.Duration
	err   error
}

func (e *retryAfterError) Error() string { return e.err.Error() }
func (e *retryAfterError) Unwrap() error { return e.err }

// A PanicError is a panic of a handler or a middleware, turned into a failed attempt.
type PanicError struct {
	Value any    // what was passed to panic
	Stack []byte // of the goroutine that panicked
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the panic's value when it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// A keptError is a handler's error with what is needed of it. It is made where a panic of the error's own methods does no
// harm, and using it calls none of them.
type keptError struct {
	error
	text      string
	exception string
	stack     string
}

func keep(err error) *keptError {
	return &keptError{error: err, text: err.Error(), exception: exception(err), stack: stackOf(err)}
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

// stackOf returns the stack of the panic that err is or wraps, or "".
func stackOf(err error) string {
	if kept, ok := err.(*keptError); ok {
		return kept.stack
	}
	var p *PanicError
	if errors.As(err, &p) {
		return string(p.Stack)
	}
	return ""
}

// errGoexit is the outcome of a handler that ends its goroutine, as t.FailNow does in a test.
var errGoexit = errors.New("the handler ended its goroutine (runtime.Goexit)")

// isolate is protect in a goroutine of fn's own, so that fn cannot end the caller's.
func isolate(fn func() error) error {
	done := make(chan error, 1)
	go func() {
		err := errGoexit
		defer func() { done <- err }()
		err = protect(fn)
	}()
	return <-done
}

// An outcome is what became of a delivery in its handler.
type outcome struct {
	err         error // nil: handled
	permanent   bool  // Permanent is anywhere in err; it wins over RetryAfter
	delayed     bool  // RetryAfter is anywhere in err, for delay
	delay       time.Duration
	interrupted bool // ended by shutdown: neither done nor failed
}

// failure returns the outcome that err stands for, however it is wrapped or joined.
func failure(err error) outcome {
	o := outcome{err: err}
	var p *permanentError
	var r *retryAfterError
	switch {
	case errors.As(err, &p):
		o.permanent = true
	case errors.As(err, &r):
		o.delayed, o.delay = true, r.delay
	}
	return o
}

// protect calls fn and returns its panic as a *PanicError.
func protect(fn func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return fn()
}

// judge returns the outcome of a handler that returned err. ctx is the handler's; ended is why the consumer has been told
// to stop, nil when it has not.
func judge(ctx context.Context, ended, err error) outcome {
	// Within the grace period the handler's own context is alive, yet the handler's clients may share the
	// context whose end stops the consumer: a cancellation then is the shutdown too.
	if err != nil && (ctx.Err() != nil || ended != nil && (errors.Is(err, context.Canceled) || errors.Is(err, ended))) {
		return outcome{err: err, interrupted: true}
	}
	return failure(err)
}
