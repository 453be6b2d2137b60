package judge

import (
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/internal/format"
)

// The checks of formats agree with those of the library, except where the library is known to be wrong or bqgen is
// stricter by intention.
func TestFormatsAgreeWithTheLibrary(t *testing.T) {
	values := map[string][]string{
		"date-time": {"2026-03-01T09:30:00Z", "2026-03-01t09:30:00.5+01:00", "2016-12-31T23:59:60Z", "2026-02-30T00:00:00Z",
			"2026-03-01 09:30:00Z", "2026-03-01T09:30:00", "2026-03-01T24:00:00Z", ""},
		"date":     {"2026-03-01", "2024-02-29", "2026-02-29", "2026-3-1", "20260301", ""},
		"time":     {"09:30:00Z", "09:30:00.25-05:00", "23:59:60Z", "09:30:00", "24:00:00Z", "9:30:00Z", ""},
		"duration": {"P1D", "PT1H", "P1Y2M3DT4H5M6S", "P2W", "P", "PT", "P1", "1D", "P1.5D", ""},
		"uuid": {"0190163d-8694-739b-aea5-966c26f8ad91", "0190163D-8694-739B-AEA5-966C26F8AD91", "0190163d", "",
			"{0190163d-8694-739b-aea5-966c26f8ad91}", "0190163d8694739baea5966c26f8ad91"},
		"uri": {"https://example.com/a?b#c", "urn:babel:a", "mailto:a@b.c", "http://[::1]:80/", "/a", "a", "http://%zz/",
			""},
		"email":                 {"ada@example.com", "a.b+c@x.y", "a@[127.0.0.1]", "a", "a@", "a..b@c", "a@-b", ""},
		"hostname":              {"example.com", "a", "a-b.c", "1.2.3.4", "-a", "a-", "a..b", "a_b"},
		"ipv4":                  {"127.0.0.1", "255.255.255.255", "256.0.0.1", "1.2.3", "01.2.3.4", "::1", ""},
		"ipv6":                  {"::1", "2001:db8::ff00:42:8329", "::ffff:1.2.3.4", "1.2.3.4", "::1%eth0", ":::", ""},
		"uri-reference":         {"/a", "a?b#c", "", "http://a/b", "\\\\a\\b", "%zz", "#a"},
		"iri":                   {"http://ƒøø.ßår/?∂éœ=πîx", "http://a/b", "/a", "a b", ""},
		"iri-reference":         {"/âππ", "http://ƒøø.ßår/", "#ƒrägmênt"},
		"uri-template":          {"http://a/{term:1}/{term}", "a", "http://a/{term", ""},
		"idn-email":             {"실례@실례.테스트", "a@b.c"},
		"idn-hostname":          {"실례.테스트", "example.com"},
		"json-pointer":          {"", "/", "/a~1b/~0", "/a~", "a", "#/a", "/~2"},
		"relative-json-pointer": {"0", "1/a", "2#", "01", "/a", "-1", "", "0##"},
		"regex":                 {"a+", "(", "[a", "a{1,2}", ""},
	}
	unknown := map[string]bool{"byte": true, "decimal": true} // to the library
	for name, valid := range format.ByName {
		if unknown[name] {
			continue
		}
		if len(values[name]) == 0 {
			t.Errorf("no values for %s", name)
			continue
		}
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		if err := c.AddResource("s.json", map[string]any{"format": name}); err != nil {
			t.Fatal(err)
		}
		library, err := c.Compile("s.json")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range values[name] {
			if got, want := valid(s), library.Validate(s) == nil; got != want {
				t.Errorf("%s %q: valid is %v, the library says %v", name, s, got, want)
			}
		}
	}
	// Texts that the library accepts, and nobody else should.
	for name, s := range map[string]string{"uri": "http://example.com/a b", "email": "@b"} {
		if format.ByName[name](s) {
			t.Errorf("%s %q is valid", name, s)
		}
	}
}
