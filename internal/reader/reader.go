package reader

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/backoff"

	"github.com/babelqueue/bqgen/internal/topic"
)

// A Reader reads one partition. It is for one goroutine.
type Reader struct {
	config  Config
	session *session         // nil after a reconnect
	last    pulsar.MessageID // of the message that was returned last; nil before
	opened  time.Time        // when the session was
	pauses  backoff.Policy   // before sessions, since the last one brought nothing; nil if it did
}

// Open begins to read.
func Open(ctx context.Context, c Config) (*Reader, error) {
	if c.Start.isLatest() && !topic.IsNonPersistent(c.Topic) {
		// A later session must not start at what is the latest message then.
		if err := c.pinStart(ctx); err != nil {
			return nil, err
		}
	}
	r := &Reader{config: c}
	return r, r.open(ctx)
}

// pinStart replaces the latest message by the one that it is.
func (c *Config) pinStart(ctx context.Context) error {
	return c.atEnd(ctx, false, func(r pulsar.Reader) error {
		id, err := Ask(ctx, c.Timeout, r.GetLastMessageID, nil)
		switch {
		case err != nil:
			return err
		case isNone(id):
			c.Start = Earliest()
		default:
			c.Start.ID = id
		}
		return nil
	})
}

// open begins a session behind what was returned.
func (r *Reader) open(ctx context.Context) error {
	start := r.config.Start
	switch {
	case r.last != nil:
		start = Start{ID: r.last}
	case !start.Time.IsZero():
		start = Earliest()
	}
	if start.IsMessage() {
		start.Inclusive = true // which messages of the entry are wanted is decided here
	}
	var err error
	r.session, err = r.config.open(ctx, start)
	r.opened = time.Now()
	return err
}

// Next returns the next message. It waits for one until ctx ends.
func (r *Reader) Next(ctx context.Context) (pulsar.Message, error) {
	for {
		if r.session == nil {
			if err := r.reopen(ctx); err != nil {
				return nil, err
			}
		}
		msg, err := r.next(ctx)
		switch {
		case err == errOver:
			r.Close()
			if err := r.rest(ctx); err != nil {
				return nil, err
			}
		case err != nil:
			return nil, err
		case r.wants(msg):
			r.last, r.pauses = msg.ID(), nil
			return msg, nil
		}
	}
}

// next returns the session's next message. A first one that is older than the time to start at makes the session skip.
func (r *Reader) next(ctx context.Context) (pulsar.Message, error) {
	msg, err := r.session.next(ctx)
	if err != nil || r.last != nil || r.session.sought || !r.config.Start.isOlder(msg) ||
		topic.IsNonPersistent(r.config.Topic) {
		return msg, err
	}
	// That a message came shows that the client has asked for some. If it did so only after the seek, it would drop what
	// came in between.
	return msg, r.session.seek(ctx, r.config.Timeout, r.config.Start.Time)
}

// quiet is how long a session that brings nothing must have lasted to be one of a topic where nothing happens.
const quiet = time.Minute

// rest pauses between sessions of which each brings nothing and is over soon, after the second one. The client closes
// the connection, with all that others do on it, when the broker tells it that a topic is terminated and read to its
// end, which is for each session anew.
func (r *Reader) rest(ctx context.Context) error {
	if r.pauses == nil || time.Since(r.opened) >= quiet {
		r.pauses = backoff.NewDefaultBackoff()
		return nil
	}
	return sleep(ctx, r.pauses.Next())
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// reopen begins another session. It tries again until that helps no more.
func (r *Reader) reopen(ctx context.Context) error {
	for delay := backoff.NewDefaultBackoff(); ; {
		err := r.open(ctx)
		if err == nil || isFinal(err) {
			return err
		}
		if ended := sleep(ctx, delay.Next()); ended != nil {
			return fmt.Errorf("%w, and reconnecting: %w", ended, err)
		}
	}
}

// isFinal reports whether the client, too, would not try again after such an answer of the broker.
func isFinal(err error) bool {
	for _, sign := range []string{
		"TopicNotFound", "TopicTerminated", "SubscriptionNotFound", "AuthorizationError", "InvalidTopicName",
		"IncompatibleSchema", "ConsumerAssignError", "NotAllowedError",
	} {
		if strings.Contains(err.Error(), sign) {
			return true
		}
	}
	return false
}

// wants reports whether a message is to be returned: it is not before the start, and was not returned before.
func (r *Reader) wants(msg pulsar.Message) bool {
	switch {
	case topic.IsNonPersistent(r.config.Topic):
		return !r.config.Start.isOlder(msg)
	case r.config.Start.isBefore(msg):
		return false
	}
	return r.last == nil || compare(msg.ID(), r.last) > 0
}

// Close ends reading.
func (r *Reader) Close() {
	if r.session != nil {
		r.session.close()
		r.session = nil
	}
}
