package bqtest

import (
	"slices"
)

// sharedDispatcher serves Shared and Key_Shared: each entry goes to one of the consumers, comes again on its own, and
// is counted.
type sharedDispatcher struct {
	s       *subscription
	keys    *keyOwners // nil on Shared
	read    int64      // the next entry never handed out before
	replay  []int64    // taken back, to be handed out again; sorted
	pending map[int64]*link
	counts  map[int64]uint32 // redeliveries
	delayed map[int64]*timer
	turn    int // Shared: whose turn it is
}

func newSharedDispatcher(s *subscription, keys *keyOwners) *sharedDispatcher {
	d := &sharedDispatcher{s: s, keys: keys}
	d.rewind()
	return d
}

func (d *sharedDispatcher) attach(*link) {}

// detach takes back what the consumer had been sent. With the last consumer gone the broker forgets all it knew and
// starts over at the cursor.
func (d *sharedDispatcher) detach(l *link) {
	counting := d.s.t.b.countDisconnects
	for id, holder := range d.pending {
		if holder == l {
			d.takeBack(id, counting)
		}
	}
	if len(d.s.links) == 0 {
		counts := d.counts
		d.rewind()
		if counting {
			d.counts = counts
		}
	}
}

func (d *sharedDispatcher) redeliver(l *link, id int64) {
	if d.pending[id] == l {
		d.takeBack(id, true)
	}
}

func (d *sharedDispatcher) takeBack(id int64, count bool) {
	d.release(id)
	if count {
		d.counts[id]++
	}
	d.again(id)
}

// again puts an entry among those to be handed out before new ones.
func (d *sharedDispatcher) again(id int64) {
	if i, found := slices.BinarySearch(d.replay, id); !found {
		d.replay = slices.Insert(d.replay, i, id)
	}
}

// release ends a consumer's hold on an entry.
func (d *sharedDispatcher) release(id int64) {
	l, held := d.pending[id]
	if !held {
		return
	}
	delete(d.pending, id)
	e := d.s.t.at(id)
	if e == nil {
		return
	}
	l.unacked -= len(e.members)
	l.unblock()
	if d.keys != nil {
		d.keys.release(e)
	}
}

func (d *sharedDispatcher) forget(id int64) {
	d.release(id)
	delete(d.counts, id)
	if i, found := slices.BinarySearch(d.replay, id); found {
		d.replay = slices.Delete(d.replay, i, i+1)
	}
	d.cancelDelay(id)
}

func (d *sharedDispatcher) cancelDelay(id int64) {
	if t := d.delayed[id]; t != nil {
		d.s.t.b.cancel(t)
		delete(d.delayed, id)
	}
}

func (d *sharedDispatcher) rewind() {
	for _, t := range d.delayed {
		d.s.t.b.cancel(t)
	}
	d.read = d.s.cursor.mark
	d.replay = nil
	d.pending = map[int64]*link{}
	d.counts = map[int64]uint32{}
	d.delayed = map[int64]*timer{}
	if d.keys != nil {
		d.keys.reset()
	}
}

func (d *sharedDispatcher) unacked() int {
	n := 0
	for id := range d.pending {
		if e := d.s.t.at(id); e != nil {
			n += len(e.members)
		}
	}
	return n
}

func (d *sharedDispatcher) dispatch() {
	if d.keys != nil {
		d.keys.begin()
	}
	var stay []int64
	for i, id := range d.replay {
		if !d.anyRoom() {
			stay = append(stay, d.replay[i:]...)
			break
		}
		if !d.offer(id) {
			stay = append(stay, id)
		}
	}
	d.replay = stay
	for d.read < d.s.t.end() && d.anyRoom() {
		id := d.read
		d.read++
		if !d.offer(id) {
			d.again(id)
		}
	}
}

// offer hands out one entry. It returns false if the entry has to be tried again.
func (d *sharedDispatcher) offer(id int64) bool {
	e := d.s.t.at(id)
	if e == nil || e.chunk() || d.s.cursor.has(id) {
		return true
	}
	if d.wait(e) {
		return true
	}
	var l *link
	if d.keys != nil {
		l = d.keys.choose(e, d.s.links)
	} else {
		l = d.next()
	}
	if l == nil {
		return false
	}
	d.pending[id] = l
	l.unacked += len(e.members)
	l.block()
	l.deliver(e, d.counts[id])
	return true
}

func (d *sharedDispatcher) pass(e *entry) {
	l := d.next()
	if d.keys != nil {
		l = ownerOf(stickyKey(e), d.s.links)
	}
	if l != nil && l.hasRoom() {
		l.deliver(e, 0)
	}
}

// wait sets a delayed entry aside until its time.
func (d *sharedDispatcher) wait(e *entry) bool {
	b := d.s.t.b
	if !e.deliverAt.After(b.timers.current()) {
		return false
	}
	if d.delayed[e.id] == nil {
		d.delayed[e.id] = b.schedule(e.deliverAt, func() {
			delete(d.delayed, e.id)
			d.again(e.id)
			d.dispatch()
			b.notify()
		})
	}
	return true
}

func (d *sharedDispatcher) anyRoom() bool {
	for _, l := range d.s.links {
		if l.hasRoom() {
			return true
		}
	}
	return false
}

// next goes round the consumers of the best priority that have a free permit.
func (d *sharedDispatcher) next() *link {
	best := -1
	for _, l := range d.s.links {
		if l.hasRoom() && (best < 0 || l.c.opts.PriorityLevel < best) {
			best = l.c.opts.PriorityLevel
		}
	}
	n := len(d.s.links)
	for i := range n {
		l := d.s.links[(d.turn+i)%n]
		if l.hasRoom() && l.c.opts.PriorityLevel == best {
			d.turn = (d.turn + i + 1) % n
			return l
		}
	}
	return nil
}
