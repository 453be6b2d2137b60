package moment

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"
)

// TestSinceInEverySpelling is the part of O6 that needs no broker.
func TestSinceInEverySpelling(t *testing.T) {
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	for s, want := range map[string]string{
		"10m":                       "2026-11-02T11:50:00Z",
		"1h30m":                     "2026-11-02T10:30:00Z",
		"2026-11-01T00:30":          "2026-11-01T04:30:00Z",
		"2026-11-01T01:30Z":         "2026-11-01T01:30:00Z",
		"2026-11-01T01:30+02:00":    "2026-10-31T23:30:00Z",
		"2026-11-01T01:30:15.5Z":    "2026-11-01T01:30:15.5Z",
		"2026-11-01":                "2026-11-01T04:00:00Z",
		"2027-01-01T00:00:00Z":      "2027-01-01T00:00:00Z",
		"2026-11-01T03:30:00":       "2026-11-01T08:30:00Z",
		"2026-07-01T10:00:00.250":   "2026-07-01T14:00:00.25Z",
		"2026-11-01T01:30:00-04:00": "2026-11-01T05:30:00Z",
	} {
		got, err := Parse(s, now, newYork)
		if err != nil || got.UTC().Format(time.RFC3339Nano) != want {
			t.Errorf("%s: %s, %v, want %s", s, got.UTC().Format(time.RFC3339Nano), err, want)
		}
	}
	for s, want := range map[string]string{
		"2026-11-01T01:30": "is there twice, as 2026-11-01T01:30:00-04:00 and as 2026-11-01T01:30:00-05:00",
		"2026-03-08T02:30": "does not exist in America/New_York",
		"1793500000":       "is no time: write one such as 10m",
		"1793500000000":    "is no time",
		"yesterday":        "is no time",
		"-5m":              "is negative",
		"":                 "is no time",
	} {
		if _, err := Parse(s, now, newYork); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", s, err, want)
		}
	}
}
