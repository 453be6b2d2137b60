package bqtest

import (
	"container/heap"
	"time"
)

// timers runs functions at their time, in the order of time and then of creation. All methods and all functions run
// with the broker locked.
type timers struct {
	manual bool
	now    time.Time // of a manual clock
	queue  timerQueue
	seq    uint64
	wake   *time.Timer // real clock: rings when the first timer is due
	rings  time.Time   // when wake rings
}

// timer is one function to run once.
type timer struct {
	at    time.Time
	seq   uint64
	run   func()
	index int // in the queue; -1 when no longer there
}

func (ts *timers) current() time.Time {
	if ts.manual {
		return ts.now
	}
	return time.Now()
}

func (b *Broker) schedule(at time.Time, run func()) *timer {
	ts := &b.timers
	ts.seq++
	t := &timer{at: at, seq: ts.seq, run: run}
	heap.Push(&ts.queue, t)
	b.rearm()
	return t
}

func (b *Broker) cancel(t *timer) {
	if t != nil && t.index >= 0 {
		heap.Remove(&b.timers.queue, t.index)
	}
}

// rearm makes the real clock ring for the first timer. A manual clock is turned by Advance alone.
func (b *Broker) rearm() {
	ts := &b.timers
	if ts.manual || b.closed || len(ts.queue) == 0 {
		return
	}
	first := ts.queue[0].at
	if ts.wake != nil {
		if !ts.rings.IsZero() && !first.Before(ts.rings) {
			return
		}
		ts.wake.Stop()
	}
	ts.rings = first
	ts.wake = time.AfterFunc(time.Until(first), b.ring)
}

// ring runs what is due by the real clock.
func (b *Broker) ring() {
	b.lock()
	defer b.unlock()
	b.timers.rings = time.Time{}
	for t := b.timers.due(time.Now()); t != nil; t = b.timers.due(time.Now()) {
		t.run()
	}
	b.rearm()
}

// due takes the first timer off the queue if its time has come.
func (ts *timers) due(now time.Time) *timer {
	if len(ts.queue) == 0 || ts.queue[0].at.After(now) {
		return nil
	}
	return heap.Pop(&ts.queue).(*timer)
}

func (ts *timers) stop() {
	if ts.wake != nil {
		ts.wake.Stop()
	}
	for _, t := range ts.queue {
		t.index = -1
	}
	ts.queue = nil
}

// Now returns the broker's time: that of the manual clock, or time.Now.
func (b *Broker) Now() time.Time {
	b.lock()
	defer b.unlock()
	return b.timers.current()
}

// Advance moves a manual clock forward by d. What comes due on the way happens in order of time: delayed messages,
// negative acknowledgements, send timeouts. Each runs at its own time, so something it schedules within d runs too.
// When Advance returns, the messages that came due have been handed to consumers.
//
// Advance panics unless the broker was made with [WithManualClock].
func (b *Broker) Advance(d time.Duration) {
	b.lock()
	if !b.timers.manual {
		b.unlock()
		panic("bqtest: Advance needs a broker made with WithManualClock")
	}
	end := b.timers.now.Add(d)
	for t := b.timers.due(end); t != nil; t = b.timers.due(end) {
		if t.at.After(b.timers.now) {
			b.timers.now = t.at
		}
		t.run()
		// What the timer put off (callbacks, listeners) runs at its time too.
		b.unlock()
		b.lock()
	}
	b.timers.now = end
	b.notify()
	b.unlock()
}

type timerQueue []*timer

func (q timerQueue) Len() int { return len(q) }
func (q timerQueue) Less(i, j int) bool {
	if !q[i].at.Equal(q[j].at) {
		return q[i].at.Before(q[j].at)
	}
	return q[i].seq < q[j].seq
}
func (q timerQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}
func (q *timerQueue) Push(x any) {
	t := x.(*timer)
	t.index = len(*q)
	*q = append(*q, t)
}
func (q *timerQueue) Pop() any {
	old := *q
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	t.index = -1
	return t
}
