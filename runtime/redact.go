package bq

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
)

// RedactURLs returns a handler that cuts user names, passwords and tokens out of the URLs in messages and attributes
// before it passes them to h. Everything that this package logs goes through one. The Pulsar client logs its service
// URL as it is: give it a logger with such a handler, too, when the URL contains a secret.
//
//	logger := slog.New(bq.RedactURLs(slog.NewJSONHandler(os.Stderr, nil)))
//	options := pulsar.ClientOptions{URL: url, Logger: log.NewLoggerWithSlog(logger)}
func RedactURLs(h slog.Handler) slog.Handler {
	if r, ok := h.(redactor); ok {
		return r
	}
	return redactor{h}
}

type redactor struct{ to slog.Handler }

func (r redactor) Enabled(ctx context.Context, level slog.Level) bool {
	return r.to.Enabled(ctx, level)
}

func (r redactor) Handle(ctx context.Context, record slog.Record) error {
	redacted := slog.NewRecord(record.Time, record.Level, redact(record.Message), record.PC)
	record.Attrs(func(a slog.Attr) bool {
		redacted.AddAttrs(redactAttr(a))
		return true
	})
	return r.to.Handle(ctx, redacted)
}

func (r redactor) WithAttrs(attrs []slog.Attr) slog.Handler {
	redacted := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		redacted[i] = redactAttr(a)
	}
	return redactor{r.to.WithAttrs(redacted)}
}

func (r redactor) WithGroup(name string) slog.Handler { return redactor{r.to.WithGroup(name)} }

func redactAttr(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindString:
		return slog.String(a.Key, redact(v.String()))
	case slog.KindGroup:
		group := make([]slog.Attr, len(v.Group()))
		for i, inner := range v.Group() {
			group[i] = redactAttr(inner)
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(group...)}
	case slog.KindAny:
		if text := fmt.Sprint(v.Any()); redact(text) != text {
			return slog.String(a.Key, redact(text))
		}
	}
	return slog.Attr{Key: a.Key, Value: v}
}

var (
	urlUser   = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)[^/?#\s"'<>]*@`)
	urlSecret = regexp.MustCompile(`(?i)([?&;][a-z0-9_.-]*(?:token|password|passwd|secret|apikey|api_key)=)[^&;#\s"'<>]+`)
)

// redact cuts secrets out of the URLs in a text.
func redact(s string) string {
	if !strings.Contains(s, "://") {
		return s
	}
	return urlSecret.ReplaceAllString(urlUser.ReplaceAllString(s, "${1}***@"), "${1}***")
}
