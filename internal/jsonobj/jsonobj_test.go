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

func TestCompactJSONEscapesOnlyWhatItMust(t *testing.T) {
	doc := Object{
		{"b", json.RawMessage(`{"z":1.50,"a":[]}`)},
		{"a", []any{nil, true, false, 3, json.Number("1e400"), Object{}, []any{}}},
		{"\u202e\"", "\b\f\n\r\t\x01\\<&>\u2028é"},
	}
	const want = `{"b":{"z":1.50,"a":[]},"a":[null,true,false,3,1e400,{},[]],` + "\"\u202e\\\"\"" +
		`:"\b\f\n\r\t\u0001\\<&>` + "\u2028é\"}"
	if diff := cmp.Diff(want, string(doc.Compact())); diff != "" {
		t.Errorf("compact JSON (-want +got):\n%s", diff)
	}
	defer func() {
		if recover() == nil {
			t.Error("a channel was written")
		}
	}()
	AppendCompact(nil, make(chan int))
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

// A plain value is what decoding the compact JSON gives.
func TestPlainValuesAreDecodedJSON(t *testing.T) {
	doc := Object{
		{"a", json.RawMessage(`{"z":1.50}`)},
		{"b", []any{nil, true, 3, json.Number("2.0"), "x"}}, {"c", Object{{"d", Object{}}}},
	}
	if diff := cmp.Diff(plainRaw(doc.Compact()), Plain(doc)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
