package flow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// This file owns a flow's beginning and its end.

// A Flow is a consumer at work. It is used once.
type Flow struct {
	config Config

	receiving context.Context // ends at once when the consumer is to stop
	stop      context.CancelFunc
	handling  context.Context // ends when the grace period is over
	interrupt context.CancelCauseFunc

	mu        sync.Mutex
	effects   []func()  // to be called when the lock is free
	effecting int       // those that are being called
	clock     time.Time // when somebody who had the lock last looked at the time

	sources     []*source      // changed by making another one
	discoveries sync.WaitGroup // of topics
	partitions  map[string]*partition
	ackers      []*acker
	live        roll
	unsettled   int
	bytes       int64
	window      int // how much may be unsettled for now; see hasCredit
	swallowed   int64
	saidCopies  time.Time

	lanes      map[laneKey]*lane
	spareLanes []*lane
	runnable   queue
	idle       int  // sleeping slots
	waking     bool // one of them has been woken
	workers    int
	slots      []*delivery // that user code has
	hands      int         // deliveries that user code has
	ready      *sync.Cond

	gathering map[*Batch]*batch // those that are open
	ripe      []*batch          // those that are to be run
	batches   []*batch          // by slot, those that user code has

	waiting   []*waiter // for credits, in the order of their turns
	heldBack  string    // why nothing is received, or ""
	heldSince time.Time
	aging     aging

	reports   []notice
	told      []notice // only for the reporting goroutine
	telling   int
	reporting *sync.Cond
	allTold   chan struct{}

	hurried  atomic.Bool
	paused   bool
	drained  chan struct{} // while the flow drains: to be closed when all is settled
	probe    probe
	stopping bool
	closed   bool
	failure  error
	lastErr  error

	quiet      chan struct{} // closed when stopping and everything has ended
	allSettled chan struct{} // closed when stopping and nothing is to be settled, though user code may go on
	isQuiet    bool
	isSettled  bool
}

// New returns a flow.
func New(ctx context.Context, config Config) *Flow {
	f := &Flow{
		config:     config,
		partitions: make(map[string]*partition),
		lanes:      make(map[laneKey]*lane),
		window:     min(2*config.Slots, config.Limit.Messages),
		allTold:    make(chan struct{}),
		quiet:      make(chan struct{}),
		allSettled: make(chan struct{}),
		slots:      make([]*delivery, config.Slots),
		gathering:  make(map[*Batch]*batch),
		batches:    make([]*batch, config.Slots),
	}
	if config.AckBatch { // otherwise messages are received one by one, as they are acknowledged
		f.window = min(max(f.window, ackBatchMost), config.Limit.Messages)
	}
	f.ready, f.reporting = sync.NewCond(&f.mu), sync.NewCond(&f.mu)
	f.receiving, f.stop = context.WithCancel(ctx)
	f.handling, f.interrupt = context.WithCancelCause(context.WithoutCancel(ctx))
	f.config.Policy.Backoff, f.config.Backoff = f.guarded(config.Policy.Backoff), f.guarded(config.Backoff)
	return f
}

// later has fn called when the lock is free. The caller holds the lock.
func (f *Flow) later(fn func()) { f.effects = append(f.effects, fn) }

// unlock frees the lock and does what was left for then.
func (f *Flow) unlock() {
	effects := f.effects
	f.effects = nil
	f.effecting += len(effects)
	f.mu.Unlock()
	if len(effects) == 0 {
		return
	}
	for _, fn := range effects {
		fn()
	}
	f.mu.Lock()
	f.effecting -= len(effects)
	f.checkIdle()
	f.unlock()
}

