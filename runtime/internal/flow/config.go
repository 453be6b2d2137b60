package flow

import (
	"context"
	"log/slog"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// This file owns what a flow is told by package bq.

// message is short for the client's type.
type message = pulsar.Message

// A Handler runs user code with a message. It may panic and end its goroutine.
type Handler func(ctx context.Context, v *Verdict, msg pulsar.Message) error

// A Config is what a flow is made of.
type Config struct {
	Topology  Topology
	Sources   []Source // opened in this order; they share slots, lanes and the limit
	Service   *Service // of a queue with several; nil for a work queue
	Logger    *slog.Logger
	Routes    Routes
	Batches   func(urn string) *Batch // of routes whose handlers take batches; nil if there are none
	Accept    Accept
	Policy    Policy // but for what depends on the queue; see Source
	Hooks     Hooks
	TraceKey  any                                 // the key of a context's trace id
	Permanent func(error) bool                    // whether an error is permanent by the consumer's options
	Panicked  func(value any, stack []byte) error // makes an error of a panic
	StackOf   func(error) string                  // the stack of such an error

	Manual    bool // user code settles what it has by its Handle
	AckBatch  bool // what was received together is acknowledged together
	Slots     int
	Unordered bool
	Limit     Limit

	Timeout   func(urn string) time.Duration // of one run; 0 for none
	InPlace   InPlace
	Exhausted func(ctx context.Context, v *Verdict, msg pulsar.Message, err error) error // instead of a dead letter

	Unknown Handler // of unknown URNs; nil for none
	Records Handler // of what is not an envelope; nil if that is poison

	Retry       Sender        // publishes retries
	Backoff     Backoff       // before what could not be settled is tried again
	SlowAfter   time.Duration // before the log says that user code is slow; 0 for never
	SettleTries int           // before what could not be settled is given back
	SendTimeout time.Duration // of a replacement and of an acknowledgement

	Grace    time.Duration // how long handlers may go on after receiving has ended
	Shutdown time.Duration // how long everything may take after that; at least Grace

	Unwatched bool                               // nobody wants to know of messages that are acknowledged
	Trace     func(state, event, becomes string) // for tests: told of every transition, with the lock held
}

// An InPlace says how often a failed message is run again before it is settled.
type InPlace struct {
	Retries int
	Backoff Backoff
}

// Hooks are functions that watch what happens. All but Ignored and Settled may be nil.
type Hooks struct {
	// On a slot, before the message is settled:
	Failed   func(ctx context.Context, err error, v *Verdict, msg pulsar.Message)
	Mismatch func(ctx context.Context, v *Verdict, msg pulsar.Message)
	Ignored  func(ctx context.Context, e *envelope.Envelope, v *Verdict) // members that mean nothing

	// On the goroutine that tells observers:
	Settled       func(Report)
	Copied        func(topic string, id pulsar.MessageID, settled bool)
	Paused        func(paused bool)
	ReceiveFailed func(error)
}

// A Report says what was done with a delivery.
type Report struct {
	Message   pulsar.Message
	Verdict   Verdict
	Action    Action
	Reason    envelope.Reason
	Err       error // what was wrong with the delivery
	SettleErr error // what went wrong with settling it
	Untouched bool  // no user code had it
	Received  time.Time
	Runs      int           // of user code
	Took      time.Duration // all runs together
	Delay     time.Duration // before a retry
}
