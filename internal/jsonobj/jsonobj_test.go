package jsonobj

import (
	"encoding/json"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDocumentsAreWrittenForPeople(t *testing.T) {
	doc := Object{
		{"a", "x"}, {"no", json.Number("1.50")}, {"empty", Object{}}, {"none", []any{}},
		{"list", []any{nil, true, 3, Object{{"b", "1"}, {"c", Object{{"d", "e"}}}}, []any{"x", []any{}}}},
		{"a: b", "line\nend"}, {"$ref", "#/x"}, {"", "\u202e\x7f\u2028👍<&>\U000e0041"},
	}
	const wantJSON = `{
  "a": "x",
  "no": 1.50,
  "empty": {},
  "none": [],
  "list": [
    null,
    true,
    3,
    {
      "b": "1",
      "c": {
        "d": "e"
      }
    },
    [
      "x",
      []
    ]
  ],
  "a: b": "line\nend",
  "$ref": "#/x",
  "": "\u202e\u007f\u2028👍<&>\udb40\udc41"
}
`
	const wantYAML = `a: "x"
"no": 1.50
empty: {}
none: []
list:
  - null
  - true
  - 3
  - b: "1"
    c:
      d: "e"
  -
    - "x"
    - []
"a: b": "line\nend"
$ref: "#/x"
"": "\u202e\u007f\u2028👍<&>\udb40\udc41"
`
	if diff := cmp.Diff(wantJSON, string(doc.JSON())); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantYAML, string(doc.YAML())); diff != "" {
		t.Errorf("YAML (-want +got):\n%s", diff)
	}
	if got := doc.Without("list", "a").Get("list"); got != nil {
		t.Errorf("left: %v", got)
	}
	if got := doc.Get("a"); got != "x" {
		t.Errorf("got %v", got)
	}
}

func TestWhatIsWrittenReadsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		doc := Object{{text, text}, {"list", []any{text, json.Number("12345678901234567890.10"), nil, false}}}
		written := doc.JSON()
		got, err := Parse(written)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(any(doc), got); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
		for _, r := range string(written) {
			if r != '\n' && !unicode.IsGraphic(r) {
				t.Fatalf("%q contains %U", written, r)
			}
		}
	})
}

func TestInvalidJSONIsAnError(t *testing.T) {
	for _, text := range []string{"", "{", `{"a":`, `[1`, `{"a":1,}`, "nope"} {
		if v, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q gave %v", text, v)
		}
	}
}

func TestRawJSONIsLaidOutLikeTheRest(t *testing.T) {
	doc := Object{{"a", json.RawMessage(`{"b":[1,{"c":"\u202e"}]}`)}}
	const wantJSON = "{\n  \"a\": {\n    \"b\": [\n" +
		"      1,\n      {\n        \"c\": \"\\u202e\"\n      }\n    ]\n  }\n}\n"
	if diff := cmp.Diff(wantJSON, string(doc.JSON())); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("a:\n  b:\n    - 1\n    - c: \"\\u202e\"\n", string(doc.YAML())); diff != "" {
		t.Errorf("YAML (-want +got):\n%s", diff)
	}
}
