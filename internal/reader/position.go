package reader

import (
	"cmp"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A Start is where reading begins: at a time if there is one, else at an id.
type Start struct {
	ID        pulsar.MessageID
	Inclusive bool // the message with the id, too
	Time      time.Time
}

// Earliest is the start at the oldest message.
func Earliest() Start { return Start{ID: pulsar.EarliestMessageID(), Inclusive: true} }

// IsMessage reports whether reading starts at one message.
func (s Start) IsMessage() bool {
	return s.Time.IsZero() && !isSame(s.ID, pulsar.EarliestMessageID()) && !s.isLatest()
}

func (s Start) isLatest() bool { return s.Time.IsZero() && isSame(s.ID, pulsar.LatestMessageID()) }

// isOlder reports whether a message is older than the time to start at, to the millisecond, which is how Pulsar keeps
// times. Pulsar looks for the time by halving, and may start before it where clocks of producers differ.
func (s Start) isOlder(msg pulsar.Message) bool {
	return !s.Time.IsZero() && msg.PublishTime().UnixMilli() < s.Time.UnixMilli()
}

// isBefore reports whether a message lies before the start.
func (s Start) isBefore(msg pulsar.Message) bool {
	if s.isOlder(msg) {
		return true
	}
	if !s.IsMessage() {
		return false
	}
	c := compare(msg.ID(), s.ID)
	return c < 0 || c == 0 && !s.Inclusive
}

// compare tells the order of two messages of a partition. An id that names no member of a batch is that of the entry as
// a whole.
func compare(a, b pulsar.MessageID) int {
	c := compareEntries(a, b)
	if c == 0 && a.BatchIdx() >= 0 && b.BatchIdx() >= 0 {
		c = cmp.Compare(a.BatchIdx(), b.BatchIdx())
	}
	return c
}

func compareEntries(a, b pulsar.MessageID) int {
	return cmp.Or(cmp.Compare(a.LedgerID(), b.LedgerID()), cmp.Compare(a.EntryID(), b.EntryID()))
}

func isSame(a, b pulsar.MessageID) bool { return compare(a, b) == 0 }

// An end is the last message to read.
type end struct{ id pulsar.MessageID }

// isReached reports whether a message is the last one, or behind it.
func (e *end) isReached(msg pulsar.Message) bool {
	id := msg.ID()
	if c := compareEntries(id, e.id); c != 0 {
		return c > 0
	}
	return id.BatchSize() <= 1 || id.BatchIdx() >= id.BatchSize()-1
}
