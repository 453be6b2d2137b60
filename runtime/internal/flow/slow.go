package flow

import (
	"log/slog"
	"time"

	"github.com/babelqueue/bqgen/internal/text"
)

// This file owns the warning about user code that runs for long. It looks at the slots now and then, so that messages
// pay nothing for it.

// A sighting is a run that was seen on a slot.
type sighting struct {
	d     *delivery
	run   uint32
	since time.Time
	warn  time.Duration // when it is to be warned of
}

// watchSlots warns of runs that take as long as the configuration says, and again each time that has doubled, until the
// flow ends.
func (f *Flow) watchSlots() {
	limit := f.config.SlowAfter
	if limit <= 0 {
		return
	}
	seen := make([]sighting, len(f.slots))
	tick := time.NewTicker(max(limit/12, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-f.handling.Done():
			return
		case now := <-tick.C:
			f.lookAtSlots(seen, now)
		}
	}
}

func (f *Flow) lookAtSlots(seen []sighting, now time.Time) {
	f.mu.Lock()
	defer f.unlock()
	for i, d := range f.slots {
		s := &seen[i]
		switch {
		case d == nil:
			*s = sighting{}
		case s.d != d || s.run != d.runs:
			*s = sighting{d: d, run: d.runs, since: now, warn: f.config.SlowAfter}
		case now.Sub(s.since) >= s.warn:
			s.warn *= 2
			took := now.Sub(s.since)
			f.later(func() { f.logSlow(d, took) })
		}
	}
}

func (f *Flow) logSlow(d *delivery, took time.Duration) {
	attrs := []any{"for", took.Round(time.Second), "topic", d.msg.Topic(), "id", d.msg.ID().String()}
	if d.known.Load() {
		attrs = append(attrs, slog.String("urn", text.Shorten(d.verdict.URN, 128)))
		if e := d.verdict.Envelope; e != nil {
			attrs = append(attrs, slog.String("message_id", text.Shorten(e.Meta.ID, 128)))
		}
	}
	f.config.Logger.Warn("a handler has not returned yet", attrs...)
}
