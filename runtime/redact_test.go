package bq

import (
	"bytes"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"testing"
)

func TestSecretsInURLsAreCut(t *testing.T) {
	for in, want := range map[string]string{
		"pulsar://ada:s3cret@broker:6650":                    "pulsar://***@broker:6650",
		"pulsar+ssl://s3cret@a:1,b:2/x":                      "pulsar+ssl://***@a:1,b:2/x",
		"pulsar://ada:s3cret@a:1,ada:s3cret@b:2":             "pulsar://***@b:2",
		"for URL 'http://a:s3@cret@h/p?token=s3cret&x=1': e": "for URL 'http://***@h/p?token=***&x=1': e",
		"http://h/?auth_token=s3cret;a=b#c":                  "http://h/?auth_token=***;a=b#c",
		"a http://h b@c":                                     "a http://h b@c",
		"persistent://public/default/a@b":                    "persistent://public/default/a@b",
		"ada@example.com token=x":                            "ada@example.com token=x",
	} {
		if got := redact(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestNoLogContainsASecret(t *testing.T) {
	const address = "pulsar://ada:s3cret@broker:6650"
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	plain := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ours := newPublisherConfig([]PublisherOption{WithLogger(plain)}).logger
	for _, logger := range []*slog.Logger{ours, slog.New(RedactURLs(plain.Handler()))} {
		out.Reset()
		logger.With("with", address).WithGroup("g").Debug("to "+address, "text", address, "error", errors.New("at "+address),
			"url", parsed, slog.Group("inner", "deep", address), "n", 1)
		if got := out.String(); strings.Contains(got, "s3cret") || strings.Count(got, "***@broker") != 6 ||
			!strings.Contains(got, "g.n=1") {
			t.Errorf("logged %s", got)
		}
	}
}
