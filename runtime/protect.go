package bq

import (
	"context"
	"runtime/debug"
)

// protect calls fn and returns its panic as a *PanicError.
func protect(fn func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return fn()
}

// boundedBy calls fn and reports whether it returned before ctx ended. If not, it is left to itself.
func boundedBy(ctx context.Context, fn func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn()
	}()
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}
