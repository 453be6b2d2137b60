package uniqueitems

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

func decode(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func compile(t *testing.T, schema string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource("https://bqgen.invalid/a", decode(t, schema)); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("https://bqgen.invalid/a")
}

// A text of a few bytes can take a millisecond to compile.
func TestNoTextIsCompiledForTheFormatRegex(t *testing.T) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseRegexpEngine(func(s string) (jsonschema.Regexp, error) {
		t.Errorf("compiles %q", s)
		return regexp.Compile(s)
	})
	if err := c.AddResource("https://bqgen.invalid/a", decode(t, `{"items": {"format": "regex"}}`)); err != nil {
		t.Fatal(err)
	}
	s := c.MustCompile("https://bqgen.invalid/a")
	new(Judge).TakeOver(s)
	if err := s.Validate([]any{"(?i)[!-\U00010000]", 1}); err != nil {
		t.Error(err)
	}
	if err := s.Validate([]any{"("}); err == nil {
		t.Error("( is a regular expression")
	}
}

// What is equal is what the library takes for equal.
func TestEqualItems(t *testing.T) {
	const schema = `{"uniqueItems": true}`
	library, ours := compile(t, schema), compile(t, schema)
	new(Judge).TakeOver(ours)
	if ours.UniqueItems || len(ours.Extensions) != 1 {
		t.Fatal("the library judges uniqueItems")
	}
	values := []string{
		`null`, `true`, `false`, `""`, `"a"`, `"null"`, `0`, `-0`,
		`0.0`, `0e5`, `1`, `-1`, `1.0`, `10e-1`, `0.1`, `1e300`, `258`,
		`0.5`, `[]`, `[[]]`, `[[],[]]`, `[[[]]]`,
		`{}`, `[{}]`, `{"a":[]}`, `{"a":null}`, `{"a":1,"b":2}`, `{"b":2.0,"a":1}`,
		`{"b":1,"a":2}`, `["a","b"]`, `["a\u0004b"]`, `["b","a"]`, `[1,"a"]`,
		`["1a"]`, `"1"`, `{"a":"b"}`, `["a",["b"]]`, `[["a"],"b"]`,
	}
	for _, a := range values {
		for _, b := range values {
			for _, text := range []string{"[" + a + "," + b + "]", `[["x"],` + a + `,"z",` + b + "," + a + "]"} {
				items := decode(t, text)
				want, got := library.Validate(items), ours.Validate(items)
				if fmt.Sprint(want) != fmt.Sprint(got) {
					t.Errorf("%s: %v, want %v", text, got, want)
				}
			}
		}
	}
	if err := ours.Validate(decode(t, `{"a":1}`)); err != nil {
		t.Errorf("an object: %v", err)
	}
}

// Wherever a schema can be in another one.
func TestAllSchemasAreTakenOver(t *testing.T) {
	for _, draft := range []string{"draft-07/schema#", "draft/2020-12/schema"} {
		scheme := "https"
		if strings.HasPrefix(draft, "draft-") {
			scheme = "http"
		}
		for _, keyword := range []string{
			`"not": §`, `"if": §, "then": false`, `"if": true, "then": §`,
			`"if": false, "else": §`, `"allOf": [§]`, `"anyOf": [§]`,
			`"oneOf": [§]`, `"propertyNames": §`,
			`"properties": {"a": §}`, `"patternProperties": {"^a": §}`,
			`"additionalProperties": §`, `"dependentSchemas": {"a": §}`,
			`"unevaluatedProperties": §`, `"contains": §`, `"items": §`,
			`"prefixItems": [§]`, `"unevaluatedItems": §`, `"$ref": "#/$defs/s", "$defs": {"s": §}`,
			`"$dynamicRef": "#s", "$defs": {"s": {"$dynamicAnchor": "s", "allOf": [§]}}`,
			`"dependencies": {"a": §}`,
			`"items": [§]`, `"items": [true], "additionalItems": §`,
		} {
			if strings.Contains(draft, "2020") == (strings.Contains(keyword, "dependencies") ||
				strings.Contains(keyword, `"items": [`)) && strings.Contains(keyword, "s\": [") {
				continue // of the other draft
			}
			text := `{"$schema": "` + scheme + `://json-schema.org/` + draft + `", ` +
				strings.ReplaceAll(keyword, "§", `{"properties": {"x": {"uniqueItems": true}}}`) + "}"
			s := compile(t, text)
			before := count(s, map[*jsonschema.Schema]bool{})
			new(Judge).TakeOver(s)
			if after := count(s, map[*jsonschema.Schema]bool{}); after != 0 {
				t.Errorf("%s: %d of %d uniqueItems are left to the library", text, after, before)
			}
		}
	}
}

// A schema is taken over once, however it is reached.
func TestAJudgeMeetsASchemaOnce(t *testing.T) {
	s := compile(t, `{"uniqueItems": true, "items": {"$ref": "#"}, "anyOf": [{"$ref": "#"}, true]}`)
	var j Judge
	j.TakeOver(s)
	j.TakeOver(s)
	if len(s.Extensions) != 1 {
		t.Errorf("%d rules", len(s.Extensions))
	}
	err := s.Validate(decode(t, `[[1, 2, 1.0]]`))
	invalid, ok := err.(*jsonschema.ValidationError)
	if !ok {
		t.Fatalf("error %v", err)
	}
	for len(invalid.Causes) > 0 {
		invalid = invalid.Causes[0]
	}
	if k, ok := invalid.ErrorKind.(*kind.UniqueItems); !ok || k.Duplicates != [2]int{0, 2} {
		t.Errorf("%v", invalid)
	}
}

// trees returns all lists of lists with so many lists inside, which the library's hash does not tell apart.
func trees(n int) (all []any) {
	if n == 0 {
		return []any{[]any{}}
	}
	for i := range n {
		for _, first := range trees(i) {
			for _, rest := range trees(n - 1 - i) {
				all = append(all, append([]any{first}, rest.([]any)...))
			}
		}
	}
	return all
}

// Equal items are found in one pass: what differs is never compared.
func TestItemsThatLookAlikeAreFoundInOnePass(t *testing.T) {
	all := trees(9)
	forms := map[string]bool{}
	for _, tree := range all {
		forms[string(appendForm(nil, tree))] = true
	}
	if len(all) != 4862 || len(forms) != len(all) {
		t.Fatalf("%d values have %d forms", len(all), len(forms))
	}
	s := compile(t, `{"uniqueItems": true}`)
	new(Judge).TakeOver(s)
	if err := s.Validate(all); err != nil {
		t.Error(err)
	}
	if err := s.Validate(append(all, json.Number("1"), all[7])); err == nil {
		t.Error("the last item is equal to an earlier one")
	}
}

// count counts uniqueItems that the library judges, by the names of the fields rather than by the walk that is tested.
func count(s *jsonschema.Schema, met map[*jsonschema.Schema]bool) int {
	n := 0
	for _, part := range schemasIn(s) {
		if !met[part] {
			met[part] = true
			if part.UniqueItems {
				n++
			}
			n += count(part, met)
		}
	}
	return n
}
