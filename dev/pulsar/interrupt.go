package main

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"
)

// An interruption is why the program ends before its work is done.
type interruption struct {
	signal os.Signal // nil when the parent process has ended
}

func (i interruption) Error() string {
	if i.signal == nil {
		return "the parent process has ended"
	}
	return i.signal.String()
}

// exitCode returns what a shell reports for a program that was ended by a signal.
func (i interruption) exitCode() int {
	if number, ok := i.signal.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return exitFailed
}

// interruptible returns a context that ends on the first signal or when the parent process ends, with the interruption
// as its cause. After stop, signals are no longer received.
func (p *program) interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	returned := make(chan struct{})
	go func() {
		defer close(returned)
		select {
		case s := <-p.signals:
			cancel(interruption{s})
		case <-p.orphaned:
			cancel(interruption{})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-returned
	}
}

// parentPoll is how often the program checks that its parent still exists.
const parentPoll = 500 * time.Millisecond

// watchParent returns a channel that is closed when the parent process has ended. This matters under "go run", which a
// signal may end without its being passed on to the program that it runs.
func watchParent(ctx context.Context) <-chan struct{} {
	gone := make(chan struct{})
	parent := os.Getppid()
	go func() {
		tick := time.NewTicker(parentPoll)
		defer tick.Stop()
		for os.Getppid() == parent {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
		close(gone)
	}()
	return gone
}

// interrupted returns the exit code if ctx was ended by an interruption.
func (p *program) interrupted(ctx context.Context) (code int, ok bool) {
	if why, ok := context.Cause(ctx).(interruption); ok {
		fmt.Fprintf(p.stderr, "pulsar: stopped: %v\n", why)
		return why.exitCode(), true
	}
	return 0, false
}
