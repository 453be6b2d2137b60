package payload

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// What follows is what bqgen generates, by hand, so that the codec is tested the way it is used.

type testLevel string

func (v testLevel) Valid() bool { return v == "low" || v == "high" }

func (v *testLevel) EncodeJSON(e *Encoder) { EncodeEnum(e, *v) }
func (v *testLevel) DecodeJSON(d *Decoder) { DecodeEnum(d, v) }

type testLine struct {
	SKU string
	Qty int64
}

func (v *testLine) EncodeJSON(e *Encoder) {
	if !e.BeginObject() {
		return
	}
	e.Member("sku").String(v.SKU)
	e.Member("qty").Int64(v.Qty)
	e.EndObject()
}

func (v *testLine) DecodeJSON(d *Decoder) {
	*v = testLine{}
	d.Require("sku", "qty")
	for name := range d.Object {
		switch string(name) {
		case "sku":
			d.String(&v.SKU)
		case "qty":
			d.Int64(&v.Qty)
		}
	}
}

type testOrder struct {
	ID     int64
	Note   *string
	Price  float64
	Paid   bool
	At     time.Time
	Ref    *uuid.UUID
	Level  testLevel
	Tags   []string
	Lines  []testLine
	Grid   [][]int64
	Levels []testLevel
	Parent *testOrder
}

func (v *testOrder) EncodeJSON(e *Encoder) {
	if !e.BeginObject() {
		return
	}
	e.Member("id").Int64(v.ID)
	if v.Note != nil {
		e.Member("note").String(*v.Note)
	}
	e.Member("price").Float64(v.Price)
	e.Member("paid").Bool(v.Paid)
	if !v.At.IsZero() {
		e.Member("at").Time(v.At)
	}
	if v.Ref != nil {
		e.Member("ref").UUID(*v.Ref)
	}
	v.Level.EncodeJSON(e.Member("level"))
	EncodeArray(e.Member("tags"), v.Tags, (*Encoder).String)
	if v.Lines != nil {
		EncodeArrayOf(e.Member("lines"), v.Lines)
	}
	if v.Grid != nil {
		EncodeArray(e.Member("grid"), v.Grid, func(e *Encoder, v []int64) { EncodeArray(e, v, (*Encoder).Int64) })
	}
	if v.Levels != nil {
		EncodeArrayOf(e.Member("levels"), v.Levels)
	}
	if v.Parent != nil {
		v.Parent.EncodeJSON(e.Member("a/b~"))
	}
	e.EndObject()
}

func (v *testOrder) DecodeJSON(d *Decoder) {
	*v = testOrder{}
	d.Require("id", "price", "paid", "level", "tags")
	for name := range d.Object {
		switch string(name) {
		case "id":
			d.Int64(&v.ID)
		case "note":
			v.Note = new(string)
			d.String(v.Note)
		case "price":
			d.Float64(&v.Price)
		case "paid":
			d.Bool(&v.Paid)
		case "at":
			d.Time(&v.At)
		case "ref":
			v.Ref = new(uuid.UUID)
			d.UUID(v.Ref)
		case "level":
			v.Level.DecodeJSON(d)
		case "tags":
			DecodeArray(d, &v.Tags, (*Decoder).String)
		case "lines":
			DecodeArrayOf(d, &v.Lines)
		case "grid":
			DecodeArray(d, &v.Grid, func(d *Decoder, v *[]int64) { DecodeArray(d, v, (*Decoder).Int64) })
		case "levels":
			DecodeArrayOf(d, &v.Levels)
		case "a/b~":
			v.Parent = new(testOrder)
			v.Parent.DecodeJSON(d)
		}
	}
}

func decodeOrder(text string) (testOrder, error) {
	var v testOrder
	err := Unmarshal([]byte(text), v.DecodeJSON)
	return v, err
}

// violations returns the violations in err as lines of pointer, rule, message and value.
func violations(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var pe *Error
	if !errors.As(err, &pe) {
		t.Fatalf("got %T %v, want a *Error", err, err)
	}
	var lines []string
	for _, v := range pe.Violations {
		lines = append(lines, fmt.Sprintf("%s %s %s | %s", v.Pointer, v.Rule, v.Message, v.Value))
	}
	if pe.More > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", pe.More))
	}
	return lines
}

