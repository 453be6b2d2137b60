package payload

import "testing"

func TestFormats(t *testing.T) {
	for name, tt := range map[string]struct {
		format       *Format
		valid, wrong []string
	}{
		"date":     {FormatDate, []string{"2026-02-03", "2024-02-29"}, []string{"", "2026-02-29", "2026-2-3", "20260203", "2026-02-03Z", "02026-02-03"}},
		"time":     {FormatTime, []string{"04:05:06Z", "04:05:06.5+01:00", "23:59:60Z", "01:29:60+01:30"}, []string{"", "04:05:06", "24:00:00Z", "4:05:06Z", "22:59:60Z", "04:05:06.Z"}},
		"duration": {FormatDuration, []string{"P1D", "PT1H", "P1Y2M3DT4H5M6S", "P2W", "P1YT1S"}, []string{"", "P", "PT", "P1", "PT1D", "P1W2D", "1D", "P-1D", "P1.5D", "PT1M1H", "P1DT", "p1d"}},
		"uri":      {FormatURI, []string{"https://example.com/a?b#c", "urn:babel:a", "mailto:a@b.c", "http://[::1]:80/"}, []string{"", "/a", "a", "http://a b/", "http://ü/", "http://[v]/", "://x", "http://%zz/", "http://a/|", "http://a/`"}},
		"email":    {FormatEmail, []string{"a@example.com", "a.b+c@x.y", `"a b"@c`, "a@[127.0.0.1]", "a@[IPv6:::1]"}, []string{"", "a", "@b", "a@", "a..b@c", ".a@c", "a@-b", "a@[1]", "a@[::1]", "ü@c", "a b@c", "\"a\nb\"@c"}},
		"hostname": {FormatHostname, []string{"example.com", "a", "a-b.c", "example.com.", "1.2.3.4"}, []string{"", ".", "-a", "a-", "a..b", "a_b", "ü.de"}},
	} {
		for _, s := range tt.valid {
			if !tt.format.valid(s) {
				t.Errorf("%s %q is refused", name, s)
			}
		}
		for _, s := range tt.wrong {
			if tt.format.valid(s) {
				t.Errorf("%s %q is taken", name, s)
			}
		}
	}
}

func TestDecimals(t *testing.T) {
	for text, want := range map[Decimal]bool{
		"0": true, "-0": true, "1.50": true, "-12.00": true, "99999999999999999999.9": true,
		"": false, "-": false, "01": false, ".5": false, "5.": false, "1e3": false, "+1": false, " 1": false, "1.2.3": false, "1,5": false, "-.5": false,
	} {
		if r, ok := text.Rat(); text.Valid() != want || ok != want || ok && r == nil {
			t.Errorf("%q is valid: %v, want %v", text, text.Valid(), want)
		}
	}
}
