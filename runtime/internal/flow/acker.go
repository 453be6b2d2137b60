package flow

import (
	"errors"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns acknowledgements: per partition one request under way, in which goes what came together while the one
// before was under way.

const (
	requestMost = 1000 // ids in a request
	callsMost   = 2    // requests of a partition inside the client: one under way, and one after that was late
	copyTries   = 5    // of the acknowledgement of a copy, which nobody waits for
)

// An acker acknowledges the messages of one partition that come from one source.
type acker struct {
	partition *partition
	source    *source
	active    bool // false: another consumer of a Failover subscription has the partition, as far as is known
	parked    []parked
	feeding   bool // what was parked is being registered
	expiring  bool // a timer looks for what was parked too long ago

	queue    []handed
	spare    []handed // the memory of an earlier queue
	complete int      // of the queue: those that are alone, or the last of their entry
	calls    int      // inside the client
	current  *request // under way and not late
	watched  bool     // a timer looks for what is late
	held     bool     // the queue waits for handlers
}

// A handed is an id that was handed in.
type handed struct {
	id       pulsar.MessageID
	delivery *delivery // whose acknowledgement this is; nil when nobody waits for it
	entry    *entry    // of a member
	copy     int       // of the entry
	complete bool      // it is alone, or the last of its copy
	tries    int
	at       time.Time
}

// A request is a call of the client.
type request struct {
	ids []handed
	at  time.Time
}

// handIn has a delivery acknowledged. A member of an entry of which others are not in yet is accepted at once: the
// client would keep its id, too. The caller holds the lock.
func (f *Flow) handIn(d *delivery) {
	f.clock = time.Now()
	h := handed{id: d.id, delivery: d, complete: true, at: f.clock}
	if e := d.entry; e != nil && !e.closed {
		if d.copy != e.copy { // the rest of a newer copy is on its way, and with it another id of this one
			f.apply(d, accepted)
			return
		}
		h.entry, h.copy = e, e.copy
		h.complete = e.add(d.key.member)
		if !h.complete {
			h.delivery = nil
			f.hand(d.acker, h)
			f.apply(d, accepted)
			return
		}
	}
	f.hand(d.acker, h)
}

// handInCopy has a copy of a message acknowledged that is done. e is the entry that it is a member of, or nil. The
// caller holds the lock.
func (f *Flow) handInCopy(a *acker, k key, e *entry, id pulsar.MessageID) {
	h := handed{id: id, complete: true, at: time.Now()}
	if e != nil {
		h.entry, h.copy = e, e.copy
		h.complete = e.add(k.member)
	}
	f.hand(a, h)
}

// hand puts an id in line.
func (f *Flow) hand(a *acker, h handed) {
	if h.delivery != nil {
		h.delivery.pending++
	}
	a.queue = append(a.queue, h)
	if h.complete || a.source.own { // what a consumer of the caller's does with members, it does itself
		a.complete++
	}
	f.acknowledge(a)
}

// acknowledge sends a request when there is a reason to and none is under way. The caller holds the lock.
func (f *Flow) acknowledge(a *acker) {
	if f.gathers(a) {
		a.held = true
		return
	}
	if a.held {
		a.held = false
		for i := range a.queue {
			a.queue[i].at = f.clock // it waited for handlers until now, not for the broker
		}
	}
	if a.complete == 0 || a.current != nil || a.calls >= callsMost {
		f.watch(a)
		return
	}
	r := a.next()
	a.current = r
	a.calls++
	f.watch(a)
	go f.call(a, r)
}

// next takes the ids of a request off the queue: all up to the first that completes something, and then as many as fit.
func (a *acker) next() *request {
	n, complete := 0, 0
	for n < len(a.queue) && (n < requestMost || complete == 0) {
		if a.queue[n].complete || a.source.own {
			complete++
		}
		n++
	}
	r := &request{ids: a.queue[:n], at: time.Now()}
	rest := a.queue[n:]
	a.queue = append(a.spare, rest...)
	clear(rest)
	a.spare = nil
	a.complete -= complete
	return r
}

// call sends a request, and further ones while there is a reason to.
func (f *Flow) call(a *acker, r *request) {
	for {
		ids := make([]pulsar.MessageID, len(r.ids))
		for i := range r.ids {
			ids[i] = r.ids[i].id
		}
		err := f.protect(func() error { return a.source.consumer.AckIDList(ids) }) // of the user's interceptors
		f.mu.Lock()
		f.answered(a, r, err)
		if a.current != r { // it was late: another may be under way
			a.calls--
			f.acknowledge(a)
			f.checkIdle()
			f.unlock()
			return
		}
		a.current = nil
		if a.complete == 0 || f.gathers(a) {
			a.calls--
			f.checkIdle()
			f.unlock()
			return
		}
		r = a.next()
		a.current = r
		f.unlock()
	}
}

// answered takes in what became of a request. The caller holds the lock.
func (f *Flow) answered(a *acker, r *request, err error) {
	f.clock = time.Now()
	var each pulsar.AckError
	some := errors.As(err, &each)
	for i := range r.ids {
		h := &r.ids[i]
		if h.delivery != nil {
			h.delivery.pending--
		}
		failed := err
		if some {
			failed = each[h.id]
		}
		if failed != nil {
			f.notConfirmed(a, h, fmt.Errorf("acknowledge: %w", failed))
			f.handInNewer(h)
			continue
		}
		if e := h.entry; e != nil && h.complete && e.copy == h.copy && !e.closed {
			a.partition.close(e, f.clock)
		}
		if h.awaited(acking) || h.awaited(unsure) {
			f.apply(h.delivery, confirmed)
			continue
		}
		f.handInNewer(h)
	}
	clear(r.ids)
	if cap(r.ids) > cap(a.spare) {
		a.spare = r.ids[:0]
	}
}

// handInNewer has a delivery acknowledged by the id of its newest copy, after the answer for an older id. If the newest
// was refused before, it has not been handed in again since the older one was still in the acker. The caller holds the
// lock.
func (f *Flow) handInNewer(h *handed) {
	if d := h.delivery; d != nil && d.id != h.id && d.state == unsure && d.pending == 0 {
		f.handIn(d)
	}
}

// notConfirmed takes in that an acknowledgement failed: it is tried again. The caller holds the lock.
func (f *Flow) notConfirmed(a *acker, h *handed, err error) {
	again := *h
	again.tries++
	d := h.delivery
	switch {
	case d == nil && (!h.complete || again.tries >= copyTries):
		return // a member is in the next request's copy, or in none: then Pulsar delivers the entry again
	case d != nil && !h.awaited(acking) && !h.awaited(unsure):
		return // a newer copy's id is on its way, or nobody waits any more
	case d != nil:
		d.settleErr = err
		f.apply(d, unconfirmed)
		if mutant == freesUnsure {
			f.unsettled--
			f.creditsFreed()
		}
	}
	if d != nil && (f.stopping && again.tries > 1 || a.source.gone) {
		f.apply(d, release) // one more try was made, or none can help
		return
	}
	stopping := f.stopping
	f.later(func() {
		var wait time.Duration
		if !stopping {
			wait = f.waitAfter(int64(again.tries))
		}
		time.AfterFunc(wait, func() { f.handAgain(a, again) })
	})
}

// handAgain puts an id in line whose acknowledgement failed.
func (f *Flow) handAgain(a *acker, again handed) {
	f.mu.Lock()
	defer f.unlock()
	d := again.delivery
	if f.closed || d != nil && (d.pending > 0 || !again.awaited(unsure)) {
		return
	}
	if d != nil {
		f.apply(d, wake)
	}
	again.at = time.Now()
	f.hand(a, again)
}

// watch has what is late found. The caller holds the lock.
func (f *Flow) watch(a *acker) {
	if a.watched {
		return
	}
	due, any := f.due(a)
	if !any {
		return
	}
	a.watched = true
	time.AfterFunc(max(time.Until(due.Add(f.config.SendTimeout)), time.Millisecond), func() {
		f.mu.Lock()
		defer f.unlock()
		a.watched = false
		if !f.closed {
			f.findLate(a)
			f.watch(a)
		}
	})
}

// due returns since when the oldest waits that is not late yet.
func (f *Flow) due(a *acker) (due time.Time, any bool) {
	if a.current != nil {
		return a.current.at, true
	}
	if f.gathers(a) {
		return due, false // it waits for handlers, not for the broker
	}
	for i := range a.queue {
		if a.queue[i].awaited(acking) {
			return a.queue[i].at, true
		}
	}
	return due, false
}

// awaited reports whether a delivery in that state waits for this id.
func (h *handed) awaited(s state) bool {
	d := h.delivery
	return d != nil && d.id == h.id && d.state == s
}

// findLate declares unsure what has waited for the send timeout. The caller holds the lock.
func (f *Flow) findLate(a *acker) {
	limit := time.Now().Add(-f.config.SendTimeout)
	err := fmt.Errorf("acknowledge: no confirmation within %s", f.config.SendTimeout)
	expire := func(ids []handed) {
		for i := range ids {
			if h := &ids[i]; !h.at.After(limit) && h.awaited(acking) {
				h.delivery.settleErr = err
				f.apply(h.delivery, unconfirmed)
			}
		}
	}
	if !f.gathers(a) {
		expire(a.queue)
	}
	if a.current != nil {
		expire(a.current.ids)
		if !a.current.at.After(limit) {
			a.current = nil // it may still be answered; another request goes on in parallel
			f.acknowledge(a)
		}
	}
}
