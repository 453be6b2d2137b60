package bq

import (
	"context"
	"log/slog"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// A Settlement is what was done with a delivery, and why.
type Settlement struct {
	Delivery Delivery
	Action   Action
	Reason   envelope.Reason // of a dead letter or a drop; empty otherwise
	// Err is what was wrong with the delivery: the handler's error, or why no handler saw it.
	Err error
	// SettleErr is what went wrong with settling it. With Returned, what should replace the message could not be
	// published. With any other action the acknowledgement failed, and the message may come again (SET-9).
	SettleErr error
}

// log writes a settlement to the log: dead letters, drops and what did not work as warnings, the rest for those who
// look closer. What a producer controls is cut.
func (s *Settlement) log(ctx context.Context, logger *slog.Logger) {
	level := slog.LevelDebug
	switch s.Action {
	case Retried, Released:
		level = slog.LevelInfo
	case DeadLettered, Dropped, Returned:
		level = slog.LevelWarn
	}
	if s.SettleErr != nil {
		level = slog.LevelWarn
	}
	if !logger.Enabled(ctx, level) {
		return
	}
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
		attrs = append(attrs, slog.String("error", text.Shorten(s.Err.Error(), maxErrorText)))
	}
	if stack := stackOf(s.Err); stack != "" {
		attrs = append(attrs, slog.String("stack", stack))
	}
	if s.SettleErr != nil {
		attrs = append(attrs, slog.String("settle_error", s.SettleErr.Error()))
	}
	logger.LogAttrs(ctx, level, "message "+string(s.Action), attrs...)
}

// maxLogValue bounds what a log line shows of a value that came with a message, in characters.
const maxLogValue = 128
