package bqtest

import (
	"cmp"
	"fmt"
	"slices"
)

// chooseActive picks the consumer that is to be active, as the broker does: of
// the consumers with the best priority, in the order of their names, the
// partition's number counts one off, so that the partitions of a topic spread
// over the consumers. Without partitions the topic's hash picks one on a ring.
// Either way a consumer that joins may take over at once.
func chooseActive(t topicName, links []*link) *link {
	if len(links) == 0 {
		return nil
	}
	sorted := slices.Clone(links)
	slices.SortStableFunc(sorted, func(a, b *link) int {
		return cmp.Or(cmp.Compare(a.c.opts.PriorityLevel, b.c.opts.PriorityLevel), cmp.Compare(a.c.opts.Name, b.c.opts.Name))
	})
	n := 1
	for n < len(sorted) && sorted[n].c.opts.PriorityLevel == sorted[0].c.opts.PriorityLevel {
		n++
	}
	if t.partition >= 0 {
		return sorted[t.partition%n]
	}
	return onRing(murmur3Hash(t.full), sorted[:n])
}

// onRing puts each consumer on a ring at a hundred places and gives the one
// that comes at or after the hash.
func onRing(hash uint32, links []*link) *link {
	const places = 100
	var next, first *link
	var nextAt, firstAt uint32
	for _, l := range links {
		for i := range places {
			at := murmur3Hash(fmt.Sprint(l.c.opts.Name, i))
			if first == nil || at <= firstAt { // of two at one place the later counts
				first, firstAt = l, at
			}
			if at >= hash && (next == nil || at <= nextAt) {
				next, nextAt = l, at
			}
		}
	}
	if next == nil {
		return first
	}
	return next
}
