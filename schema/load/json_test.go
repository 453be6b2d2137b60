package load

import (
	"strings"
	"testing"
	"testing/fstest"
)

// loadWith loads a catalog of one property that refers to another file.
func loadWith(t *testing.T, ref, name, text string) string {
	t.Helper()
	catalog := "bqgen: 1\npackage: p\nqueues: {q: {}}\nurns:\n  u:\n    queue: q\n" +
		"    data: {type: object, properties: {a: {$ref: '" + ref + "'}}}\n"
	c, findings, err := LoadFS(fstest.MapFS{
		"urns.yaml": {Data: []byte(catalog)}, name: {Data: []byte(text)},
	}, "urns.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if c == nil {
		return textOf(t, findings)
	}
	return dump(c)
}

// Escapes of JSON that YAML does not know, an integer that YAML reads in octal, and a root that says something itself.
func TestJSONFilesAreReadAsJSON(t *testing.T) {
	for _, test := range []struct{ ref, text, want string }{
		{"a.json#/$defs/A", `{"$defs": {"A": {"type": "string", "pattern": "^https:\/\/"}}}`, "^https://"},
		{"a.json#/$defs/A", `{"$defs": {"A": {"enum": ["\ud83d\ude42"]}}}`, "\U0001f642"},
		{"a.json#/$defs/A", `{"$id": "https://x/y", "type": "object", "properties": {"size": {"$ref": "#/$defs/A"}},
			"definitions": {}, "$defs": {"A": {"type": "integer", "maximum": 7}}}`, "7"},
		{"a.json", `{"title": "Whole", "type": "object", "properties": {"s": {"$ref": "#/$defs/A"}, "me": {"$ref": "#"}},
			"$defs": {"A": {"type": "integer", "maximum": 7}}}`, `-> "a"`},
		{"a.json#", `{"type": "string", "description": "# no comment"}`, `-> "a"`},
	} {
		if got := loadWith(t, test.ref, "a.json", test.text); !strings.Contains(got, test.want) {
			t.Errorf("%s of %s: got\n%s", test.ref, test.text, got)
		}
	}
}

func TestFaultsOfJSONHaveAPlace(t *testing.T) {
	const want = "a.json:2:8: not valid JSON"
	got := loadWith(t, "a.json#/$defs/A", "a.json", "{\n  \"ü\": 01}")
	if !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}
