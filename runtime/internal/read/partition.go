package read

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A position is the place of a message in a partition.
type position struct {
	ledger, entry int64
	member        int32 // of a batch
}

func positionOf(id pulsar.MessageID) position {
	return position{id.LedgerID(), id.EntryID(), max(id.BatchIdx(), 0)}
}

func (p position) compare(q position) int {
	return cmp.Or(cmp.Compare(p.ledger, q.ledger), cmp.Compare(p.entry, q.entry), cmp.Compare(p.member, q.member))
}

// A partition is a topic without partitions, or one partition of a topic.
type partition struct {
	config *Config
	topic  string
	start  Start
	reader pulsar.Reader

	last *position // that was handed out or left out
}

// closeTimeout is how long the client may take to close a reader.
const closeTimeout = 10 * time.Second

// read hands out the partition's messages from the start on. It returns nil at the end, unless it follows.
func (p *partition) read(ctx context.Context, handOut func(pulsar.Message)) error {
	if err := p.open(ctx); err != nil {
		return err
	}
	defer closeReader(p.reader)
	var end *position
	if !p.config.Follow {
		var err error
		if end, err = p.end(ctx); err != nil || end == nil {
			return err
		}
	}
	for {
		msg, err := p.next(ctx, end)
		if err != nil {
			return err
		}
		at := positionOf(msg.ID())
		if p.wants(msg, at) {
			handOut(msg)
		}
		if p.last == nil || at.compare(*p.last) > 0 {
			p.last = &at
		}
		if end != nil && at.compare(*end) >= 0 {
			return nil
		}
	}
}

// open makes the reader.
func (p *partition) open(ctx context.Context) error {
	id, inclusive := p.start.ID, p.start.Inclusive
	switch {
	case !p.start.Time.IsZero():
		id, inclusive = pulsar.EarliestMessageID(), true
	case p.start.isMessage():
		inclusive = true // which messages of the entry are wanted is decided here
	}
	reader, err := p.create(ctx, id, inclusive)
	if err != nil {
		return err
	}
	if !p.start.Time.IsZero() {
		_, err = ask(ctx, p.config.Timeout, func() (struct{}, error) {
			return struct{}{}, reader.SeekByTime(p.start.Time)
		}, nil)
		if err != nil {
			closeReader(reader)
			return fmt.Errorf("start at %s: %w", p.start.Time.Format(time.RFC3339Nano), err)
		}
	}
	p.reader = reader
	return nil
}

// create makes a reader.
func (p *partition) create(ctx context.Context, id pulsar.MessageID, inclusive bool) (pulsar.Reader, error) {
	options := p.config.Options
	options.Topic, options.StartMessageID, options.StartMessageIDInclusive = p.topic, id, inclusive
	if options.Decryption != nil { // which the client writes to
		decryption := *options.Decryption
		options.Decryption = &decryption
	}
	return ask(ctx, p.config.Timeout, func() (pulsar.Reader, error) {
		return p.config.Client.CreateReader(options)
	}, pulsar.Reader.Close)
}

func closeReader(r pulsar.Reader) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Close()
	}()
	select {
	case <-done:
	case <-time.After(closeTimeout):
	}
}

// end returns the position of the last message to hand out, or nil if there is none.
func (p *partition) end(ctx context.Context) (*position, error) {
	id, err := ask(ctx, p.config.Timeout, p.reader.GetLastMessageID, nil)
	if err != nil {
		return nil, fmt.Errorf("find the end: %w", err)
	}
	last := positionOf(id)
	switch {
	case id.EntryID() < 0:
		return nil, nil // the topic is empty
	case !p.start.Time.IsZero():
		newer, err := p.endsAfter(ctx)
		if err != nil || !newer {
			return nil, err
		}
	case p.start.isMessage():
		c := last.compare(positionOf(p.start.ID))
		if c < 0 || c == 0 && !p.start.Inclusive {
			return nil, nil
		}
	case positionOf(p.start.ID) == positionOf(pulsar.LatestMessageID()) && !p.start.Inclusive:
		return nil, nil
	}
	return &last, nil
}

// endsAfter reports whether the last message is no older than the time to start at. Otherwise there is nothing to wait
// for, and the client can say so only by HasNext, which is false on errors too.
func (p *partition) endsAfter(ctx context.Context) (bool, error) {
	reader, err := p.create(ctx, pulsar.LatestMessageID(), true)
	if err != nil {
		return false, err
	}
	defer closeReader(reader)
	ctx, cancel := p.withTimeout(ctx)
	defer cancel()
	msg, err := reader.Next(ctx)
	if err != nil {
		return false, fmt.Errorf("find the end: %w", cause(ctx, err))
	}
	return !p.isOlder(msg), nil
}

// next returns the next message. If it is known that there is one, it must come in time.
func (p *partition) next(ctx context.Context, end *position) (pulsar.Message, error) {
	if end != nil {
		var cancel context.CancelFunc
		ctx, cancel = p.withTimeout(ctx)
		defer cancel()
	}
	msg, err := p.reader.Next(ctx)
	if err != nil {
		return nil, cause(ctx, err)
	}
	return msg, nil
}

func (p *partition) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	err := fmt.Errorf("there are messages left, but none came within %s: %w", p.config.Timeout, errLate)
	return context.WithTimeoutCause(ctx, p.config.Timeout, err)
}

// cause returns why ctx has ended instead of an error that says that it has.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return context.Cause(ctx)
	}
	return err
}

// wants reports whether a message is to be handed out: it is not before the start, and not one that was before. Around
// a reconnect, and a start at a time, the client hands over messages again.
func (p *partition) wants(msg pulsar.Message, at position) bool {
	if p.isOlder(msg) {
		return false
	}
	if p.start.isMessage() {
		c := at.compare(positionOf(p.start.ID))
		if c < 0 || c == 0 && !p.start.Inclusive {
			return false
		}
	}
	// Messages of non-persistent topics all have the same id.
	return p.last == nil || at.compare(*p.last) > 0 || strings.HasPrefix(p.topic, "non-persistent://")
}

// isOlder reports whether a message is older than the time to start at, to the millisecond, which is how Pulsar keeps
// times. Pulsar looks for the time by halving, and may start before it where clocks of producers differ.
func (p *partition) isOlder(msg pulsar.Message) bool {
	return !p.start.Time.IsZero() && msg.PublishTime().UnixMilli() < p.start.Time.UnixMilli()
}
