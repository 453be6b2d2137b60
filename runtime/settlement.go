package bq

import (
	"context"
	"log/slog"
	"time"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// An Action is what was done with a delivery.
type Action string

// The actions. All but Returned and Released end with an acknowledgement of the delivery, and so does Retried unless it
// is a negative acknowledgement.
const (
	// Acknowledged: handled, or taken by the handler of WithUnknownURN (SET-1, SET-4). A member of a producer's batch is
	// reported when it is done; Pulsar has it confirmed when all members of its entry are.
	Acknowledged = Action(flow.Acknowledged)
	// Retried: published again with one more attempt, or negatively acknowledged (RET-1, RET-2, RET-7).
	Retried = Action(flow.Retried)
	// DeadLettered: published to the dead-letter topic.
	DeadLettered = Action(flow.DeadLettered)
	// Dropped: given up where there is no dead-letter topic.
	Dropped = Action(flow.Dropped)
	// Skipped: acknowledged unseen, because it is not for this service; Reason says why (FAN-5 to FAN-7).
	Skipped = Action(flow.Skipped)
	// Snoozed: published again without counting an attempt (Snooze).
	Snoozed = Action(flow.Snoozed)
	// Discarded: acknowledged although its handler failed (Discard).
	Discarded = Action(flow.Discarded)
	// Recovered: given to the function of WithOnExhausted instead.
	Recovered = Action(flow.Recovered)
	// Returned: what replaces it could not be published, or it could not be decrypted; it is delivered again.
	Returned = Action(flow.Returned)
	// Released: left unsettled, by shutdown or because its partition is another consumer's now; it is delivered again.
	Released = Action(flow.Released)
)

// Gated is the reason of a dead letter or a drop whose envelope version is not supported. It is not on the wire: such a
// message is moved as it is (GATE-5).
const Gated = flow.Gated

// Undecryptable is the reason of a drop by WithDropUndecryptable.
const Undecryptable = flow.Undecryptable

// A Settlement is what was done with a delivery, and why. There is one for each delivery.
type Settlement struct {
	Delivery Delivery
	Action   Action
	Reason   envelope.Reason // of a dead letter, a drop or a skip; empty otherwise
	// Err is what was wrong with the delivery: the handler's error, or why no handler saw it.
	Err error
	// SettleErr is what went wrong with settling it. With Returned, what should replace the message could not be
	// published. With Released, it wraps ErrAbandoned when the time for shutdown was over first. With any other action
	// the acknowledgement failed or was late; it is tried again until the consumer stops, and the message may come again
	// (SET-9).
	SettleErr error

	Received time.Time     // when this process received it
	Runs     int           // how often user code was called with it: more than once with WithRetryInPlace
	Duration time.Duration // of these calls together; a call that timed out counts with its timeout
	Delay    time.Duration // with Retried and Snoozed: how long the message waits
}

// level returns how important a settlement is: dead letters, drops and what did not work are warnings, the rest is for
// those who look closer.
func (s *Settlement) level(untouched bool) slog.Level {
	level := slog.LevelDebug
	switch s.Action {
	case Retried, Released, Snoozed:
		level = slog.LevelInfo
	case DeadLettered, Dropped, Returned, Discarded:
		level = slog.LevelWarn
	}
	if untouched && s.Action == Released {
		level = slog.LevelDebug
	}
	if s.SettleErr != nil {
		level = slog.LevelWarn
	}
	return level
}

// log writes a settlement to the log. What a producer controls is cut.
func (s *Settlement) log(ctx context.Context, logger *slog.Logger, level slog.Level) {
	attrs := []slog.Attr{
		slog.String("urn", text.Shorten(s.Delivery.URN, maxLogValue)),
		slog.String("message_id", text.Shorten(s.Delivery.ID, maxLogValue)),
		slog.String("trace_id", text.Shorten(s.Delivery.TraceID, maxLogValue)),
		slog.String("topic", s.Delivery.Topic),
		slog.Int64("attempts", s.Delivery.Attempt()),
	}
	if s.Reason != "" {
		attrs = append(attrs, slog.String("reason", string(s.Reason)))
	}
	if s.Err != nil {
		attrs = append(attrs, slog.String("error", text.Shorten(s.Err.Error(), flow.MaxLogError)))
	}
	if stack := stackOf(s.Err); stack != "" {
		attrs = append(attrs, slog.String("stack", stack))
	}
	if s.SettleErr != nil {
		attrs = append(attrs, slog.String("settle_error", text.Shorten(s.SettleErr.Error(), flow.MaxLogError)))
	}
	logger.LogAttrs(ctx, level, "message "+string(s.Action), attrs...)
}

// maxLogValue bounds what a log line shows of a value that came with a message, in characters.
const maxLogValue = 128
