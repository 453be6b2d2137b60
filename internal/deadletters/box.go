package deadletters

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/inspect"
	"github.com/babelqueue/bqgen/internal/scan"
	"github.com/babelqueue/bqgen/internal/topology"
)

// An API is what this package asks of the admin API.
type API interface {
	Topic(ctx context.Context, name string) (*admin.Topic, error)
	Cursor(ctx context.Context, partition, subscription string) (*admin.Cursor, error)
	Chunks(ctx context.Context, partition string, first, last admin.Position) ([]admin.Position, error)
	Created(ctx context.Context, partition string) (time.Time, error)
	CreateTopic(ctx context.Context, name string, partitions int) error
	CreateSubscription(ctx context.Context, name, subscription string) error
}

// A Box is the dead letters of one group.
type Box struct {
	client    pulsar.Client
	api       API // nil if it may not be asked
	group     *topology.Group
	others    []*topology.Group // that share the topic
	inspector *inspect.Inspector
}

// Open returns the dead letters of a group. Without an API it cannot tell what waits from what has gone by.
func Open(client pulsar.Client, api API, t *topology.Topology, g *topology.Group) (*Box, error) {
	if g.DeadLetters == "" {
		return nil, fmt.Errorf("the queue %s has no dead letters: the catalog says dead_letter: false", g.Name())
	}
	return &Box{
		client: client, api: api, group: g, others: t.SharesDeadLetters(g),
		inspector: inspect.New(t.Catalog, g.Queue),
	}, nil
}

// Topic returns the dead-letter topic.
func (b *Box) Topic() string { return b.group.DeadLetters }

// KnowsWhatWaits reports whether the admin API can be asked.
func (b *Box) KnowsWhatWaits() bool { return b.api != nil }

// A bounds is how far each partition is read: what comes later is not met.
type bounds map[string]pulsar.MessageID

// Each calls visit with all letters that wait or, without the admin API, that are on the topic. An error of visit ends
// it; scan.ErrStop without an error.
func (b *Box) Each(ctx context.Context, visit func(*Letter) error) error {
	return b.each(ctx, nil, func(l *Letter, waits bool) error {
		if !waits {
			return nil
		}
		return visit(l)
	})
}

// All calls visit with all letters that the topic still has, and says which of them wait.
func (b *Box) All(ctx context.Context, visit func(l *Letter, waits bool) error) error {
	return b.scan(ctx, nil, false, visit)
}

func (b *Box) each(ctx context.Context, until bounds, visit func(*Letter, bool) error) error {
	return b.scan(ctx, until, true, visit)
}

// scan reads one partition after the other, so that their orders are kept.
func (b *Box) scan(ctx context.Context, until bounds, skip bool, visit func(*Letter, bool) error) error {
	partitions, err := b.client.TopicPartitions(b.group.DeadLetters)
	if err != nil {
		return fmt.Errorf("look up %s: %w", b.group.DeadLetters, err)
	}
	for _, partition := range partitions {
		stopped, err := b.scanPartition(ctx, partition, until, skip, visit)
		if err != nil || stopped {
			return err
		}
	}
	return nil
}

func (b *Box) scanPartition(
	ctx context.Context, partition string, until bounds, skip bool, visit func(*Letter, bool) error,
) (stopped bool, err error) {
	var cursor *admin.Cursor
	if b.api != nil {
		cursor, err = b.api.Cursor(ctx, partition, b.group.DeadLetterSubscription)
		if errors.Is(err, admin.ErrNotFound) {
			return false, fmt.Errorf("%w: nothing keeps dead letters there, see bqgen provision", err)
		}
		if err != nil {
			return false, err
		}
	}
	end, bounded := until[partition]
	if until != nil && !bounded {
		return false, nil // it was empty
	}
	o := scan.Options{Client: b.client, Topic: partition}
	if cursor != nil {
		o.Ahead = scan.AheadOf(cursor.EntrySize)
	}
	if cursor != nil && skip && cursor.MarkDelete.Entry >= 0 {
		o.After = func(string) (pulsar.MessageID, error) {
			return pulsar.NewMessageID(cursor.MarkDelete.Ledger, cursor.MarkDelete.Entry, -1, 0), nil
		}
	}
	err = scan.Topic(ctx, o, func(msg pulsar.Message) error {
		if bounded && after(msg.ID(), end) {
			return scan.ErrStop
		}
		l := b.read(msg, partition)
		waits := cursor == nil || !cursor.IsAcknowledged(l.Position())
		err := visit(l, waits)
		stopped = stopped || errors.Is(err, scan.ErrStop)
		return err
	})
	return stopped, err
}

// cameAfter counts what is on the topic beyond bounds, and waits.
func (b *Box) cameAfter(ctx context.Context, until bounds) (n int, err error) {
	err = b.each(ctx, nil, func(l *Letter, waits bool) error {
		if end, bounded := until[l.Partition]; waits && !l.IsForeign && (!bounded || after(l.Raw.ID(), end)) {
			n++
		}
		return nil
	})
	return n, err
}

// after reports whether a comes after b.
func after(a, b pulsar.MessageID) bool {
	switch {
	case a.LedgerID() != b.LedgerID():
		return a.LedgerID() > b.LedgerID()
	case a.EntryID() != b.EntryID():
		return a.EntryID() > b.EntryID()
	}
	return a.BatchIdx() > b.BatchIdx()
}
