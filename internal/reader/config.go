package reader

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/topic"
)

// A Config says what is read.
type Config struct {
	Client  pulsar.Client
	Topic   string // without partitions, or one partition
	Start   Start
	Timeout time.Duration        // how long the broker may take to answer
	Options pulsar.ReaderOptions // besides the topic and the start

	Follow   bool          // Read goes on at the end
	Patience time.Duration // how long the next message may take when Read does not follow
}

// Read hands out the messages of a partition from the start on. It returns nil at the end, unless it follows.
func Read(ctx context.Context, c Config, handOut func(pulsar.Message)) error {
	var end *end
	if !c.Follow {
		var err error
		if end, err = findEnd(ctx, c); err != nil || end == nil {
			return err
		}
		if c.Start.isLatest() {
			c.Start.ID = end.id // so that Open need not ask for it again
		}
	}
	r, err := Open(ctx, c)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		msg, err := c.next(ctx, r)
		if err != nil {
			return err
		}
		if handOut(msg); ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if end != nil && end.isReached(msg) {
			return nil
		}
	}
}

// next returns the next message. If it is known that there is one, it must come in time.
func (c *Config) next(ctx context.Context, r *Reader) (pulsar.Message, error) {
	if !c.Follow {
		var cancel context.CancelFunc
		ctx, cancel = withTimeout(ctx, c.Patience)
		defer cancel()
	}
	return r.Next(ctx)
}

// create makes a reader of the client.
func (c *Config) create(ctx context.Context, options pulsar.ReaderOptions, start Start) (pulsar.Reader, error) {
	options.Topic, options.StartMessageID, options.StartMessageIDInclusive = c.Topic, start.ID, start.Inclusive
	options.Decryption = ownDecryption(options.Decryption)
	return Ask(ctx, c.Timeout, func() (pulsar.Reader, error) {
		return c.Client.CreateReader(options)
	}, pulsar.Reader.Close)
}

// ownDecryption returns a copy of d, which the client writes to.
func ownDecryption(d *pulsar.MessageDecryptionInfo) *pulsar.MessageDecryptionInfo {
	if d == nil {
		return nil
	}
	own := *d
	return &own
}

// atEnd calls fn with a reader at the end of the topic, which may return the last message.
func (c *Config) atEnd(ctx context.Context, last bool, fn func(pulsar.Reader) error) error {
	r, err := c.create(ctx, c.Options, Start{ID: pulsar.LatestMessageID(), Inclusive: last})
	if err != nil {
		return err
	}
	defer closeReader(r)
	if err := fn(r); err != nil {
		return fmt.Errorf("find the end: %w", err)
	}
	return nil
}

// closeTimeout is how long the client may take to close a reader.
const closeTimeout = 10 * time.Second

func closeReader(r interface{ Close() }) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = guard(func() (none struct{}, err error) { r.Close(); return none, nil })
	}()
	select {
	case <-done:
	case <-time.After(closeTimeout):
	}
}

// findEnd returns the end of what can be read now, or nil if that is nothing.
func findEnd(ctx context.Context, c Config) (*end, error) {
	if c.Start.isLatest() && !c.Start.Inclusive || topic.IsNonPersistent(c.Topic) {
		return nil, nil
	}
	var found *end
	byTime := !c.Start.Time.IsZero()
	err := c.atEnd(ctx, byTime, func(r pulsar.Reader) error {
		id, err := Ask(ctx, c.Timeout, r.GetLastMessageID, nil)
		switch {
		case err != nil || isNone(id):
			return err
		case c.Start.IsMessage():
			if d := compare(id, c.Start.ID); d < 0 || d == 0 && !c.Start.Inclusive {
				return nil
			}
		case byTime:
			// Otherwise there is nothing to wait for, and the client can say so only by HasNext, which is false on
			// errors too.
			ctx, cancel := withTimeout(ctx, c.Timeout)
			defer cancel()
			msg, err := r.Next(ctx)
			if err != nil {
				return cause(ctx, err)
			}
			if c.Start.isOlder(msg) {
				return nil
			}
		}
		found = &end{id}
		return nil
	})
	return found, err
}

// isNone reports whether the id of the last message says that there is none.
func isNone(id pulsar.MessageID) bool { return id.EntryID() < 0 }

// withTimeout returns a context for the next message where it is known that there is one.
func withTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	err := fmt.Errorf("there are messages left, but none came within %s: %w", limit, errLate)
	return context.WithTimeoutCause(ctx, limit, err)
}

// cause returns why ctx has ended instead of an error that says that it has.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return context.Cause(ctx)
	}
	return err
}

// Ask is fn, but it returns when ctx ends or the limit is over. drop, if it is not nil, gets a result that comes too
// late. A panic is an error.
func Ask[T any](ctx context.Context, limit time.Duration, fn func() (T, error), drop func(T)) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %s: %w", limit, errLate))
	defer cancel()
	type result struct {
		value T
		err   error
	}
	done := make(chan result)
	go func() {
		var r result
		r.value, r.err = guard(fn)
		select {
		case done <- r:
		case <-ctx.Done():
			if r.err == nil && drop != nil {
				drop(r.value)
			}
		}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var zero T
		return zero, context.Cause(ctx)
	}
}

// guard is fn, and its panic an error: the client's authentication and logger are the user's.
func guard[T any](fn func() (T, error)) (value T, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("the Pulsar client panicked: %v\n%s", panicked, debug.Stack())
		}
	}()
	return fn()
}

// errLate is wrapped by the errors about answers and messages that do not come.
var errLate = context.DeadlineExceeded
