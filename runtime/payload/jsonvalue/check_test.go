package jsonvalue_test

import (
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/runtime/payload"
	"github.com/babelqueue/bqgen/runtime/payload/jsonvalue"
)

func TestProblemsHaveAPlaceAndARule(t *testing.T) {
	s := jsonvalue.New(`{"anyOf": [{"required": ["a"]}, {"required": ["b"]}],
		"properties": {"n": {"type": ["integer", "null"]}, "l": {"contains": {"const": 1}}, "o": {"$ref": "#/$defs/O"}},
		"propertyNames": {"maxLength": 3}, "$defs": {"O": {"additionalProperties": false, "required": ["x"]}}}`)
	for text, want := range map[string]string{
		`{"a": 1}`:                           "",
		`{}`:                                 " anyOf",
		`{"a": 1, "n": "x"}`:                 "/n type",
		`{"b": 1, "l": [2]}`:                 "/l contains",
		`{"b": 1, "o": {"y": 1}}`:            "/o/x required, /o/y additionalProperties",
		`{"b": 1, "long": 1}`:                "/long propertyNames",
		`{"b": 1, "n": [1e9999999999]}`:      "/n/0 range",
		`{"b": 1, "n": 1e-9999999999}`:       "/n range",
		`{"b": 0e9999999999, "n": 1e2}`:      "",
		`{"b": 1, "n": "x", "n": null}`:      "",
		`{"b": {"c": ` + digits(1001) + `}}`: "/b/c range",
	} {
		var found []string
		for _, p := range s.Check([]byte(text)) {
			where := ""
			for _, name := range p.Path {
				where += "/" + name
			}
			found = append(found, where+" "+p.Rule)
		}
		if got := strings.Join(found, ", "); got != want {
			t.Errorf("%.60s: got %q, want %q", text, got, want)
		}
	}
}

// A message says what the keyword asks for.
func TestProblemsSayWhatIsWanted(t *testing.T) {
	for _, c := range []struct{ schema, text, want string }{
		{`{"format": "date"}`, `"x"`, "want text of the format date"},
		{`{"pattern": "^a$"}`, `"x"`, `want text with the pattern "^a$"`},
		{`{"minLength": 3}`, `"x"`, "want at least 3 characters"},
		{`{"multipleOf": 0.25}`, `0.3`, "want a multiple of 0.25"},
		{`{"exclusiveMaximum": 10}`, `10`, "want a number below 10"},
		{`{"maxItems": 1}`, `[1, 2]`, "want at most 1 items"},
		{`{"uniqueItems": true}`, `[1, 2, 1.0]`, "has the same item at 0 and 2"},
		{`{"enum": [1, "a"]}`, `2`, "want a value that enum lists"},
		{`{"contains": {"const": 1}}`, `[]`, "want an item of the schema of contains"},
		{`{"dependentRequired": {"a": ["b"]}}`, `{"a": 1}`, `with the member "a", also wants ["b"]`},
		{`{"oneOf": [{"minimum": 1}, {"maximum": 3}, false]}`, `2`,
			"want a value of exactly one of the schemas of oneOf: 1 and 2 hold"},
		{`{"oneOf": [false, false]}`, `2`,
			"want a value of exactly one of the schemas of oneOf: none holds"},
	} {
		problems := jsonvalue.New(c.schema).Check([]byte(c.text))
		if len(problems) != 1 || problems[0].Message != c.want {
			t.Errorf("%s of %s: %+v, want %s", c.text, c.schema, problems, c.want)
		}
	}
}

// A schema that refers to itself from several branches is evaluated again and again inside each: that has a limit. One
// that does so in one branch, and values that are not nested deeply, have none.
func TestCheckingRecursiveBranchesHasALimit(t *testing.T) {
	const twice = `{"$ref": "#/$defs/T", "$defs": {"T": {"oneOf": [
		{"required": ["a"], "properties": {"n": {"$ref": "#/$defs/T"}}},
		{"required": ["m"], "properties": {"n": {"$ref": "#/$defs/T"}}}]}}}`
	const once = `{"$ref": "#/$defs/T", "$defs": {"T": {"oneOf": [
		{"required": ["m"], "properties": {"n": {"$ref": "#/$defs/T"}, "o": {"$ref": "#/$defs/T"}}},
		{"required": ["a"]}]}}}`
	nested := func(n int) string {
		return strings.Repeat(`{"m": 1, "n":`, n) + `{"m": 1}` + strings.Repeat("}", n)
	}
	wide := "[" + strings.Repeat(nested(3)+", ", 200) + `{"m": 1}]`
	items := strings.Replace(twice, `{"$ref": "#/$defs/T",`, `{"items": {"$ref": "#/$defs/T"},`, 1)
	for _, c := range []struct{ schema, text, rule string }{
		{twice, nested(9), ""},
		{twice, nested(400), payload.RuleDepth},
		{once, nested(400), ""},
		{items, wide, ""},
	} {
		rule := ""
		if problems := jsonvalue.New(c.schema).Check([]byte(c.text)); len(problems) > 0 {
			rule = problems[0].Rule
		}
		if rule != c.rule {
			t.Errorf("%.70s of %.40s: got %q, want %q", c.text, c.schema, rule, c.rule)
		}
	}
}

func digits(n int) string { return strings.Repeat("1", n) }

// Values inside each other are checked again and again: a payload cannot make that cost more than its size deserves.
func TestCheckingDeepPayloadsHasALimit(t *testing.T) {
	s := jsonvalue.New(`{"not": {"type": "null"}}`)
	const depth = 900
	text := strings.Repeat(`{"a":`, depth) + `"` + strings.Repeat("x", 1<<20) + `"` + strings.Repeat("}", depth)
	var decode func(d *payload.Decoder)
	decode = func(d *payload.Decoder) {
		d.Conforms(s)
		for range d.Object {
			decode(d)
		}
	}
	err := payload.Unmarshal([]byte(text), decode)
	if err == nil || !strings.Contains(err.Error(), "nested too deeply to be checked") {
		t.Errorf("got %v", err)
	}
}
