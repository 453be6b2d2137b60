package source

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
)

func readJSON(src string) (*Node, schema.Diagnostics) {
	findings := &Findings{}
	r := NewReader(findings)
	n := r.ReadJSON(File{Name: "a.json", What: "the file"}, []byte(src))
	return n, findings.Diagnostics(r.Places)
}

func TestJSONText(t *testing.T) {
	for _, src := range []string{
		`{}`, `[]`, `"a"`, ` [1, -2.5e+3, true, false, null] `, `{"a": {"b": ["\/", "\ud83d\ude42", "\u00e4\n"]}}`,
		"{\"a\":\r\n \"ü\", \"\": 1e2}",
	} {
		n, findings := readJSON(src)
		if n == nil || findings != nil {
			t.Errorf("%s: %v", src, findings)
			continue
		}
		var want any
		dec := json.NewDecoder(strings.NewReader(src))
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if _, got := n.JSON(func(*Node) {}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}

func TestJSONTextFaults(t *testing.T) {
	for src, want := range map[string]string{
		`{"a": 01}`:      `1:7: "01" is no value (yaml-syntax)`,
		`{a: 1}`:         `1:2: a member starts with its name in double quotes, this is "a" (yaml-syntax)`,
		"{\"a\": 1,\n }": `2:2: a member starts with its name in double quotes, this is "}" (yaml-syntax)`,
		"[1\n, 2 3]":     `2:5: an element ends with , or ], this is "3" (yaml-syntax)`,
		`["\ud83d"]`:     `1:3: this escape is none of JSON, or half of a surrogate pair (yaml-syntax)`,
		`["\x41"]`:       `1:3: this escape is none of JSON, or half of a surrogate pair (yaml-syntax)`,
		`["abc`:          `1:2: the string that starts here is not closed (yaml-syntax)`,
		`{} {}`:          `1:4: there is more text after the value (yaml-syntax)`,
		``:               `1:1: a value is missing, this is the end of the file (yaml-syntax)`,
		`{"a": 1, "a": 2}`: "1:10: warning: duplicate member \"a\": " +
			"the first is on line 1, the last one counts (duplicate-key)",
		strings.Repeat("[", 300): `1:257: nested more than 256 levels deep (too-deep)`,
	} {
		_, findings := readJSON(src)
		if len(findings) != 1 || strings.Replace(findings[0].String(), "not valid JSON: ", "", 1) != "a.json:"+want {
			t.Errorf("%.40q: %v\nwant %s", src, findings, want)
		}
	}
}

func FuzzJSONText(f *testing.F) {
	for _, src := range []string{`{"a": [1, "\ud83d\ude42"]}`, `{"a":1,"a":2}`, "[\"\\/\"]\r\n", `[[[`, `"`} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		n, _ := readJSON(src)
		if n != nil && !json.Valid([]byte(strings.TrimPrefix(src, bom))) {
			t.Errorf("%q is not JSON", src)
		}
	})
}
