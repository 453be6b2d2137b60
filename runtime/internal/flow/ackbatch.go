package flow

import "time"

// This file owns acknowledgement in batches: what a partition had received is acknowledged when all of it was handled,
// so that a crash in between brings all of it again, and Pulsar gets fewer requests.

// ackBatchMost is how many acknowledgements of a partition wait at most.
const ackBatchMost = 100

// beginAckBatch counts a delivery that was received among those that acknowledgements wait for.
func (f *Flow) beginAckBatch(d *delivery) {
	if f.config.AckBatch {
		d.inAckBatch = true
		d.acker.partition.unhandled++
	}
}

// endAckBatch takes in that a delivery is decided, or gone. The caller holds the lock.
func (f *Flow) endAckBatch(d *delivery) {
	d.inAckBatch = false
	p := d.acker.partition
	if p.unhandled--; p.unhandled == 0 {
		f.clock = time.Now()
		for _, a := range p.ackers {
			f.acknowledge(a)
		}
	}
}

// isUnhandled reports whether a handler has, or will have, a delivery in that state.
func (s state) isUnhandled() bool { return s == waiting || s == running || s == inPlace }

// gathers reports whether the acknowledgements of a partition wait for more of them. They do not when they are what
// keeps the flow from receiving.
func (f *Flow) gathers(a *acker) bool {
	limit := f.config.Limit
	return a.partition.unhandled > 0 && a.complete < ackBatchMost &&
		f.unsettled < limit.Messages && f.bytes < limit.Bytes
}

// endAckBatches sends what was gathered. The caller holds the lock.
func (f *Flow) endAckBatches() {
	if !f.config.AckBatch {
		return
	}
	for _, a := range f.ackers {
		if a.held {
			f.clock = time.Now()
			f.acknowledge(a)
		}
	}
}
