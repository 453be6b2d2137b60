package reader

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/backoff"

	"github.com/babelqueue/bqgen/internal/topic"
)

// A session is a reader of the client as long as its connection lasts. It returns messages without a gap; when the
// client has reconnected, it is over.
type session struct {
	reader     source
	policy     func() backoff.Policy
	reconnects atomic.Int32 // that the client has begun
	expected   atomic.Int32 // of them: one, if the session has sought
	sought     bool
	over       context.Context
	end        context.CancelFunc
}

// A source is where a session's messages come from.
type source interface {
	Next(context.Context) (pulsar.Message, error)
	SeekByTime(time.Time) error
	Close()
}

// errOver says that the session is over.
var errOver = errors.New("the client has reconnected")

// open begins a session.
func (c *Config) open(ctx context.Context, start Start) (*session, error) {
	s := &session{policy: c.Options.BackoffPolicyFunc}
	if s.policy == nil {
		s.policy = backoff.NewDefaultBackoff
	}
	s.over, s.end = context.WithCancel(context.Background())
	options := c.Options
	options.BackoffPolicyFunc = s.reconnect
	var err error
	if topic.IsNonPersistent(c.Topic) {
		s.reader, err = c.listen(ctx, options)
	} else {
		s.reader, err = c.create(ctx, options, start)
	}
	if err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

// reconnect is called by the client before each reconnect.
func (s *session) reconnect() backoff.Policy {
	s.reconnects.Add(1)
	return reconnect{s.policy(), s}
}

// A reconnect is the backoff policy of one.
type reconnect struct {
	backoff.Policy
	session *session
}

// Reset is called by the client when it has reconnected. Another reader can be opened then, not before.
func (r reconnect) Reset() {
	r.Policy.Reset()
	if r.session.isBroken() {
		r.session.end()
	}
}

// isBroken reports whether messages may be missing from now on.
func (s *session) isBroken() bool { return s.reconnects.Load() > s.expected.Load() }

// next returns the next message. The error wraps errOver if the client has reconnected, and is another if the client
// has given up.
func (s *session) next(ctx context.Context) (pulsar.Message, error) {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.over, cancel)()
	for {
		msg, err := s.reader.Next(waiting)
		switch {
		case err == nil && !s.isBroken():
			s.expected.Store(s.reconnects.Load()) // if a seek brought none, none is to come
			return msg, nil
		case err == nil: // of the new connection, or as good as that
		case ctx.Err() == nil && s.over.Err() != nil:
			return nil, errOver
		default:
			return nil, cause(ctx, err)
		}
	}
}

// seek goes on at a time. The broker closes the connection of who seeks, and the client reconnects. If the connection
// was lost before, the client says that first and reconnects then, which ends the session.
func (s *session) seek(ctx context.Context, limit time.Duration, at time.Time) error {
	s.sought = true
	s.expected.Store(1)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, err := Ask(ctx, limit, func() (none struct{}, err error) { return none, s.reader.SeekByTime(at) }, nil)
	if err == nil {
		return nil
	}
	if s.expected.Store(0); s.isBroken() {
		s.end()
		return nil
	}
	if !isFinal(err) {
		select {
		case <-s.over.Done():
			return nil
		case <-ctx.Done():
		}
	}
	return fmt.Errorf("start at %s: %w", at.Format(time.RFC3339Nano), err)
}

func (s *session) close() {
	s.end()
	closeReader(s.reader)
}
