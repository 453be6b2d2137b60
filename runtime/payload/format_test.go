package payload

import "testing"

// What each format accepts is tested where the checks are; this is about the Validator.
func TestFormatsAreChecked(t *testing.T) {
	for name, tt := range map[string]struct {
		format         *Format
		valid, invalid string
		want           string
	}{
		"date":     {FormatDate, "2026-02-03", "2026-02-30", "want a date by RFC 3339"},
		"time":     {FormatTime, "04:05:06Z", "04:05:06", "want a time with an offset by RFC 3339"},
		"duration": {FormatDuration, "P1D", "1D", "want a duration by ISO 8601"},
		"uri":      {FormatURI, "urn:a", "/a", "want an absolute URI"},
		"email":    {FormatEmail, "a@b", "a", "want an email address"},
		"hostname": {FormatHostname, "a.b", "a_b", "want a host name"},
	} {
		var c Validator
		if CheckFormat(&c, tt.valid, tt.format); c.err() != nil {
			t.Errorf("%s %q: %v", name, tt.valid, c.err())
		}
		CheckFormat(&c, tt.invalid, tt.format)
		got := violations(t, c.err())
		if want := " format " + tt.want + ` | "` + tt.invalid + `"`; len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestDecimalsHaveAnExactValue(t *testing.T) {
	for text, want := range map[Decimal]string{
		"-12.50": "-25/2", "0": "0/1", "99999999999999999999.9": "999999999999999999999/10",
	} {
		if r, ok := text.Rat(); !ok || r.String() != want {
			t.Errorf("%s is %v, %v, want %s", text, r, ok, want)
		}
	}
	for _, text := range []Decimal{"", "1e3", "1/2"} {
		if r, ok := text.Rat(); ok || r != nil || text.Valid() {
			t.Errorf("%q is %v, want no number", text, r)
		}
	}
}
