package bq

import "runtime/debug"

// protect calls fn and returns its panic as a *PanicError.
func protect(fn func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return fn()
}
