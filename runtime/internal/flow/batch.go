package flow

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns batches: deliveries of one route that are handed to user code together.
//
// A slot that finds a delivery to be of a batch route gathers it: the delivery waits again, as a member of the route's
// open batch, and its lane goes on with the next of its key, which may become a member of the same batch. The batch is
// ripe when it is full or its time has come; then it is run by a slot, which counts as one run of each member.

// A Batch is a route whose handler takes several messages at a time.
type Batch struct {
	Size   int
	Bytes  int64         // of payloads; one message may exceed it
	Wait   time.Duration // from the first message on
	Handle func(members []Member) []Result
}

// A Member is a message of a batch.
type Member struct {
	Context context.Context // of its run
	Verdict *Verdict
	Message pulsar.Message
}

// A Result is what became of a member of a batch.
type Result struct {
	Err   error // as from a handler; ErrNotReached for a member that is to be handed over again
	Whole bool  // Err is that of the whole batch
}

// ErrNotReached is the result of the members behind one that failed: they are handed over again when that one is
// settled.
var ErrNotReached = errors.New("a message before it in the batch failed")

// A batch is deliveries that are run together.
type batch struct {
	spec    *Batch
	members []*delivery
	bytes   int64
	open    bool // more may come
	timer   *time.Timer
}

// batchOf returns the batch route of a delivery that was classified, or nil if it is to be run alone.
func (f *Flow) batchOf(d *delivery) *Batch {
	if f.config.Batches == nil || d.verdict.Kind != IsRouted || d.exhaustedBy != nil {
		return nil
	}
	return f.config.Batches(d.verdict.URN)
}

// place finds a place for a delivery that a slot has classified: in a batch, or behind the batches that its lane has
// members in. The lock is held then. It reports false if the slot is to run the delivery.
func (f *Flow) place(d *delivery, slot int) bool {
	if f.config.Batches == nil {
		return false
	}
	spec := f.batchOf(d)
	f.mu.Lock()
	if spec == nil && (!f.isHandled(d) || !d.isBehindMembers()) {
		f.unlock()
		return false
	}
	f.slots[slot] = nil
	d.runs--
	d.undecided.Store(0)
	f.apply(d, returned)
	if d.state != running {
		return true // released meanwhile
	}
	f.apply(d, putBack)
	switch {
	case f.stopping:
		f.endReceptionOf(d)
	case spec == nil:
		f.block(d)
	default:
		f.gather(d, spec)
	}
	return true
}

// isBehindMembers reports whether earlier deliveries of a lane are members of batches.
func (d *delivery) isBehindMembers() bool {
	return d.lane != nil && len(d.lane.members) > 0 && d.lane.members[0] != d
}

// gather makes a delivery a member of a batch. The caller holds the lock.
func (f *Flow) gather(d *delivery, spec *Batch) {
	open := f.gathering[spec]
	if open != nil && open.bytes+d.size > spec.Bytes {
		f.ripen(open)
		open = nil
	}
	// An error of a whole batch fails every member, so what is on its last attempt is handed over by itself.
	alone := d.placeTries > 0 || d.verdict.Attempts > 0 && d.verdict.Attempts+1 >= d.policy().MaxAttempts
	if d.isBehindMembers() {
		before := d.lane.members[len(d.lane.members)-1]
		if alone || open == nil || before.batch != open || before.acker.partition != d.acker.partition {
			f.block(d)
			return
		}
	}
	if alone || open == nil {
		open = &batch{spec: spec, open: !alone}
		if !alone {
			f.gathering[spec] = open
			b := open
			b.timer = time.AfterFunc(spec.Wait, func() {
				f.mu.Lock()
				defer f.unlock()
				if b.open {
					f.ripen(b)
				}
			})
		}
	}
	open.members = append(open.members, d)
	open.bytes += d.size
	d.batch = open
	if l := d.lane; l != nil && !slices.Contains(l.members, d) {
		l.members = append(l.members, d)
		l.busy = nil
		f.advance(l)
	}
	if !open.open || len(open.members) >= spec.Size || open.bytes >= spec.Bytes {
		f.ripen(open)
	}
}

// block has a delivery wait for the members of batches before it in its lane. What they wait for is not worth it: the
// lane has nothing more for their batches. The caller holds the lock.
func (f *Flow) block(d *delivery) {
	d.blocked = true
	for _, m := range d.lane.members {
		if m.batch != nil && m.batch.open {
			f.ripen(m.batch)
		}
	}
}

// unblock lets the delivery run that waited for members of its lane which have left it. The caller holds the lock.
func (f *Flow) unblock(l *lane) {
	d := l.busy
	if len(l.members) > 0 {
		d = l.members[0]
	}
	if d != nil && d.blocked {
		d.blocked = false
		f.runnable.push(d)
		f.wakeWorker()
	}
}

// ripen has a batch run. The caller holds the lock.
func (f *Flow) ripen(b *batch) {
	if b.open {
		b.open = false
		b.timer.Stop()
		delete(f.gathering, b.spec)
	}
	f.ripe = append(f.ripe, b)
	f.wakeWorker()
}

