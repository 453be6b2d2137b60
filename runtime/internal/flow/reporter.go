package flow

import "errors"

// This file owns reports: observers are told once of each delivery, on a goroutine of their own, in the order in which
// deliveries ended.

// maxReports is how many reports may wait for observers before nothing more is received.
const maxReports = 10_000

// ErrAbandoned is in the SettleErr of a delivery that was still being settled when the time for shutdown was over.
var ErrAbandoned = errors.New("the consumer stopped before it was settled")

// report has observers told of a delivery. The caller holds the lock.
func (f *Flow) report(d *delivery) {
	d.reported = true
	quiet := d.decision.action == Acknowledged || d.decision.action == Skipped
	if f.config.Unwatched && d.state == done && d.settleErr == nil && quiet {
		return
	}
	r := Report{
		Message: d.msg, Action: d.decision.action, Reason: d.decision.reason, Err: d.decision.err,
		SettleErr: d.settleErr, Untouched: d.runs == 0, Received: d.received, Runs: f.runsOf(d), Took: d.took,
	}
	if d.known.Load() {
		r.Verdict = d.verdict
	}
	switch {
	case d.state == released && !d.carriedOut:
		r.Action, r.Reason = Released, ""
		if !d.decided() {
			r.Err = ErrShutdown
		}
	case d.state == nacked && r.Action != Retried:
		r.Action, r.Reason = Returned, ""
	}
	if r.SettleErr != nil {
		f.lastErr = r.SettleErr
	}
	if r.Action == Retried || r.Action == Snoozed {
		r.Delay = d.delay
	}
	f.reports = append(f.reports, notice{report: r})
	f.reporting.Signal()
}

// A notice is what observers are told: of a delivery, or what other does.
type notice struct {
	report Report
	other  func()
}

// notify has other called by the goroutine that tells observers. The caller holds the lock.
func (f *Flow) notify(other func()) {
	if f.closed {
		return
	}
	f.reports = append(f.reports, notice{other: other})
	f.reporting.Signal()
}

// decided reports whether the last run of a delivery is resolved.
func (d *delivery) decided() bool { return d.runs > 0 && d.undecided.Load() == 0 }

// tell tells observers until there is nothing more to tell.
func (f *Flow) tell() {
	ended := false
	defer func() {
		if !ended {
			go f.tell() // an observer has ended the goroutine
		}
	}()
	f.tellBatch() // what an observer that ended the goroutine has left
	for {
		f.mu.Lock()
		for len(f.reports) == 0 && !f.closed {
			f.reporting.Wait()
		}
		batch := f.reports
		f.reports = nil
		f.telling = len(batch)
		f.mu.Unlock()
		if len(batch) == 0 {
			break
		}
		f.told = batch
		f.tellBatch()
	}
	ended = true
	close(f.allTold)
}

func (f *Flow) observe(n notice) {
	if n.other != nil {
		n.other()
		return
	}
	f.config.Hooks.Settled(n.report)
}

// tellBatch tells observers of f.told, which only this goroutine has, and which its successor takes over.
func (f *Flow) tellBatch() {
	for len(f.told) > 0 {
		n := f.told[0]
		f.told = f.told[1:]
		if err := f.protect(func() error { f.observe(n); return nil }); err != nil {
			f.logPanic("WithObserver", err)
		}
	}
	f.mu.Lock()
	f.telling = 0
	f.creditsFreed()
	f.unlock()
}

// runsOf returns how often user code was called with a delivery. What no user code gets has a slot, too: poison, say.
func (f *Flow) runsOf(d *delivery) int {
	if d.known.Load() && f.handlerOf(&d.verdict) == nil {
		return 0
	}
	return int(d.runs)
}
