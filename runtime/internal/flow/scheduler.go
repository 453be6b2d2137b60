package flow

import "slices"

// This file owns the order in which deliveries are run: lanes by key, and the deliveries that a slot may take next.

// A lane keeps the messages of a key in order: one at a time, and the next when the one before is settled.
type lane struct {
	key   laneKey
	busy  *delivery   // runs, may run next, or is not settled
	queue []*delivery // wait for it

	members []*delivery // of batches, that are not settled; they come before busy
}

// A laneKey is a key of a queue, or of a topic of a prefix: what the same key means elsewhere is something else.
type laneKey struct {
	lanes int
	key   string
}

// laneOf returns the key of a delivery's lane; ok is false if it may run in parallel to all others.
func (f *Flow) laneOf(d *delivery) (key laneKey, ok bool) {
	switch {
	case f.config.Unordered:
		return key, false
	case f.config.Slots == 1:
		return key, true // the order of receipt, whatever the keys are
	}
	key.lanes = d.acker.partition.lanes
	if key.key = d.msg.OrderingKey(); key.key == "" {
		key.key = d.msg.Key()
	}
	return key, key.key != "" // no key is not a key
}

// joinLane gives a delivery its place in its lane.
func (f *Flow) joinLane(d *delivery) {
	key, ordered := f.laneOf(d)
	if !ordered {
		return
	}
	l := f.lanes[key]
	if l == nil {
		l = f.newLane(key)
		f.lanes[key] = l
	}
	d.lane = l
	if l.busy == nil {
		l.busy = d
		return
	}
	l.queue = append(l.queue, d)
}

// enqueue lets a delivery run when it is the head of its lane.
func (f *Flow) enqueue(d *delivery) {
	if d.lane != nil && d.lane.busy != d {
		return
	}
	f.runnable.push(d)
	f.wakeWorker()
}

// freeLane ends a delivery's hold on its lane, or its waiting for it.
func (f *Flow) freeLane(d *delivery) {
	l := d.lane
	d.lane = nil
	if i := slices.Index(l.members, d); i >= 0 {
		l.members = slices.Delete(l.members, i, i+1)
		f.unblock(l)
		if l.busy == nil {
			f.advance(l)
		}
		return
	}
	if l.busy != d {
		return // the queue is cleared of it when its turn comes
	}
	l.busy = nil
	f.advance(l)
}

// advance lets the next delivery of a lane run. A lane that has none is done. The caller holds the lock.
func (f *Flow) advance(l *lane) {
	for len(l.queue) > 0 {
		head := l.queue[0]
		l.queue[0] = nil
		l.queue = l.queue[1:]
		if head.state != waiting {
			continue // released
		}
		l.busy = head
		if !head.isBehind() {
			f.runnable.push(head)
			f.wakeWorker()
		}
		return
	}
	if len(l.members) > 0 {
		return
	}
	delete(f.lanes, l.key)
	f.spareLanes = append(f.spareLanes, l)
}

// newLane returns a lane, one that is no longer used if there is one.
func (f *Flow) newLane(key laneKey) *lane {
	n := len(f.spareLanes)
	if n == 0 {
		return &lane{key: key}
	}
	l := f.spareLanes[n-1]
	f.spareLanes = f.spareLanes[:n-1]
	l.key, l.queue = key, nil
	return l
}

// isBehind reports whether user code still has an earlier delivery of the same message.
func (d *delivery) isBehind() bool { return d.acker.partition.zombies[d.key] != nil }

// take returns the next delivery or batch to run, or neither.
func (f *Flow) take() (*delivery, *batch) {
	if f.paused {
		return nil, nil
	}
	if b := f.takeBatch(); b != nil {
		return nil, b
	}
	for {
		d := f.runnable.pop()
		if d == nil || d.state == waiting {
			return d, nil
		}
	}
}

// A queue is first in, first out.
type queue struct {
	items []*delivery
	first int
}

func (q *queue) push(d *delivery) { q.items = append(q.items, d) }

func (q *queue) pop() *delivery {
	if q.first == len(q.items) {
		return nil
	}
	d := q.items[q.first]
	q.items[q.first] = nil
	if q.first++; q.first == len(q.items) {
		q.items, q.first = q.items[:0], 0
	}
	return d
}

func (q *queue) len() int { return len(q.items) - q.first }
