package format

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDateTimesFollowRFC3339(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-02-03T04:05:06Z":                time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC),
		"2026-02-03t04:05:06z":                time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC),
		"2026-02-03T04:05:06+00:00":           time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC),
		"2026-02-03T04:05:06-00:00":           time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC),
		"2026-02-03T04:05:06.5+02:00":         time.Date(2026, 2, 3, 2, 5, 6, 500_000_000, time.UTC),
		"2026-02-03T04:05:06.123456789-23:59": time.Date(2026, 2, 4, 4, 4, 6, 123_456_789, time.UTC),
		"2026-02-03T04:05:06.1234567899Z":     time.Date(2026, 2, 3, 4, 5, 6, 123_456_789, time.UTC),
		"2024-02-29T00:00:00Z":                time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC),
		"2000-02-29T00:00:00Z":                time.Date(2000, 2, 29, 0, 0, 0, 0, time.UTC),
		"0000-01-01T00:00:00Z":                time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC),
		"9999-12-31T23:59:59Z":                time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		"2016-12-31T23:59:60Z":                time.Date(2017, 1, 1, 0, 0, 0, 0, time.UTC),
		"2017-01-01T00:59:60+01:00":           time.Date(2017, 1, 1, 0, 0, 0, 0, time.UTC),
		"2016-12-31T18:29:60.5-05:30":         time.Date(2017, 1, 1, 0, 0, 0, 500_000_000, time.UTC),
	} {
		got, ok := ParseDateTime([]byte(text))
		if !ok || !got.Equal(want) {
			t.Errorf("%s: got %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", "2026", "2026-02-03", "2026-02-03T04:05:06", "2026-02-03 04:05:06Z", "2026-02-03_04:05:06Z",
		"2026-2-3T04:05:06Z", "2026-02-03T4:05:06Z", "2026-02-03T04:05Z", "2026-02-03T04:05:06,5Z",
		"2026-02-03T04:05:06.Z", "2026-02-03T04:05:06.+5Z", "2026-02-03T04:05:06+02", "2026-02-03T04:05:06+0200",
		"2026-02-03T04:05:06+24:00", "2026-02-03T04:05:06+02:60", "2026-02-03T04:05:06\u221202:00",
		"2026-02-03T04:05:06ZZ", "2026-02-03T04:05:06Z ", " 2026-02-03T04:05:06Z",
		"2026-00-03T04:05:06Z", "2026-13-03T04:05:06Z", "2026-02-00T04:05:06Z", "2026-02-29T04:05:06Z",
		"1900-02-29T00:00:00Z", "2026-04-31T04:05:06Z", "2026-02-03T24:00:00Z", "2026-02-03T04:60:06Z",
		"2026-02-03T04:05:60Z", "2026-12-31T23:59:61Z", "2016-12-31T23:59:60+01:00", "9999-12-31T23:59:60Z",
		"+2026-02-03T04:05:06Z", "12026-02-03T04:05:06Z", "-026-02-03T04:05:06Z", "٢٠٢٦-02-03T04:05:06Z",
	} {
		if got, ok := ParseDateTime([]byte(text)); ok {
			t.Errorf("%q is parsed as %v, want it rejected", text, got)
		}
	}
}

func TestDateTimesAgreeWithTheStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?`+
			`(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])`).Draw(t, "text")
		want, err := time.Parse(time.RFC3339Nano, text)
		got, ok := ParseDateTime([]byte(text))
		if ok != (err == nil) || ok && !got.Equal(want) {
			t.Fatalf("%s: got %v, %v, want %v, %v", text, got, ok, want, err)
		}
	})
}
