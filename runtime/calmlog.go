package bq

import (
	"context"
	"log/slog"
)

// A calmHandler keeps a logger of the user's that panics from taking a message, or the process, along.
type calmHandler struct{ slog.Handler }

// calm returns a logger that does not panic.
func calm(l *slog.Logger) *slog.Logger {
	if _, done := l.Handler().(calmHandler); done {
		return l
	}
	return slog.New(calmHandler{l.Handler()})
}

func (h calmHandler) Enabled(ctx context.Context, level slog.Level) (enabled bool) {
	_ = protect(func() error { enabled = h.Handler.Enabled(ctx, level); return nil })
	return enabled
}

func (h calmHandler) Handle(ctx context.Context, r slog.Record) error {
	return protect(func() error { return h.Handler.Handle(ctx, r) })
}

func (h calmHandler) WithAttrs(attrs []slog.Attr) (with slog.Handler) {
	with = h
	_ = protect(func() error { with = calmHandler{h.Handler.WithAttrs(attrs)}; return nil })
	return with
}

func (h calmHandler) WithGroup(name string) (with slog.Handler) {
	with = h
	_ = protect(func() error { with = calmHandler{h.Handler.WithGroup(name)}; return nil })
	return with
}
