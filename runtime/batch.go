package bq

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// A Batch says when the messages that came are handed to a batch handler. Zero means the default.
type Batch struct {
	Size  int           // at most this many messages; 100 by default
	Bytes int64         // and about so many bytes; 1 MiB by default. A larger message is handed over alone
	Wait  time.Duration // no later than this after the first message came; 100 ms by default
}

// The defaults of batches.
const (
	defaultBatchSize  = 100
	defaultBatchBytes = 1 << 20
	defaultBatchWait  = 100 * time.Millisecond
	mostBatchSize     = 10_000
)

// A BatchFunc handles several messages of one URN. What it returns decides all of them:
//
//   - nil acknowledges them.
//   - [FailedAt] acknowledges the messages before the one that failed. That one has failed as if its own handler had
//     returned the error; when its retries in place are over and what replaces it is confirmed, the messages behind it
//     are handed over again.
//   - [Results] decides each message by itself.
//   - Any other error fails all of them, so each has one more attempt. A message on its last attempt is handed over
//     alone, so that it does not fail for another one's sake.
//
// ctx carries the trace of the first message. The function should not keep the slice.
type BatchFunc[T any] func(ctx context.Context, batch []*Message[T]) error

// HandleBatch returns the route that hands the messages of d's URN to fn in batches. Generated functions such as
// OnOrderCreatedBatch call it.
//
// Messages with the same key stand in order inside a batch, all from one partition, and no two batches at a time
// contain the same key. A batch occupies one of the concurrent handlers ([WithConcurrency]). With the default of 1,
// messages keep the order of receipt, so a message of another route ends the batch before it. The handler timeout is
// for the whole batch. A batch that is not full when the consumer is stopped is released: its messages are delivered
// again, with no attempt counted.
//
// Middleware runs around each message, the one of the first message outermost; it sees the result of its message. A
// message whose payload violates its schema is not in the batch and fails by itself.
func HandleBatch[T any](d Definition[T], fn BatchFunc[T], b Batch) Route {
	if fn == nil {
		return Route{urn: d.URN}
	}
	r := &batchRoute[T]{definition: d, fn: fn}
	if b.Size == 0 {
		b.Size = defaultBatchSize
	}
	if b.Bytes == 0 {
		b.Bytes = defaultBatchBytes
	}
	if b.Wait == 0 {
		b.Wait = defaultBatchWait
	}
	return Route{
		urn: d.URN, batch: &b, handleBatch: r.handle,
		open: func() call { return &rawCall{fn: func(context.Context, *Delivery) error { return errNoBatch }} },
	}
}

// errNoBatch cannot be seen: messages of a batch route are handed over in batches only.
var errNoBatch = errors.New("a message of a batch route was handed over outside of a batch")

// check returns what is wrong with a batch on a consumer with that limit.
func (b *Batch) check(urn string, limit Limit) error {
	switch {
	case b.Size < 0 || b.Size > mostBatchSize || b.Bytes < 0 || b.Wait < 0:
		return fmt.Errorf("the Batch of %.256q has size %d, %d bytes and wait %s: want none negative and at most %d messages",
			urn, b.Size, b.Bytes, b.Wait, mostBatchSize)
	case b.Size > limit.Messages:
		return fmt.Errorf("the Batch of %.256q has the size %d, and WithMaxUnsettled allows only %d messages: "+
			"a batch would never be full", urn, b.Size, limit.Messages)
	}
	return nil
}

// FailedAt returns an error of a batch handler: the messages before index i were handled, the one at i has failed with
// err, and those behind it were not tried. err means what it means when a handler of single messages returns it. An
// index outside of the batch fails the whole batch. If several are joined, the lowest index counts.
func FailedAt(i int, err error) error {
	if err == nil {
		err = errors.New("the batch failed here, without an error that says why")
	}
	return &failedAtError{index: i, err: err}
}

type failedAtError struct {
	index int
	err   error
}

func (e *failedAtError) Error() string {
	return fmt.Sprintf("message %d of the batch: %v", e.index, e.err)
}
func (e *failedAtError) Unwrap() error { return e.err }

// Results returns an error of a batch handler that decides each message by itself: errs contains what a handler of
// single messages would return for each, in the order of the batch. If there are not as many as messages, the whole
// batch fails.
func Results(errs []error) error { return &resultsError{slices.Clone(errs)} }

type resultsError struct{ errs []error }

func (e *resultsError) Error() string {
	return fmt.Sprintf("%d results: %v", len(e.errs), errors.Join(e.errs...))
}

// lowest returns the FailedAt with the lowest index in err, or nil.
func lowest(err error) (found *failedAtError) {
	switch e := err.(type) {
	case *failedAtError:
		return e
	case interface{ Unwrap() error }:
		return lowest(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			if f := lowest(inner); f != nil && (found == nil || f.index < found.index) {
				found = f
			}
		}
	}
	return found
}

// resultsOf returns the results of n messages whose batch handler has returned err.
func resultsOf(err error, n int) []flow.Result {
	all := make([]flow.Result, n)
	whole := func(err error) []flow.Result {
		for i := range all {
			all[i] = flow.Result{Err: err, Whole: true}
		}
		return all
	}
	if err == nil {
		return all
	}
	if each, ok := err.(*resultsError); ok {
		if len(each.errs) != n {
			return whole(fmt.Errorf("the batch handler returned %d results for %d messages", len(each.errs), n))
		}
		for i, err := range each.errs {
			all[i].Err = err
		}
		return all
	}
	failed := lowest(err)
	switch {
	case failed == nil:
		return whole(err)
	case failed.index < 0 || failed.index >= n:
		return whole(fmt.Errorf("the batch handler failed at index %d of %d messages: %w", failed.index, n, failed.err))
	}
	all[failed.index].Err = failed.err
	for i := failed.index + 1; i < n; i++ {
		all[i].Err = flow.ErrNotReached
	}
	return all
}
