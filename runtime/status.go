package bq

import (
	"context"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A Status describes what a consumer is doing.
type Status struct {
	State State
	Since time.Time // since when, as far as StateIdle, StateStarting and StateRunning are concerned

	// Connected says whether the broker answers, and ConnectedSince since when this is so. The broker is asked when
	// somebody calls Status, at most every 5 s, and not at all otherwise. What Status returns is the latest answer. No
	// answer within 4 s is none.
	Connected      bool
	ConnectedSince time.Time

	NextStart time.Time // of the next try, while StateStarting waits for it
	LastError error     // of starting, of the last run, of settling, or why the broker does not answer

	Unsettled int   // messages that were received and are not settled
	Bytes     int64 // of their payloads
	Handling  int   // messages that handlers have
	// Unacknowledged counts the messages that are to be settled with Ack or Fail and whose handlers have returned.
	Unacknowledged int
	Lanes          int // keys that have messages which are not settled

	// HeldBack is why nothing more is received: "limit" (WithMaxUnsettled), "busy" (handlers are), "pause", "drain" or
	// "observers"; "" when more is received. HeldSince is since when.
	HeldBack  string
	HeldSince time.Time

	Oldest   pulsar.MessageID // of the message that has not been settled for the longest; nil when there is none
	Received time.Time        // when that was received

	Copies int64 // messages that Pulsar delivered again and that were not handled again

	// Sources has an entry for each subscription that messages come through: of a service these are its queue and its
	// retries, in this order. The fields above are of all together.
	Sources []SourceStatus
}

// A SourceStatus is what a consumer is doing with messages that come through one subscription.
type SourceStatus struct {
	// Topic is the topic's full name, or of [WithTopicPrefix] the prefix with an asterisk. It is "" for a Pulsar consumer
	// that the caller made.
	Topic string

	Connected      bool      // as in Status
	ConnectedSince time.Time // as in Status
	LastError      error     // why the broker does not answer

	Unsettled int   // messages that were received and are not settled
	Bytes     int64 // of their payloads
}

// Status returns what the consumer is doing now. It does not wait for the broker.
func (c *Consumer) Status() Status {
	c.mu.Lock()
	life, f := c.life, c.flow.Load()
	c.mu.Unlock()
	s := Status{State: life.state, Since: life.since, NextStart: life.next, LastError: life.err}
	if f == nil || life.state != StateRunning {
		return s
	}
	now := f.Status()
	switch {
	case now.Stopping:
		s.State = StateStopping
	case now.Paused:
		s.State = StatePaused
	case now.Draining:
		s.State = StateDraining
	}
	s.Connected, s.ConnectedSince = now.Connected, now.Answer.Since
	for _, from := range now.Sources {
		s.Sources = append(s.Sources, SourceStatus{
			Topic: from.Topic, Connected: from.Connected, ConnectedSince: from.Since, LastError: from.Err,
			Unsettled: from.Unsettled, Bytes: from.Bytes,
		})
	}
	s.Unsettled, s.Bytes, s.Handling, s.Lanes = now.Unsettled, now.Bytes, now.Running, now.Lanes
	s.Unacknowledged = now.Open
	s.HeldBack, s.HeldSince = now.HeldBack, now.HeldSince
	s.Received, s.Copies, s.LastError = now.Received, now.Swallowed, now.LastErr
	if now.Err != nil {
		s.LastError = now.Err
	}
	if now.Oldest != nil {
		s.Oldest = now.Oldest.ID()
	}
	return s
}

// Pause stops receiving and handling messages until [Consumer.Resume]. Running handlers finish and their messages are
// settled; what was received stays with this consumer. Before Run it has Run begin with a pause.
func (c *Consumer) Pause() { c.setPaused(true) }

// Resume ends a pause.
func (c *Consumer) Resume() { c.setPaused(false) }

func (c *Consumer) setPaused(paused bool) {
	c.mu.Lock()
	c.paused = paused
	f := c.flow.Load()
	c.mu.Unlock()
	switch {
	case f == nil:
	case paused:
		f.Pause()
	default:
		f.Resume()
	}
}

// Drain stops receiving messages and waits until those that were received are handled and settled. Then the consumer is
// paused until [Consumer.Resume]. If ctx ends first, Drain returns an error that says how many messages are left, and
// the consumer is paused with them.
func (c *Consumer) Drain(ctx context.Context) error {
	c.mu.Lock()
	c.paused = true
	f := c.flow.Load()
	c.mu.Unlock()
	if f == nil {
		return nil
	}
	if left := f.Drain(ctx); left > 0 {
		return fmt.Errorf("drain consumer of queue %s: %d messages are not settled: %w", c.queue.Name, left,
			context.Cause(ctx))
	}
	return nil
}
