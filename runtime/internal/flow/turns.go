package flow

import (
	"slices"
	"sync"
)

// This file owns the turns of those who wait for credits: who came first is first. One that has had its credit comes
// after the others, so that no source starves another one.

// A waiter is a goroutine that waits for credits now and then.
type waiter struct{ called *sync.Cond }

func (f *Flow) newWaiter() *waiter { return &waiter{sync.NewCond(&f.mu)} }

// awaitCredit waits until one more message may be received and it is w's turn, or until nothing is to be received any
// more. The caller holds the lock.
func (f *Flow) awaitCredit(w *waiter) {
	if len(f.waiting) == 0 && f.hasCredit() {
		return
	}
	f.waiting = append(f.waiting, w)
	for !f.stopping && (f.waiting[0] != w || !f.hasCredit()) {
		w.called.Wait()
	}
	f.endWait(w)
}

// awaitRoom waits until a message that was received fits the limit, or until nothing is to be received any more. It
// comes before those who have none yet. The caller holds the lock.
func (f *Flow) awaitRoom(w *waiter) {
	if f.unsettled < f.config.Limit.Messages {
		return
	}
	f.waiting = slices.Insert(f.waiting, 0, w)
	for !f.stopping && f.unsettled >= f.config.Limit.Messages {
		w.called.Wait()
	}
	f.endWait(w)
}

// endWait ends a wait. What w does not use is the next one's. The caller holds the lock.
func (f *Flow) endWait(w *waiter) {
	i := slices.Index(f.waiting, w)
	f.waiting = slices.Delete(f.waiting, i, i+1)
	f.creditsFreed()
}

// callNext has the one whose turn it is look for a credit. The caller holds the lock.
func (f *Flow) callNext() {
	if len(f.waiting) > 0 {
		f.waiting[0].called.Signal()
	}
}

// callAll has all who wait look whether they are to go on. The caller holds the lock.
func (f *Flow) callAll() {
	for _, w := range f.waiting {
		w.called.Signal()
	}
}

// creditsFreed lets those who wait for credits go on, one after the other. While there is work for all slots they wait
// until a quarter of the window is free, so as not to be woken for every message. The caller holds the lock.
func (f *Flow) creditsFreed() {
	if len(f.waiting) == 0 || f.idle == 0 && f.runnable.len() > 0 && f.window-f.unsettled < f.window/4 {
		return
	}
	if f.hasCredit() {
		f.callNext()
	}
}

// share returns how many credits a source may use at once. It leaves others theirs. The caller holds the lock.
func (f *Flow) share() int { return (f.window - f.unsettled) / (1 + len(f.waiting)) }
