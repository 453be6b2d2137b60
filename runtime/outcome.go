package bq

import (
	"errors"
	"fmt"
	"time"

	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// Permanent returns an error that makes a retry pointless: the message is dead-lettered at once. It unwraps to err;
// Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &flow.PermanentError{Err: err}
}

// RetryAfter returns an error that makes the message wait at least d before its retry; 0 or less means no wait,
// whatever the consumer's backoffs are. It counts as a failed attempt like any error, and after the last attempt the
// message is dead-lettered. It unwraps to err; RetryAfter(d, nil) is an error too.
//
// On Shared and Key_Shared subscriptions Pulsar holds the retry back, with the precision of its tick (1 s by default).
// On Exclusive and Failover, where Pulsar has no delays, the consumer holds the message itself, and later messages of
// the same key wait behind it. With [WithRetryByNack] the consumer leaves the message unacknowledged for that long and
// continues with others. Messages that the consumer holds count against [WithMaxUnsettled]; when the consumer stops,
// they are delivered again without the wait.
func RetryAfter(d time.Duration, err error) error {
	if err == nil {
		err = errors.New("retry later")
	}
	return &flow.RetryAfterError{Delay: max(d, 0), Err: err}
}

// Snooze returns an error that makes the message wait at least d and then be handled again, without counting an
// attempt: nothing failed, it is only too early. On Shared and Key_Shared Pulsar holds the message back, and it goes
// behind later messages. On Exclusive and Failover, and with [WithRetryByNack], the consumer keeps it, and later
// messages of the same key wait; when the consumer stops, the message is delivered again without the wait.
func Snooze(d time.Duration) error { return &flow.SnoozeError{Delay: max(d, 0)} }

// Discard returns an error that has the message acknowledged: it is neither retried nor dead-lettered, only logged as a
// warning and reported as [Discarded]. It unwraps to err; Discard(nil) is nil.
func Discard(err error) error {
	if err == nil {
		return nil
	}
	return &flow.DiscardError{Err: err}
}

// Stop returns an error that ends the consumer: the message is released without counting an attempt, other handlers
// finish as on any shutdown, and Run returns an error that wraps err. It is for what no retry and no other message will
// survive, such as a revoked credential; the message is delivered again when a consumer runs again. It unwraps to err;
// Stop(nil) is an error too.
func Stop(err error) error {
	if err == nil {
		err = errors.New("no reason given")
	}
	return &flow.StopError{Err: err}
}

// ErrShutdown is the cause with which handlers' contexts end when the grace period is over.
var ErrShutdown = flow.ErrShutdown

// ErrTimeout is the cause with which a handler's context ends when its time is up (WithHandlerTimeout). A delivery that
// failed for that reason has an error that wraps it.
var ErrTimeout = flow.ErrTimeout

// ErrAbandoned is in the SettleErr of a message that was still being settled when the time for shutdown was over.
var ErrAbandoned = flow.ErrAbandoned

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

// stackOf returns the stack of the panic that err is or wraps, or "". It calls methods of err, which are the user's and
// may panic.
func stackOf(err error) (stack string) {
	_ = protect(func() error {
		var p *PanicError
		if errors.As(err, &p) {
			stack = string(p.Stack)
		}
		return nil
	})
	return stack
}
