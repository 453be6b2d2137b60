package bqtest

import (
	"errors"
	"fmt"
	"sort"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// Seek moves the subscription so that the message after id is next, or id itself with StartMessageIDInclusive. It needs
// a topic without partitions. Messages that every subscription has acknowledged come back only if the broker retains
// them.
func (c *consumer) Seek(id pulsar.MessageID) error {
	if c.multi {
		return wire.ClientError(pulsar.SeekFailed, "SeekFailed", "seek command not allowed for multi topic consumer")
	}
	if len(c.links) > 1 {
		return wire.ClientError(pulsar.SeekFailed, "SeekFailed",
			"for partition topic, seek command should perform on the individual partitions")
	}
	if _, own := id.(*messageID); !own && !wire.IsID(id) {
		return fmt.Errorf("invalid message id type %T", id)
	}
	if p := id.PartitionIdx(); p != 0 {
		return fmt.Errorf("invalid partition index %d expected a partition between [0-0]", p)
	}
	return c.seek(func(t *topic) int64 { return startAt(t, id, c.opts.StartMessageIDInclusive) })
}

// SeekByTime moves the subscription to the first message published at or after the time, in every partition.
func (c *consumer) SeekByTime(at time.Time) error {
	if c.multi {
		return wire.ClientError(pulsar.SeekFailed, "SeekFailed", "seek command not allowed for multi topic consumer")
	}
	return c.seek(func(t *topic) int64 { return t.publishedAt(at) })
}

// ResetCursor moves a subscription's cursor to the first message published at or after a time, in every partition, as
// an administrator does while consumers are connected. Messages are delivered again with the same ids and redelivery
// count 0, if the topic still has them: another subscription needs them, or the broker was made with [WithRetention].
func (b *Broker) ResetCursor(topic, subscription string, to time.Time) {
	b.lock()
	defer b.unlock()
	for _, t := range b.find(topic) {
		if s := t.subs[subscription]; s != nil {
			s.seek(t.publishedAt(to))
		}
	}
}

// publishedAt returns the id of the first entry published at or after a time.
func (t *topic) publishedAt(at time.Time) int64 {
	i := sort.Search(len(t.entries), func(i int) bool {
		return !millis(t.entries[i].first().publishTime).Before(millis(at))
	})
	return t.first + int64(i)
}

func (c *consumer) seek(to func(*topic) int64) error {
	c.b.lock()
	defer c.b.unlock()
	switch {
	case c.closed || c.left:
		return errors.New("failed to seek by closing or closed consumer")
	case c.b.down:
		return errConnectionClosed
	}
	for drained := false; !drained; {
		select {
		case <-c.ch:
		default:
			drained = true
		}
	}
	c.ready = nil
	for _, l := range c.links {
		l.sub.seek(to(l.topic))
	}
	return nil
}

// startAt is the entry to read next when starting at an id.
func startAt(t *topic, id pulsar.MessageID, inclusive bool) int64 {
	p := t.position(id.LedgerID(), id.EntryID())
	switch {
	case p >= t.end(): // the latest: with inclusive, the last one there is
		if inclusive {
			return t.end() - 1
		}
		return t.end()
	case inclusive:
		return p
	}
	return p + 1
}