// Run opens the sources, calls ready, and carries messages until the context that New was given ends or a source is
// closed for good. Then it ends what is under way, within the time for shutdown.
func (f *Flow) Run(ready func()) error {
	defer f.interrupt(nil)
	defer f.stop()
	sources, err := f.open(f.receiving)
	if err != nil {
		if f.receiving.Err() != nil {
			return fmt.Errorf("stopped before it had subscribed: %w", context.Cause(f.receiving))
		}
		return err
	}
	f.mu.Lock()
	f.sources = sources
	f.probe.asked = time.Now() // the broker has just answered
	for _, s := range sources {
		s.answer = Answer{Connected: true, Since: f.probe.asked}
	}
	f.workers = f.config.Slots
	f.mu.Unlock()
	for slot := range f.config.Slots {
		go f.work(slot)
	}
	go f.tell()
	go f.watchSlots()
	for _, s := range sources {
		go f.receive(s)
	}
	f.discover(sources)
	ready()
	<-f.receiving.Done()
	return f.shutDown()
}

// Hurry leaves out the grace period when the flow ends.
func (f *Flow) Hurry() { f.hurried.Store(true) }

// fail ends the flow with an error.
func (f *Flow) fail(err error) {
	f.mu.Lock()
	if f.failure == nil {
		f.failure = err
	}
	f.mu.Unlock()
	f.stop()
}

// checkIdle notes when nothing is under way any more. The caller holds the lock.
func (f *Flow) checkIdle() {
	if f.drained != nil && f.unsettled == 0 {
		close(f.drained)
		f.drained = nil
		f.holdStill(true)
	}
	// Run must not return before the last message is given back: the consumer may be the caller's.
	if !f.stopping || f.unsettled > 0 || f.effecting > 0 || len(f.effects) > 0 {
		return
	}
	if !f.isSettled {
		f.isSettled = true
		close(f.allSettled)
	}
	if !f.isQuiet && f.hands == 0 && f.workers == 0 && f.calls() == 0 {
		f.isQuiet = true
		close(f.quiet)
	}
}

// Stuck says which messages did not end in time.
type Stuck struct {
	Handlers []Report // whose user code has not returned
	Calls    int      // of the client that have not returned
	// Observers says that observers have not been told everything.
	Observers bool
}

// ErrStuck is what Run returns when something does not end.
type ErrStuck struct{ Stuck }

func (e *ErrStuck) Error() string {
	return fmt.Sprintf("%d handlers and %d calls of the Pulsar client did not return in time (observers: %v)",
		len(e.Handlers), e.Calls, e.Observers)
}

// How the time for shutdown is spent. Handlers get the grace period and then, their contexts ended, a last moment.
const (
	lastMoment = time.Second     // for handlers to heed their contexts; less if there is little time left
	settleTime = 3 * time.Second // after the grace period, for settling and acknowledging
	closeTime  = 2 * time.Second // of the time for shutdown, or a quarter of it, for closing
)

// shutDown ends what is under way. Receiving has ended.
func (f *Flow) shutDown() error {
	began := time.Now()
	left := func(until time.Duration) time.Duration { return max(time.Until(began.Add(until)), 0) }
	grace, total := f.config.Grace, f.config.Shutdown
	if f.hurried.Load() {
		grace = 0
	}
	settled := total - min(closeTime, total/4) // when everything is to be settled
	var open []Report
	f.endReception()
	f.discoveries.Wait() // soon, since receiving has ended
	if !within(f.quiet, left(min(grace, settled))) {
		f.interrupt(ErrShutdown)
		if !within(f.quiet, left(grace+min(f.moment(), (settled-grace)/3))) {
			open = f.endGrace()
		}
		within(f.allSettled, left(min(grace+settleTime, settled)))
	}
	stuck := f.abandon()
	stuck.Observers = !f.close(max(left(total), lastMoment))
	var errs []error
	if f.failure != nil {
		errs = append(errs, f.failure)
	}
	if len(open) > 0 {
		errs = append(errs, &ErrUnsettled{open})
	}
	if len(stuck.Handlers) > 0 || stuck.Calls > 0 || stuck.Observers {
		errs = append(errs, &ErrStuck{stuck})
	}
	return errors.Join(errs...)
}

