package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

// TestStory runs the demo on the in-memory Pulsar and, if there is one, on a real broker: both tell the same story.
func TestStory(t *testing.T) {
	var want bytes.Buffer
	if err := run(context.Background(), nil, &want, os.Stderr); err != nil {
		t.Fatalf("%v\n%s", err, &want)
	}
	const summary = `Summary
  handled        7
  retried        7
  dead-lettered  4 (failed 1, gated 1, poison 1, unknown_urn 1)
  dropped        1
`
	if !strings.HasSuffix(want.String(), summary) {
		t.Errorf("the story ends:\n%s\nwant:\n%s", want.String()[max(0, want.Len()-len(summary)):], summary)
	}
	url := os.Getenv("BQ_PULSAR_URL")
	if url == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("no real Pulsar to tell the story on: BQ_PULSAR_URL is not set")
		}
		t.Skip("told in memory only, there is no real Pulsar: run make test, or set BQ_PULSAR_URL")
	}
	var got bytes.Buffer
	if err := run(context.Background(), []string{"-pulsar", url}, &got, os.Stderr); err != nil {
		t.Fatalf("%v\n%s", err, &got)
	}
	if got.String() != want.String() {
		t.Errorf("on a real Pulsar:\n%s\nin memory:\n%s", &got, &want)
	}
}
