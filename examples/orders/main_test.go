package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"sync"
	"testing"
)

// TestStory runs the demo on the in-memory Pulsar and, if there is one, on a real broker: both tell the same story.
func TestStory(t *testing.T) {
	url := os.Getenv("BQ_PULSAR_URL")
	if url == "" && os.Getenv("CI") == "true" {
		t.Fatal("no real Pulsar to tell the story on: BQ_PULSAR_URL is not set")
	}
	var want, got bytes.Buffer
	var both sync.WaitGroup // the stories wait for retries most of the time
	tell := func(to *bytes.Buffer, args ...string) {
		both.Go(func() {
			if err := run(context.Background(), args, to, os.Stderr); err != nil {
				t.Errorf("%q: %v\n%s", args, err, to)
			}
		})
	}
	tell(&want)
	if url != "" {
		tell(&got, "-pulsar", url)
	}
	both.Wait()
	if t.Failed() {
		return
	}
	const summary = `Summary
  handled        10
  retried        8
  dead-lettered  4 (failed 1, gated 1, poison 1, unknown_urn 1)
  dropped        1
  skipped        1
`
	if !strings.HasSuffix(want.String(), summary) {
		t.Errorf("the story ends:\n%s\nwant:\n%s", want.String()[max(0, want.Len()-len(summary)):], summary)
	}
	if url == "" {
		t.Skip("told in memory only, there is no real Pulsar: run make test, or set BQ_PULSAR_URL")
	}
	if got.String() != want.String() {
		t.Errorf("on a real Pulsar:\n%s\nin memory:\n%s", &got, &want)
	}
}
