package format_test

import (
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/internal/format"
)

// examples are strings that each format accepts and rejects. Date-times have a table of their own.
var examples = map[string]struct{ valid, invalid []string }{
	"byte": {
		valid:   []string{"", "AQI=", "AQID", "+/+/"},
		invalid: []string{"AQI", "AR==", "AQID\n", "AQ\nID", "-_==", "====", "AQI=AQI=", " AQID"},
	},
	"date": {
		valid:   []string{"2026-02-03", "2024-02-29", "2000-02-29", "0000-01-01"},
		invalid: []string{"", "2026-02-29", "1900-02-29", "2026-2-3", "20260203", "2026-02-03Z", "02026-02-03", "2026-02-3 "},
	},
	"date-time": {
		valid:   []string{"2026-02-03T04:05:06Z", "2026-02-03t04:05:06.5+01:00", "2016-12-31T23:59:60Z"},
		invalid: []string{"", "2026-02-03", "2026-02-03 04:05:06Z", "2026-02-03T04:05:06", "2026-02-03T04:05:60Z"},
	},
	"decimal": {
		valid:   []string{"0", "-0", "1.50", "-12.00", "0.0", "99999999999999999999.9"},
		invalid: []string{"", "-", "01", "-01", ".5", "-.5", "5.", "1e3", "+1", " 1", "1.2.3", "1,5", "1.5 ", "٣", "0x1"},
	},
	"duration": {
		valid: []string{"P1D", "PT1H", "P1Y2M3DT4H5M6S", "P2W", "P1YT1S", "P0D", "P1Y2M", "PT1M1S", "PT0S"},
		invalid: []string{"", "P", "PT", "P1", "PT1D", "P1W2D", "PW", "1D", "P-1D", "P1.5D", "PT1M1H", "P1D1D", "P1DT",
			"p1d", "P1H", "P1Y2D", "PT1H2S", "P1Y2DT1S"},
	},
	"email": {
		valid: []string{"a@example.com", "a.b+c@x.y", `"a b"@c`, `"a@b"@c`, "a@[127.0.0.1]", "a@[IPv6:::1]",
			strings.Repeat("a", 64) + "@b"},
		invalid: []string{"", "a", "@b", "a@", "a..b@c", ".a@c", "a.@c", "a@-b", "a@[1]", "a@[::1]", "a@[127.0.0.1",
			"ü@c", "a b@c", "\"a\nb\"@c", `"a"b"@c`, `"a\"@c`, strings.Repeat("a", 65) + "@b",
			"a@" + strings.Repeat("b.", 127) + "c"},
	},
	"hostname": {
		valid: []string{"example.com", "a", "a-b.c", "example.com.", "1.2.3.4", strings.Repeat("a", 63)},
		invalid: []string{"", ".", "-a", "a-", "a..b", "a_b", "ü.de", "a b", strings.Repeat("a", 64),
			strings.Repeat("a.", 127) + "a"},
	},
	"ipv4": {
		valid:   []string{"127.0.0.1", "0.0.0.0", "255.255.255.255"},
		invalid: []string{"", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "::1", "::ffff:1.2.3.4", "1.2.3.4 "},
	},
	"ipv6": {
		valid:   []string{"::", "::1", "0:0::1", "::ffff:1.2.3.4", "FE80::1"},
		invalid: []string{"", "fe80::1%eth0", "1.2.3.4", ":::1", "[::1]", "1:2:3:4:5:6:7", "12345::"},
	},
	"idn-email":    {valid: []string{"실례@실례.테스트", "a@b.c"}, invalid: []string{"", "a", "a@\xff"}},
	"idn-hostname": {valid: []string{"실례.테스트", "a-b.c"}, invalid: []string{"", "-ü", "a b", "ü\u200b.de"}},
	"iri": {
		valid:   []string{"http://ü.de/ß?é#ñ", "urn:a"},
		invalid: []string{"", "/ü", "http://ü /", "a:\xff"},
	},
	"iri-reference": {
		valid:   []string{"", "../ü", "http://ü.de/", "#é"},
		invalid: []string{"ü b", "http://a/%", "a\\b"},
	},
	"json-pointer": {valid: []string{"", "/", "/a~1b/~0/0"}, invalid: []string{"a", "#/a", "/~", "/~2"}},
	"regex": {
		valid:   []string{"", "^a+$", `(?=a)b`, `(?<!a)b\1`, `\u20ac`, `\cA`},
		invalid: []string{"(", "[", "a{2,1}", `^\Z`, "*"},
	},
	"relative-json-pointer": {valid: []string{"0", "10/a", "1#"}, invalid: []string{"", "01", "-1", "/a", "1a", "1##"}},
	"uri-reference":         {valid: []string{"", "../a?b#c", "//a/b", "http://a/"}, invalid: []string{"a b", "%", "ü"}},
	"uri-template": {
		valid:   []string{"", "/a", "/{a}/{b:3}{?c,d*}{#e}"},
		invalid: []string{"{", "}", "{}", "{a", "{a b}", "/a b", "{a:0}"},
	},
	"time": {
		valid:   []string{"04:05:06Z", "04:05:06z", "04:05:06.5+01:00", "23:59:60Z", "01:29:60+01:30"},
		invalid: []string{"", "04:05:06", "24:00:00Z", "4:05:06Z", "22:59:60Z", "04:05:06.Z", "04:05Z", "T04:05:06Z"},
	},
	"uri": {
		valid: []string{"https://example.com/a?b#c", "urn:babel:a", "mailto:a@b.c", "http://[::1]:80/", "a:", "x:?%20#%7B"},
		invalid: []string{"", "/a", "a", "http://a b/", "http://ü/", "http://[v]/", "://x", "http://%zz/", "http://a/|",
			"http://a/`", "http://a/?%zz", "urn:%4", "http://a/%", "http://a/#b#c", "http://a:b/", "1a:b", "http://::1/"},
	},
	"uuid": {
		valid: []string{"0f8fad5b-d9cb-469f-a165-70867728950e", "0F8FAD5B-D9CB-469F-A165-70867728950E",
			"00000000-0000-0000-0000-000000000000"},
		invalid: []string{"", "0f8fad5bd9cb469fa16570867728950e", "{0f8fad5b-d9cb-469f-a165-70867728950e}",
			"urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e", "0f8fad5b-d9cb-469f-a165-70867728950g",
			"0f8fad5bd-9cb-469f-a165-70867728950e"},
	},
}

func TestChecks(t *testing.T) {
	for name := range examples {
		if format.ByName[name] == nil {
			t.Errorf("%s has examples and no check", name)
		}
	}
	for name, check := range format.ByName {
		if len(examples[name].valid) == 0 || len(examples[name].invalid) == 0 {
			t.Errorf("%s has no examples", name)
		}
		for _, s := range examples[name].valid {
			if !check(s) {
				t.Errorf("%s %q is rejected", name, s)
			}
		}
		for _, s := range examples[name].invalid {
			if check(s) {
				t.Errorf("%s %q is accepted", name, s)
			}
		}
	}
}
