package bq

import (
	"context"
	"runtime/debug"
	"time"
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

// bounded calls fn and reports whether it returned in time. If not, it is left to itself.
func bounded(limit time.Duration, fn func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn()
	}()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}