// endReception has nothing more received or begun. What no user code has is released; what was kept to be settled again
// is settled once more.
func (f *Flow) endReception() {
	f.mu.Lock()
	defer f.unlock()
	f.stopping = true
	f.ready.Broadcast()
	f.callAll()
	for d := range f.live.all {
		f.endReceptionOf(d)
	}
	f.checkIdle()
}

func (f *Flow) endReceptionOf(d *delivery) {
	f.apply(d, stopped)
	switch {
	case d.state == released:
		f.handBackIfOwn(d)
	case d.state == unsure && d.pending == 0:
		f.handIn(d)
	case d.state == held && d.decision.action == Returned && d.source.shares:
		f.apply(d, giveBack)
		f.handBack(d)
	case d.state == held && d.asked:
		f.apply(d, release)
		f.handBackIfOwn(d)
	case d.state == held:
		d.stopTimer()
		f.apply(d, wake)
		f.send(d)
	}
}

// moment returns the last moment of handlers, if there are any.
func (f *Flow) moment() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.hands == 0 {
		return 0
	}
	return lastMoment
}

// endGrace gives up on what has not ended within the grace period, and returns what user code has not settled.
func (f *Flow) endGrace() (open []Report) {
	f.mu.Lock()
	defer f.unlock()
	for d := range f.live.all {
		if d.isOpen() {
			open = append(open, Report{Message: d.msg, Verdict: d.verdict})
		}
		f.apply(d, graceOver)
		if d.state == released {
			f.handBackIfOwn(d)
		}
	}
	return open
}

// abandon gives up on everything, and says what is stuck.
func (f *Flow) abandon() (stuck Stuck) {
	f.mu.Lock()
	defer f.unlock()
	for d := range f.live.all {
		if d.state != waiting && d.state != running {
			d.settleErr = errors.Join(d.settleErr, ErrAbandoned)
		}
		f.apply(d, abandoned)
	}
	for slot, d := range f.slots {
		switch {
		case d == nil:
		case f.batches[slot] != nil:
			for _, member := range f.batches[slot].members {
				stuck.Handlers = append(stuck.Handlers, Report{Message: member.msg, Verdict: member.verdict})
			}
		default:
			r := Report{Message: d.msg}
			if d.known.Load() {
				r.Verdict = d.verdict
			}
			stuck.Handlers = append(stuck.Handlers, r)
		}
	}
	stuck.Calls = f.calls()
	return stuck
}

// calls returns how many calls of the Pulsar client have not returned. The caller holds the lock.
func (f *Flow) calls() (n int) {
	for _, a := range f.ackers {
		n += a.calls
	}
	return n
}

// close closes everything, side by side, and has observers told of what is left. It reports whether they have been.
func (f *Flow) close(limit time.Duration) (told bool) {
	f.mu.Lock()
	f.closed = true
	f.reporting.Broadcast()
	f.unlock()
	var all sync.WaitGroup
	all.Go(func() { <-f.allTold })
	f.mu.Lock()
	sources := f.sources
	f.mu.Unlock()
	for _, s := range sources {
		if !s.own {
			all.Go(func() { _ = guard(func() error { s.consumer.Close(); return nil }) })
		}
	}
	for _, s := range f.senders() {
		all.Go(s.Close)
	}
	bounded(limit, all.Wait)
	select {
	case <-f.allTold:
		return true
	default:
		return false
	}
}

// senders returns what publishes retries and dead letters.
func (f *Flow) senders() (all []Sender) {
	if f.config.Retry != nil {
		all = append(all, f.config.Retry)
	}
	for _, s := range f.config.Sources {
		if s.DeadLetter != nil && !slices.Contains(all, s.DeadLetter) {
			all = append(all, s.DeadLetter)
		}
	}
	return all
}

// bounded calls fn and reports whether it returned in time. If not, it is left to itself.
func bounded(limit time.Duration, fn func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = guard(func() error { fn(); return nil }) // of the user's interceptors
	}()
	return within(done, limit)
}

// within reports whether done is closed in time.
func within(done <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