const (
	minimal = `{"id":1,"price":2.5,"paid":true,"level":"low","tags":[]}`
	full    = `{"id":-9223372036854775808,"note":"a \"b\"","price":1e-7,"paid":false,"at":"2026-02-03T04:05:06.7+02:00",` +
		`"ref":"0f8fad5b-d9cb-469f-a165-70867728950e","level":"high","tags":["x",""],` +
		`"lines":[{"sku":"s","qty":2}],"grid":[[1,2],[]],"levels":["low"],"a/b~":` + minimal + `}`
)

func TestPayloadsRoundTrip(t *testing.T) {
	for _, text := range []string{minimal, full} {
		v, err := decodeOrder(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Marshal(v.EncodeJSON)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(text, string(got)); diff != "" {
			t.Errorf("after decoding and encoding (-want +got):\n%s", diff)
		}
	}
}

func TestDecoderReadsWhatTheContractAccepts(t *testing.T) {
	with := func(member string) string { return strings.TrimSuffix(minimal, "}") + "," + member + "}" }
	for name, tt := range map[string]struct {
		text string
		got  func(testOrder) any
		want any
	}{
		"integer as 1.0": {with(`"id":7.0`), func(v testOrder) any { return v.ID }, int64(7)},
		"integer as 1e3": {with(`"id":1e3`), func(v testOrder) any { return v.ID }, int64(1000)},
		"integer beyond 2^53 (NUM-2)": {
			with(`"id":9007199254740993`), func(v testOrder) any { return v.ID }, int64(9007199254740993),
		},
		"last duplicate wins (ACC-11)": {with(`"id":5,"id":6`), func(v testOrder) any { return v.ID }, int64(6)},
		"wrong duplicate is overridden": {
			with(`"note":5,"note":"n"`), func(v testOrder) any { return *v.Note }, "n",
		},
		"duplicate array is replaced": {
			with(`"tags":["a","b"],"tags":["c"]`), func(v testOrder) any { return v.Tags }, []string{"c"},
		},
		"duplicate of wrong nested is replaced": {
			with(`"lines":[{"sku":1}],"lines":[]`), func(v testOrder) any { return v.Lines }, []testLine{},
		},
		"array after a fault that is overridden": {
			with(`"note":5,"tags":["a","b"],"note":"n"`), func(v testOrder) any { return v.Tags },
			[]string{"a", "b"},
		},
		"array with faults that are overridden": {
			with(`"lines":[{"sku":1,"qty":1,"sku":"a"},{"sku":2,"qty":2,"sku":"b"}]`),
			func(v testOrder) any { return v.Lines }, []testLine{{"a", 1}, {"b", 2}},
		},
		"escaped name (ENV-12)":           {with(`"n\u006fte":"n"`), func(v testOrder) any { return *v.Note }, "n"},
		"name in another case is unknown": {with(`"Note":5`), func(v testOrder) any { return v.Note }, (*string)(nil)},
		"unknown members": {
			with(`"x":{"a":[1,{}]},"":null`), func(v testOrder) any { return v.ID }, int64(1),
		},
		"escapes": {
			with(`"note":"\u00e9\ud83d\ude00\/\n"`), func(v testOrder) any { return *v.Note }, "é😀/\n",
		},
		"lone surrogate": {
			with(`"note":"a\ud800"`), func(v testOrder) any { return *v.Note }, "a\ufffd",
		},
		"whitespace": {
			" \r\n{ \"id\" : 1 ,\t\"price\":2,\"paid\":true,\"level\":\"low\",\"tags\": [ \"a\" , \"b\" ] } ",
			func(v testOrder) any { return v.Tags }, []string{"a", "b"},
		},
		"empty array is not nil": {minimal, func(v testOrder) any { return v.Tags != nil }, true},
		"absent array is nil":    {minimal, func(v testOrder) any { return v.Lines == nil }, true},
		"upper-case UUID": {
			with(`"ref":"0F8FAD5B-D9CB-469F-A165-70867728950E"`),
			func(v testOrder) any { return v.Ref.String() }, "0f8fad5b-d9cb-469f-a165-70867728950e",
		},
		"lower-case t and z": {
			with(`"at":"2026-02-03t04:05:06z"`), func(v testOrder) any { return v.At },
			time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC),
		},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := decodeOrder(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, tt.got(v)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecoderReportsEveryViolation(t *testing.T) {
	with := func(member string) string { return strings.TrimSuffix(minimal, "}") + "," + member + "}" }
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"all that is missing, in catalog order": {
			`{"price":1}`,
			[]string{
				"/id required is required but missing | ", "/paid required is required but missing | ",
				"/level required is required but missing | ", "/tags required is required but missing | ",
			},
		},
		"several kinds at once": {
			with(`"note":1,"lines":[{"sku":"s","qty":1.5},5,{"sku":null,"qty":"x"}],"at":"noon"`),
			[]string{
				"/note type want a string | 1", "/lines/0/qty type want an integer | 1.5",
				"/lines/1 type want an object | 5",
				"/lines/2/sku type want a string | null", `/lines/2/qty type want an integer | "x"`,
				`/at format want a date-time by RFC 3339 | "noon"`,
			},
		},
		"null for a required member":  {with(`"id":null`), []string{"/id type want an integer | null"}},
		"null for an optional member": {with(`"note":null`), []string{"/note type want a string | null"}},
		"null for an array":           {with(`"lines":null`), []string{"/lines type want an array | null"}},
		"integer out of range": {
			with(`"id":9223372036854775808`),
			[]string{"/id range want an integer of 64 bits | 9223372036854775808"},
		},
		"integer far out of range": {
			with(`"id":1e999999999999`), []string{"/id range want an integer of 64 bits | 1e999999999999"},
		},
		"number out of range": {
			with(`"price":-1e400`), []string{"/price range want a number that a float64 can hold | -1e400"},
		},
		"number as a string":  {with(`"price":"2"`), []string{`/price type want a number | "2"`}},
		"boolean as a number": {with(`"paid":1`), []string{"/paid type want true or false | 1"}},
		"enum": {
			with(`"level":"Low"`), []string{`/level enum want a value of the enum | "Low"`},
		},
		"enum of another type": {with(`"level":{}`), []string{`/level type want a string | an object`}},
		"UUID with braces": {
			with(`"ref":"{0f8fad5b-d9cb-469f-a165-70867728950e}"`),
			[]string{`/ref format want a UUID of 36 characters | "{0f8fad5b-d9cb-469f-a165-70867728950e}"`},
		},
		"UUID without hyphens": {
			with(`"ref":"0f8fad5bd9cb469fa16570867728950e"`),
			[]string{`/ref format want a UUID of 36 characters | "0f8fad5bd9cb469fa16570867728950e"`},
		},
		"not an object": {`[{"id":1}]`, []string{" type want an object | an array"}},
		"pointer is escaped and the path nested": {
			with(`"a/b~":` + with(`"grid":[[1],[2,true]]`)),
			[]string{"/a~1b~0/grid/1/1 type want an integer | true"},
		},
		"a long value is cut": {
			with(`"id":"` + strings.Repeat("é", 100) + `"`),
			[]string{`/id type want an integer | "` + strings.Repeat("é", 40) + `"…`},
		},
		"the last duplicate is the wrong one": {with(`"note":"n","note":5`), []string{"/note type want a string | 5"}},
		"a missing member of the last duplicate": {
			with(`"a/b~":` + minimal + `,"a/b~":{"id":1,"price":1,"paid":true,"level":"low"}`),
			[]string{
				"/a~1b~0/tags required is required but missing | ",
			},
		},
		"faults are taken back in any order": {
			with(`"note":1,"ref":1,"at":1,"note":"n","lines":1,"at":2,"ref":"x"`),
			[]string{
				"/lines type want an array | 1", "/at type want a date-time as a string | 2",
				`/ref format want a UUID of 36 characters | "x"`,
			},
		},
		"duplicates of several wrong members": {
			with(`"note":1,"ref":1,"ref":2,"note":"n"`), []string{"/ref type want a UUID as a string | 2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decodeOrder(tt.text)
			if diff := cmp.Diff(tt.want, violations(t, err)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecoderStopsWhereTheTextIsNoJSON(t *testing.T) {
	for text, want := range map[string]string{
		``:                     " syntax cannot be read: unexpected end of text, want a value at byte 0 | ",
		`{"id":1,}`:            "/id syntax",
		`{"id":nope}`:          "/id",
		`{"id":01}`:            "/id syntax",
		`{"id":1 "x":2}`:       "/id syntax",
		`{"id":`:               "/id syntax",
		`{"note":"\x"}`:        "/note syntax",
		"{\"note\":\"\xff\"}":  "/note syntax",
		`{"lines":[{"sku":"s"`: "/lines/0/sku syntax",
		`{"unknown":[}`:        "/unknown syntax",
		minimal + `x`:          " syntax cannot be read: text after the payload",
		minimal + minimal:      " syntax cannot be read: text after the payload",
		`{"paid":tru`:          "/paid syntax",
		`{"paid":trueish}`:     "/paid syntax",
		`{"id":1x}`:            "/id syntax",
	} {
		_, err := decodeOrder(text)
		got := violations(t, err)
		if len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: got %q, want one violation that starts with %q", text, got, want)
		}
	}
}

func TestDecoderKeepsFewOfManyViolations(t *testing.T) {
	many := strings.TrimSuffix(minimal, "}") + `,"tags":[` + strings.Repeat("1,", 99_999) + `1]`
	_, err := decodeOrder(many + "}")
	var pe *Error
	if !errors.As(err, &pe) || len(pe.Violations) != maxViolations || pe.More != 100_000-maxViolations {
		t.Errorf(
			"got %d violations and %d more, want %d and %d", len(pe.Violations), pe.More, maxViolations,
			100_000-maxViolations,
		)
	}
	if _, err := decodeOrder(many + `,"tags":[]}`); err != nil {
		t.Errorf("with a good duplicate after it: %v", err)
	}
}

func TestDecoderDoesNotKeepElementsOfAWrongArray(t *testing.T) {
	v, err := decodeOrder(strings.TrimSuffix(minimal, "}") + `,"lines":[` + strings.Repeat("{},", 99_999) + `{}]}`)
	if err == nil || cap(v.Lines) > 8 {
		t.Errorf("got %v and room for %d elements, want an error and only a few", err, cap(v.Lines))
	}
}

func TestDecoderIsNotSlowedByWrongDuplicatesDeepInside(t *testing.T) {
	const levels, repeats = 900, 200_000
	text := strings.Repeat(`{"a/b~":`, levels) + `{` + strings.Repeat(
		`"id":"x",`, repeats,
	) + `"id":"x"}` + strings.Repeat("}", levels)
	start := time.Now()
	_, err := decodeOrder(text)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	var pe *Error
	// What the levels lack, and the last "id".
	if want := levels*5 + 4 + 1; !errors.As(err, &pe) || len(pe.Violations)+pe.More != want {
		t.Errorf("got %d violations, want %d", len(pe.Violations)+pe.More, want)
	}
	if _, err := decodeOrder(`{` + strings.Repeat(`"id":"x",`, 2*maxShown) + minimal[1:]); err != nil {
		t.Errorf("the last duplicate is right: %v", err)
	}
	_, err = decodeOrder(minimal[:len(minimal)-1] + strings.Repeat(`,"id":"x"`, 2*maxShown) + `}`)
	if got := violations(t, err); len(got) != 1 || !strings.HasPrefix(got[0], " syntax repeats its members too often") {
		t.Errorf("got %q, want one violation that says why there is no more", got)
	}
}

func TestDecoderLimitsNesting(t *testing.T) {
	nested := func(levels int) string {
		open := strings.TrimSuffix(minimal, "}") + `,"a/b~":`
		return strings.Repeat(open, levels-1) + minimal + strings.Repeat("}", levels-1)
	}
	// The arrays in each level make it one deeper.
	if _, err := decodeOrder(nested(maxPayloadDepth - 1)); err != nil {
		t.Errorf("998 objects and an array: %v", err)
	}
	_, err := decodeOrder(nested(maxPayloadDepth + 1))
	found := violations(t, err)
	if len(found) == 0 || !strings.Contains(found[len(found)-1], " depth is nested too deeply") {
		t.Errorf("1000 objects: got %q, want a depth violation", found)
	}
	if _, err := decodeOrder(strings.Repeat("[", 100_000)); err == nil {
		t.Error("100000 open brackets are accepted")
	}
	if _, err := decodeOrder(strings.Repeat(`{"a/b~":`, 100_000)); err == nil {
		t.Error("100000 open objects are accepted")
	}
}

func TestDecoderIsReusable(t *testing.T) {
	var d Decoder
	var v testOrder
	for range 3 {
		d.Reset([]byte(`{"id":"x"`))
		v.DecodeJSON(&d)
		first := d.Finish()
		if first == nil {
			t.Fatal("no error")
		}
		d.Reset([]byte(minimal))
		v.DecodeJSON(&d)
		if err := d.Finish(); err != nil {
			t.Fatal(err)
		}
		if got := len(violations(t, first)); got != 2 {
			t.Errorf("the first error has %d violations now, want 2", got)
		}
	}
}

func TestOnlyTheLastOfDuplicatesCounts(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := drawOrder(r, 3)
		v, err := decodeOrder(text)
		last, lastErr := decodeOrder(withoutDuplicates(t, text))
		got, want := violations(t, err), violations(t, lastErr)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			r.Fatalf("%s\nviolations (-without duplicates +with):\n%s", text, diff)
		}
		if diff := cmp.Diff(last, v); err == nil && diff != "" {
			r.Fatalf("%s\n(-without duplicates +with):\n%s", text, diff)
		}
	})
}

// drawOrder draws an object with some members of testOrder, some of them wrong, some repeated.
func drawOrder(r *rapid.T, depth int) string {
	names := []string{"id", "note", "price", "paid", "at", "level", "tags", "lines", "grid", "levels", "a/b~", "unknown"}
	values := []string{
		`1`, `"n"`, `true`, `"low"`, `null`, `[]`, `["a","b"]`, `[1,2]`, `[[1],["x"]]`, `["low","middle"]`, `{}`,
		`"2026-02-03T04:05:06Z"`, `[{"sku":"s","qty":1},{"sku":1,"sku":"t","qty":"x"}]`,
	}
	var members []string
	if depth > 1 && rapid.Bool().Draw(r, "complete") {
		members = append(members, minimal[1:len(minimal)-1])
	}
	for range rapid.IntRange(0, 6).Draw(r, "members") {
		name, value := rapid.SampledFrom(names).Draw(r, "name"), rapid.SampledFrom(values).Draw(r, "value")
		if depth > 0 && name == "a/b~" {
			value = drawOrder(r, depth-1)
		}
		members = append(members, strconv.Quote(name)+":"+value)
	}
	return "{" + strings.Join(members, ",") + "}"
}

func FuzzDecoder(f *testing.F) {
	for _, seed := range []string{
		minimal, full, `{"id":1,"id":"x"}`, `{"lines":[{}]}`, `{"a/b~":{"a/b~":{}}}`, `[`, `{"tags":["\ud800`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := decodeOrder(text)
		if err != nil {
			if pe := err.(*Error); len(pe.Violations)+pe.More < 1 || len(pe.Error()) > 3000 {
				t.Fatalf("%d violations, %d more: %s", len(pe.Violations), pe.More, pe)
			}
			return
		}
		if last, err := decodeOrder(withoutDuplicates(t, text)); err != nil || !cmp.Equal(v, last) {
			t.Fatalf("without duplicates: %v\n(-with +without):\n%s", err, cmp.Diff(v, last))
		}
		encoded, err := Marshal(v.EncodeJSON)
		if err != nil {
			t.Fatalf("decoded but not encoded: %v", err)
		}
		again, err := decodeOrder(string(encoded))
		if err != nil {
			t.Fatalf("%s: %v", encoded, err)
		}
		if diff := cmp.Diff(v, again); diff != "" {
			t.Fatalf("after encoding and decoding (-want +got):\n%s", diff)
		}
	})
}

// withoutDuplicates returns text as encoding/json understands it, for which the last of duplicates counts, too.
func withoutDuplicates(t *testing.T, text string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
