// Package moment reads points in time as people type them.
package moment

import (
	"fmt"
	"strings"
	"time"
)

// Forms says how a time may be written, for help texts.
const Forms = "such as 10m, 1h30m, 2026-03-01, 2026-03-01T09:30 or 2026-03-01T09:30:00Z"

// layouts with and without a zone, the longest first.
var (
	zoned = []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00"}
	local = []string{"2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02"}
)

// changes are by how much clocks are put forward and back.
var changes = []time.Duration{-2 * time.Hour, -time.Hour, -time.Hour / 2, time.Hour / 2, time.Hour, 2 * time.Hour}

// Parse reads a time: a duration before now, or a date with or without a time of day. Without a zone it is in the given
// location. A time that the location has twice, or never, because clocks change is refused, and so are plain numbers,
// which may be seconds or milliseconds.
func Parse(s string, now time.Time, in *time.Location) (time.Time, error) {
	if d, err := time.ParseDuration(s); err == nil && strings.ContainsAny(s, "smh") {
		if d < 0 {
			return time.Time{}, fmt.Errorf("%q is negative: it says how long ago", s)
		}
		return now.Add(-d), nil
	}
	for _, layout := range zoned {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	for _, layout := range local {
		if t, err := time.ParseInLocation(layout, s, in); err == nil {
			return t, ambiguous(s, t, layout)
		}
	}
	return time.Time{}, fmt.Errorf("%.60q is no time: write one %s", s, Forms)
}

// ambiguous returns an error if a local time exists twice or not at all.
func ambiguous(s string, t time.Time, layout string) error {
	wall := t.Format(layout)
	if parsed := strings.TrimRight(s, "0"); !strings.HasPrefix(wall, strings.TrimRight(parsed, ".:")) {
		return fmt.Errorf("%s does not exist in %s: the clocks were put forward", s, t.Location())
	}
	if layout == "2006-01-02" {
		return nil
	}
	for _, d := range changes {
		if other := t.Add(d); other.Format(layout) == wall {
			return fmt.Errorf("%s is there twice, as %s and as %s: give its zone", s,
				t.Format(time.RFC3339), other.Format(time.RFC3339))
		}
	}
	return nil
}

// Show returns a time in UTC and in its own zone.
func Show(t time.Time) string {
	return t.UTC().Format(time.RFC3339) + " (" + t.Local().Format("2006-01-02 15:04:05 MST") + ")"
}
