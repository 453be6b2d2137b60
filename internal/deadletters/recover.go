package deadletters

import (
	"context"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/scan"
)

// forgetting is after how long without a producer the broker forgets its numbers, by default
// (brokerDeduplicationProducerInactivityTimeoutMinutes), with an hour to spare.
const forgetting = 5 * time.Hour

// recover looks at the windows that earlier runs have not finished. If the broker deduplicates, what still waits of a
// window is sent again under its old name and numbers, so that it comes once. Otherwise it is only said which messages
// may come twice: they are sent again only if this run chooses them.
func (r *run) recover(ctx context.Context) error {
	for _, left := range r.journal.left {
		waiting, err := r.stillWaiting(ctx, left.record.Letters)
		if err != nil {
			return err
		}
		canRepeat := left.record.Deduplicated && r.summary.Deduplicated && time.Since(left.record.Time) < forgetting
		switch {
		case left.record.Drop || len(waiting) == 0:
		case canRepeat:
			if err := r.sendAgain(ctx, left.record, waiting); err != nil {
				return fmt.Errorf("finish the window of %s: %w", left.record.Run, err)
			}
			r.summary.Recovered += len(waiting)
		default:
			for _, e := range waiting {
				r.summary.MayRepeat = append(r.summary.MayRepeat, e.ID)
			}
		}
		if err := r.journal.done(left.id); err != nil {
			return err
		}
	}
	return nil
}

// stillWaiting returns the entries that are not acknowledged.
func (r *run) stillWaiting(ctx context.Context, letters []entry) (waiting []entry, err error) {
	cursors := map[string]*admin.Cursor{}
	for _, e := range letters {
		if cursors[e.Partition] == nil {
			cursors[e.Partition], err = r.box.api.Cursor(ctx, e.Partition, r.box.group.DeadLetterSubscription)
			if err != nil {
				return nil, err
			}
		}
		if !cursors[e.Partition].IsAcknowledged(admin.Position{Ledger: e.Ledger, Entry: e.Entry}) {
			waiting = append(waiting, e)
		}
	}
	return waiting, nil
}

// sendAgain sends the entries of a window as its run did.
func (r *run) sendAgain(ctx context.Context, rec record, waiting []entry) error {
	byPartition := map[string][]entry{}
	for _, e := range waiting {
		byPartition[e.Partition] = append(byPartition[e.Partition], e)
	}
	s := &sender{client: r.box.client, target: rec.Target, name: rec.Producer, waiting: r.sender.waiting}
	if err := s.open(); err != nil {
		return err
	}
	defer func() { s.producer.Close() }()
	for partition, entries := range byPartition {
		letters, err := r.lettersAt(ctx, partition, entries)
		if err != nil {
			return err
		}
		messages := make([]*pulsar.ProducerMessage, len(letters))
		for i, l := range letters {
			old := run{o: &Options{Data: rec.Data}, sender: s}
			if err := r.findChunks(ctx, l); err != nil {
				return err
			}
			messages[i] = old.message(l, entries[i].Sequence)
		}
		errs, err := s.send(ctx, messages, r.pace.Wait)
		if err != nil {
			return err
		}
		before := *r.summary
		if err := r.acknowledge(context.WithoutCancel(ctx), letters, errs); err != nil {
			return err
		}
		r.done -= r.summary.Sent - before.Sent
		r.summary.Sent = before.Sent
	}
	return nil
}

// lettersAt reads the letters at positions of one partition, which are in order.
func (r *run) lettersAt(ctx context.Context, partition string, entries []entry) (letters []*Letter, err error) {
	first := entries[0].First
	for _, e := range entries { // chunks of several messages may be mixed
		if e.Ledger == entries[0].Ledger {
			first = min(first, e.First)
		}
	}
	o := scan.Options{Client: r.box.client, Topic: partition, After: func(string) (pulsar.MessageID, error) {
		if first == 0 {
			return nil, nil // the ledger's first: from the beginning
		}
		return pulsar.NewMessageID(entries[0].Ledger, first-1, -1, 0), nil
	}}
	err = scan.Topic(ctx, o, func(msg pulsar.Message) error {
		id, e := msg.ID(), entries[len(letters)]
		if id.LedgerID() == e.Ledger && id.EntryID() == e.Entry && id.BatchIdx() == e.Batch {
			letters = append(letters, r.box.read(msg, partition))
		}
		if len(letters) == len(entries) {
			return scan.ErrStop
		}
		return nil
	})
	if err == nil && len(letters) < len(entries) {
		err = fmt.Errorf("%d dead letters of it are not on %s any more", len(entries)-len(letters), partition)
	}
	return letters, err
}
