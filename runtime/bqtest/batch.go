package bqtest

import (
	"cmp"
	"slices"

	"github.com/apache/pulsar-client-go/pulsar"
)

// batch is the messages that a producer gathers for one entry, or for one entry per key.
type batch struct {
	sends []*send
	bytes int
	timer *timer // ends it when the publish delay is over
}

// batches reports whether a message goes into a batch. One that is delayed, or not to be replicated, does not.
func (p *producer) batches(s *send) bool {
	replicates := s.msg.ReplicationClusters == nil && !s.msg.DisableReplication
	return !p.opts.DisableBatching && replicates && s.deliverAt.IsZero()
}

// addToBatch puts a message into the batch, after ending one that has no room for it.
func (pp *partitionProducer) addToBatch(s *send) {
	pp.number(s)
	opts := &pp.p.opts
	full := uint(len(pp.batch.sends)) >= opts.BatchingMaxMessages ||
		uint(pp.batch.bytes+s.content.size()) > opts.BatchingMaxSize
	if len(pp.batch.sends) > 0 && full {
		pp.flushBatch()
	}
	if len(pp.batch.sends) == 0 {
		b := pp.p.b
		pp.batch.timer = b.schedule(b.timers.current().Add(opts.BatchingMaxPublishDelay), pp.flushBatch)
	}
	pp.batch.sends = append(pp.batch.sends, s)
	pp.batch.bytes += s.content.size()
	pp.p.b.notify()
}

// flushBatch sends the batch, if there is one.
func (pp *partitionProducer) flushBatch() {
	gathered := pp.batch
	pp.batch = batch{}
	pp.p.b.cancel(gathered.timer)
	if pp.p.opts.BatcherBuilderType != pulsar.KeyBasedBatchBuilder {
		if len(gathered.sends) > 0 {
			pp.enqueue(&shipment{sends: gathered.sends, batched: true})
		}
		return
	}
	for _, sends := range byKey(gathered.sends) {
		pp.enqueue(&shipment{sends: sends, batched: true})
	}
}

// byKey splits a batch by the messages' keys, in the order in which the keys came.
func byKey(sends []*send) [][]*send {
	keys := map[string][]*send{}
	for _, s := range sends {
		key := cmp.Or(s.content.orderingKey, s.content.key)
		keys[key] = append(keys[key], s)
	}
	var split [][]*send
	for _, sends := range keys {
		split = append(split, sends)
	}
	slices.SortFunc(split, func(a, b []*send) int { return cmp.Compare(a[0].content.sequenceID, b[0].content.sequenceID) })
	return split
}
