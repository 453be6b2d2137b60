package flow

import (
	"runtime"
	"testing"
	"time"
)

// TestAnObserverThatEndsItsGoroutineLosesNoReport gives the reports of one batch to an observer that calls Goexit.
func TestAnObserverThatEndsItsGoroutineLosesNoReport(t *testing.T) {
	f := newTestFlow(t, nil)
	const reports = 10
	told := make(chan Report, reports)
	f.config.Hooks.Settled = func(r Report) {
		told <- r
		runtime.Goexit()
	}
	f.reports = make([]notice, reports)
	go f.tell()
	for range reports {
		select {
		case <-told:
		case <-time.After(time.Minute):
			t.Fatalf("%d of %d reports are told", len(told), reports)
		}
	}
	f.mu.Lock()
	f.closed = true
	f.reporting.Broadcast()
	f.unlock()
	<-f.allTold
}