// takeBatch returns the next batch to run, or nil. Members that were released have left it.
func (f *Flow) takeBatch() *batch {
	for len(f.ripe) > 0 {
		b := f.ripe[0]
		f.ripe[0] = nil
		f.ripe = f.ripe[1:]
		b.members = slices.DeleteFunc(b.members, func(d *delivery) bool { return d.state != waiting })
		if len(b.members) > 0 {
			return b
		}
	}
	return nil
}

// beginBatch hands a batch to user code. The caller holds the lock.
func (f *Flow) beginBatch(b *batch, slot int) {
	f.slots[slot], f.batches[slot] = b.members[0], b
	for _, d := range b.members {
		f.apply(d, start)
		d.runs++
		d.undecided.Store(d.runs)
	}
}

// runBatch calls user code with a batch and returns what became of its members. It runs on the slot's goroutine,
// without the lock.
func (f *Flow) runBatch(b *batch) []Result {
	members := make([]Member, len(b.members))
	contexts := make([]*runContext, len(b.members))
	defer func() {
		for _, ctx := range contexts {
			ctx.end(nil)
		}
	}()
	for i, d := range b.members {
		contexts[i] = f.contextOf(d, d.runs)
	}
	for i, d := range b.members {
		ctx := contexts[i]
		members[i] = Member{Context: ctx, Verdict: &d.verdict, Message: d.msg}
		f.startClock(d, d.runs, ctx)
	}
	var results []Result
	err := f.protect(func() error { results = b.spec.Handle(members); return nil })
	if err != nil {
		results = f.failAll(b, err)
	}
	return results
}

// failAll returns the results of a batch that failed as a whole.
func (f *Flow) failAll(b *batch, err error) []Result {
	return slices.Repeat([]Result{{Err: err, Whole: true}}, len(b.members))
}

// A memberEnd is what follows from the result of a member of a batch.
type memberEnd struct {
	resolution
	won      bool
	again    bool // not reached: to be handed over again
	together bool // its try in place is one of the whole rest of the batch
}

// resolveBatch decides the members of a batch whose handler has returned.
func (f *Flow) resolveBatch(b *batch, results []Result) []memberEnd {
	ends := make([]memberEnd, len(b.members))
	rest := slices.ContainsFunc(results, func(r Result) bool { return r.Err == ErrNotReached })
	for i, d := range b.members {
		end, result := &ends[i], results[i]
		var out outcome
		if result.Err != nil && result.Err != ErrNotReached {
			if err := f.protect(func() error { out = f.judge(result.Err); return nil }); err != nil {
				out = f.judge(err) // a panic of the error's methods
			}
		}
		if f.staysOpen(d, out) && result.Err == nil {
			continue
		}
		if end.won = d.claim(d.runs); !end.won {
			continue
		}
		if end.again = result.Err == ErrNotReached; !end.again {
			end.resolution = f.decideOn(d, out)
			end.together = result.Whole || rest
		}
	}
	return ends
}

// endBatch takes a batch back from user code, and moves its members on. The caller holds the lock.
func (f *Flow) endBatch(b *batch, slot int, ends []memberEnd) {
	f.slots[slot], f.batches[slot] = nil, nil
	var failed *delivery // which those behind it wait for
	next := &batch{spec: b.spec}
	var wait time.Duration
	for i, d := range b.members {
		end := ends[i]
		f.apply(d, returned)
		switch {
		case !end.won || d.state != running:
		case end.again:
			d.stopClock()
			f.apply(d, putBack)
			d.batch = next
			next.members = append(next.members, d)
		case end.event == tryInPlace && end.together:
			d.stopClock()
			d.decision = end.decision
			wait = max(wait, end.decision.delay)
			f.apply(d, tryInPlace)
			d.batch = next
			next.members = append(next.members, d)
		default:
			if end.event != acknowledge {
				failed = d
			}
			f.settle(d, end.resolution)
		}
		if f.stopping && (d.state == waiting || d.state == inPlace) {
			f.endReceptionOf(d)
		}
	}
	switch {
	case len(next.members) == 0 || f.stopping:
	case slices.ContainsFunc(next.members, func(d *delivery) bool { return d.state == inPlace }):
		time.AfterFunc(wait, func() { f.wakeBatch(next) })
	case failed != nil && !facts[failed.state].settled:
		failed.then = next
	default:
		f.ripen(next)
	}
}

// wakeBatch ends the wait of a batch for its next try in place.
func (f *Flow) wakeBatch(b *batch) {
	f.mu.Lock()
	defer f.unlock()
	for _, d := range b.members {
		if d.state == inPlace {
			f.apply(d, wake)
		}
	}
	f.ripen(b)
}

// finishBatch resolves a batch whose goroutine has ended.
func (f *Flow) finishBatch(b *batch, slot int, err error) {
	ends := f.resolveBatch(b, f.failAll(b, err))
	f.mu.Lock()
	defer f.unlock()
	f.endBatch(b, slot, ends)
}
