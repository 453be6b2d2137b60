package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// report prints the story and counts what happened.
type report struct {
	out          io.Writer
	counts       map[bq.Action]int
	deadLettered map[envelope.Reason]int
}

func newReport(out io.Writer) *report {
	return &report{out: out, counts: make(map[bq.Action]int), deadLettered: make(map[envelope.Reason]int)}
}

func (r *report) title(text string) { fmt.Fprintln(r.out, text) }

func (r *report) line(what, format string, args ...any) {
	fmt.Fprintf(r.out, "  %-14s %s\n", what, fmt.Sprintf(format, args...))
}

func (r *report) published(format string, args ...any) { r.line("published", format, args...) }

// settled prints how a delivery was settled, and why.
func (r *report) settled(what string, s bq.Settlement) {
	r.counts[s.Action]++
	attempt := s.Delivery.Attempt()
	switch s.Action {
	case bq.Acknowledged:
		r.line("handled", "%s on delivery %d", what, attempt)
	case bq.Retried:
		r.line("retried", "%s after delivery %d: %v", what, attempt, s.Err)
	case bq.DeadLettered:
		r.deadLettered[s.Reason]++
		r.line("dead-lettered", "%s after delivery %d (%s): %v", what, attempt, s.Reason, s.Err)
	case bq.Skipped:
		r.line("skipped", "%s (%s)", what, s.Reason)
	case bq.Dropped:
		r.line("dropped", "%s after delivery %d (%s): %v", what, attempt, s.Reason, s.Err)
	default:
		r.line(string(s.Action), "%s: %v", what, s.SettleErr)
	}
}

func (r *report) summary() {
	var reasons []string
	for _, reason := range slices.Sorted(maps.Keys(r.deadLettered)) {
		reasons = append(reasons, fmt.Sprintf("%s %d", reason, r.deadLettered[reason]))
	}
	r.title("Summary")
	r.line("handled", "%d", r.counts[bq.Acknowledged])
	r.line("retried", "%d", r.counts[bq.Retried])
	r.line("dead-lettered", "%d (%s)", r.counts[bq.DeadLettered], strings.Join(reasons, ", "))
	r.line("dropped", "%d", r.counts[bq.Dropped])
	r.line("skipped", "%d", r.counts[bq.Skipped])
}
