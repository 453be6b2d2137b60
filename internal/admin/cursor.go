package admin

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/utils"
)

// A Position is an entry of a topic.
type Position struct{ Ledger, Entry int64 }

// before reports whether p comes before q.
func (p Position) before(q Position) bool {
	return p.Ledger < q.Ledger || p.Ledger == q.Ledger && p.Entry < q.Entry
}

// A Cursor is what a subscription has acknowledged of a topic that is not partitioned.
type Cursor struct {
	// MarkDelete is the last entry up to which everything is acknowledged.
	MarkDelete Position
	// Beyond counts the entries after MarkDelete that were acknowledged all the same.
	Beyond int64
	// EntrySize is the mean size of the topic's entries in bytes, of the ledger that has the largest; 0 if unknown.
	EntrySize int64
	done      []span // the entries that Beyond counts
}

// A span is the entries after after, up to and including last.
type span struct{ after, last Position }

// IsAcknowledged reports whether an entry was acknowledged. Of a producer's batch it says so when all members were.
func (c *Cursor) IsAcknowledged(p Position) bool {
	if !c.MarkDelete.before(p) {
		return true
	}
	for _, s := range c.done {
		if s.after.before(p) && !s.last.before(p) {
			return true
		}
	}
	return false
}

// Cursor returns what a subscription has acknowledged. The topic is one partition, or not partitioned.
func (a *API) Cursor(ctx context.Context, name, subscription string) (*Cursor, error) {
	t, err := utils.GetTopicName(name)
	if err != nil {
		return nil, err
	}
	stats, err := a.client.Topics().GetInternalStatsWithContext(ctx, *t)
	if err != nil {
		return nil, a.fail("look at the positions of", name, err)
	}
	s, ok := stats.Cursors[subscription]
	if !ok {
		return nil, fmt.Errorf("the subscription %s of %s (admin API %s): %w", subscription, name, a.url, ErrNotFound)
	}
	c := &Cursor{}
	if c.MarkDelete, err = parsePosition(s.MarkDeletePosition); err != nil {
		return nil, fmt.Errorf("the subscription %s of %s: %w", subscription, name, err)
	}
	if c.done, err = parseSpans(s.IndividuallyDeletedMessages); err != nil {
		return nil, fmt.Errorf("the subscription %s of %s: %w", subscription, name, err)
	}
	for _, s := range c.done {
		c.Beyond += s.length(stats.Ledgers)
	}
	c.EntrySize = entrySize(&stats)
	return c, nil
}

func entrySize(stats *utils.PersistentTopicInternalStats) (size int64) {
	if stats.NumberOfEntries > 0 {
		size = stats.TotalSize / stats.NumberOfEntries
	}
	for _, l := range stats.Ledgers { // the open one has neither
		if l.Entries > 0 {
			size = max(size, l.Size/l.Entries)
		}
	}
	return size
}

// length counts the entries of a span, which may go over the ends of ledgers.
func (s span) length(ledgers []utils.LedgerInfo) int64 {
	n := s.last.Entry - s.after.Entry
	for _, l := range ledgers {
		if l.LedgerID >= s.after.Ledger && l.LedgerID < s.last.Ledger {
			n += l.Entries
		}
	}
	return n
}

func parsePosition(s string) (p Position, err error) {
	ledger, entry, ok := strings.Cut(s, ":")
	if ok {
		if p.Ledger, err = strconv.ParseInt(ledger, 10, 64); err == nil {
			p.Entry, err = strconv.ParseInt(entry, 10, 64)
		}
	}
	if !ok || err != nil {
		return Position{}, fmt.Errorf("%.80q is no position", s)
	}
	return p, nil
}

// parseSpans reads the acknowledged entries as the broker writes them: [(3:1..3:4],(3:7..3:8]]. An opening bracket
// instead of a parenthesis includes the first entry.
func parseSpans(s string) ([]span, error) {
	inner := strings.TrimSuffix(strings.TrimPrefix(s, "["), "]")
	var spans []span
	for inner = strings.TrimSpace(inner); inner != ""; inner = strings.TrimLeft(inner, ", ") {
		end := strings.IndexAny(inner[1:], "])") + 1
		if end <= 0 {
			return nil, fmt.Errorf("%.80q is no range of positions", inner)
		}
		from, to, _ := strings.Cut(inner[1:end], "..")
		after, err := parsePosition(strings.TrimSpace(from))
		if err != nil {
			return nil, err
		}
		last, err := parsePosition(strings.TrimSpace(to))
		if err != nil {
			return nil, err
		}
		if inner[0] == '[' {
			after.Entry--
		}
		if inner[end] == ')' {
			last.Entry--
		}
		spans = append(spans, span{after, last})
		inner = inner[end+1:]
	}
	return spans, nil
}
