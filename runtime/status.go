package bq

import (
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A Status describes what a consumer is doing.
type Status struct {
	Running   bool  // Run has subscribed and has not been told to stop
	Paused    bool  // see Pause
	Unsettled int   // messages that were received and are not settled
	Bytes     int64 // of their payloads
	Handling  int   // messages that handlers have
	// Unacknowledged counts the messages that are to be settled with Ack or Fail and whose handlers have returned.
	Unacknowledged int
	Lanes          int // keys that have messages which are not settled

	// HeldBack is why nothing more is received: "limit" (WithMaxUnsettled), "busy" (handlers are), "pause" or
	// "observers"; "" when more is received. Since is since when.
	HeldBack string
	Since    time.Time

	Oldest   pulsar.MessageID // of the message that has not been settled for the longest; nil when there is none
	Received time.Time        // when that was received

	Copies    int64 // messages that Pulsar delivered again and that were not handled again
	LastError error // of settling or acknowledging
}

// Status returns what the consumer is doing now.
func (c *Consumer) Status() Status {
	f := c.flow.Load()
	if f == nil {
		return Status{}
	}
	now := f.Status()
	s := Status{
		Paused: now.Paused, Unsettled: now.Unsettled, Bytes: now.Bytes, Handling: now.Running, Lanes: now.Lanes,
		HeldBack: now.HeldBack, Since: now.HeldSince, Received: now.Since, Copies: now.Swallowed,
		LastError: now.LastErr, Unacknowledged: now.Open,
	}
	if now.Oldest != nil {
		s.Oldest = now.Oldest.ID()
	}
	select {
	case <-c.ready:
		s.Running = !now.Stopping
	default:
	}
	return s
}

// Pause stops receiving and handling messages until [Consumer.Resume]. Running handlers finish and their messages are
// settled. It has no effect before Run.
func (c *Consumer) Pause() {
	if f := c.flow.Load(); f != nil {
		f.Pause()
	}
}

// Resume ends a pause.
func (c *Consumer) Resume() {
	if f := c.flow.Load(); f != nil {
		f.Resume()
	}
}
