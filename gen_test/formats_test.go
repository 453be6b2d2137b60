package gentest

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/babelqueue/bqgen/internal/format"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

// formatValues are valid and invalid values of each format of strings.
var formatValues = map[string]struct{ valid, invalid []string }{
	"date-time": {[]string{"2026-03-01T09:30:00Z", "2026-03-01t09:30:00.5+01:00"},
		[]string{"", "2026-03-01 09:30:00Z", "2026-03-01T09:30:00", "2026-02-30T00:00:00Z", "2026-03-01T09:30:00,5Z"}},
	"date":     {[]string{"2026-03-01", "2024-02-29"}, []string{"", "2026-02-29", "2026-3-1", "20260301", "2026-03-01Z"}},
	"time":     {[]string{"09:30:00Z", "09:30:00.25-05:00"}, []string{"", "09:30:00", "24:00:00Z", "9:30:00Z"}},
	"duration": {[]string{"P1D", "P1Y2M3DT4H5M6S", "P2W"}, []string{"", "P", "PT", "P1D2W", "P1.5D", "PT1M1H"}},
	"uuid": {[]string{"0190163d-8694-739b-aea5-966c26f8ad91", "0190163D-8694-739B-AEA5-966C26F8AD91"},
		[]string{"", "0190163d8694739baea5966c26f8ad91", "{0190163d-8694-739b-aea5-966c26f8ad91}"}},
	"byte":    {[]string{"", "aGVsbG8=", "aA=="}, []string{"aGVsbG8", "aB==", "aGV\n", "_-=="}},
	"decimal": {[]string{"0", "-0", "99.90"}, []string{"", "1.", ".5", "01", "1e3", "1,5", " 1"}},
	"uri": {[]string{"https://example.com/a", "urn:babel:a"},
		[]string{"", "/a", "http://example.com/a b", "http://example.com/ü", "http://example.com/a|b", "http://%zz/"}},
	"email": {[]string{"ada@example.com", "a@[127.0.0.1]", `"a b"@c`},
		[]string{"", "a", "a@", "a..b@c", "a b@c", "ü@c", "a@[::1]"}},
	"hostname":              {[]string{"example.com", "a-b.c", "example.com."}, []string{"", "-a", "a..b", "a_b", "ü.de"}},
	"idn-email":             {[]string{"ü@c.de", "a@b"}, []string{"", "ü", "a b@c"}},
	"idn-hostname":          {[]string{"ü.de", "a"}, []string{"", "-ü", "a b"}},
	"iri":                   {[]string{"http://ü.de/é", "urn:a"}, []string{"", "/ü", "http://ü /"}},
	"iri-reference":         {[]string{"", "../ü#é"}, []string{"ü b", "%"}},
	"json-pointer":          {[]string{"", "/a~1b/~0"}, []string{"a", "/~2"}},
	"regex":                 {[]string{"^a+$", "(?=a)b"}, []string{"(", "*"}},
	"relative-json-pointer": {[]string{"0", "1/a", "2#"}, []string{"", "01", "/a"}},
	"uri-reference":         {[]string{"", "../a?b#c"}, []string{"a b", "ü"}},
	"uri-template":          {[]string{"", "/{a}{?b*}"}, []string{"{", "{}"}},
	"ipv4":                  {[]string{"127.0.0.1"}, []string{"", "256.0.0.1", "1.2.3", "01.2.3.4", "::1"}},
	"ipv6":                  {[]string{"::1", "2001:db8::1"}, []string{"", "1.2.3.4", "::1%eth0", ":::"}},
}

// The loader accepts a value in a catalog exactly when generated code accepts it in a message.
func TestLoaderAndGeneratedCodeAgreeOnFormats(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module")
	}
	urns := map[string]any{}
	for name := range format.ByName {
		urns["urn:format:"+name] = formatURN(name)
	}
	catalog, findings := load.Parse("urns.yaml", catalogText(map[string]any{}, urns))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	var questions []question
	var accepted, want []bool
	for _, name := range slices.Sorted(maps.Keys(format.ByName)) {
		values := formatValues[name]
		if len(values.valid) == 0 || len(values.invalid) == 0 {
			t.Errorf("no values for %s", name)
		}
		for i, value := range slices.Concat(values.valid, values.invalid) {
			document, err := json.Marshal(map[string]string{"value": value})
			if err != nil {
				t.Fatal(err)
			}
			questions = append(questions, question{"formats/urn:format:" + name, document})
			accepted = append(accepted, loaderAccepts(t, name, value))
			want = append(want, i < len(values.valid))
		}
	}
	receiver := newReceiver(t, map[string]*schema.Catalog{"formats": catalog})
	for i, a := range receiver.ask(t, questions) {
		if accepted[i] != want[i] || (a.Rules == nil) != want[i] {
			t.Errorf("%s %s: valid should be %v, the loader says %v, generated code %v %s",
				questions[i].URN, questions[i].Document, want[i], accepted[i], a.Rules == nil, a.Error)
		}
	}
}

// formatURN is a URN with one field of a format.
func formatURN(name string, examples ...any) map[string]any {
	value := map[string]any{"type": "string", "format": name}
	return map[string]any{
		"queue": "all", "examples": append([]any{}, examples...),
		"data": map[string]any{
			"type": "object", "required": []any{"value"}, "properties": map[string]any{"value": value},
		},
	}
}

// loaderAccepts reports whether a catalog may have the value as an example.
func loaderAccepts(t *testing.T, name, value string) bool {
	t.Helper()
	urns := map[string]any{"urn:a": formatURN(name, map[string]any{"value": value})}
	_, findings := load.Parse("urns.yaml", catalogText(map[string]any{}, urns))
	for _, d := range findings {
		if d.Rule != schema.RuleExample {
			t.Fatalf("%s %q: %v", name, value, findings)
		}
	}
	return len(findings) == 0
}
