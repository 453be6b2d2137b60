package bq

import "runtime/debug"

// protect calls fn and returns its panic as a *PanicError.
func protect(fn func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = panicError(value)
		}
	}()
	return fn()
}

// panicError returns the error for a panic. The deferred function that has recovered value calls it.
func panicError(value any) error { return &PanicError{Value: value, Stack: debug.Stack()} }
