package payload

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testParcel is a payload with limits, as bqgen generates it.
type testParcel struct {
	Code   string
	Weight float64
	Tags   []string
	Note   Optional[string]
	Labels map[string]string
	Shape  testShape
}

var testCodePattern = NewPattern("^[A-Z]+$")

func (v *testParcel) EncodeJSON(e *Encoder) {
	if !e.BeginObject() {
		return
	}
	e.Member("code").String(v.Code)
	e.Member("weight").Float64(v.Weight)
	EncodeArray(e.Member("tags"), v.Tags, (*Encoder).String)
	if !v.Note.IsZero() {
		EncodeOptional(e.Member("note"), v.Note, (*Encoder).String)
	}
	if v.Labels != nil {
		EncodeMap(e.Member("labels"), v.Labels, (*Encoder).String)
	}
	if v.Shape != nil {
		EncodeUnion(e.Member("shape"), v.Shape)
	}
	e.EndObject()
}

func (v *testParcel) DecodeJSON(d *Decoder) {
	*v = testParcel{}
	d.Require("code", "weight", "tags")
	d.Properties(4, -1)
	for name := range d.Object {
		switch string(name) {
		case "code":
			d.String(&v.Code)
		case "weight":
			d.Float64(&v.Weight)
		case "tags":
			d.UniqueItems()
			DecodeArray(d, &v.Tags, (*Decoder).String)
		case "note":
			DecodeOptional(d, &v.Note, (*Decoder).String)
		case "labels":
			DecodeMap(d, &v.Labels, (*Decoder).String)
		case "shape":
			decodeTestShape(d, &v.Shape)
		}
	}
}

func (v *testParcel) ValidateJSON(c *Validator) {
	if !c.Received() {
		MinProperties(c, 3+Count(!v.Note.IsZero(), v.Labels != nil, v.Shape != nil), 4)
	}
	if !c.BeginObject() {
		return
	}
	MinLength(c.Member("code"), v.Code, 2)
	MaxLength(c.Member("code"), v.Code, 4)
	MatchPattern(c.Member("code"), v.Code, testCodePattern)
	ExclusiveMinimum(c.Member("weight"), v.Weight, 0)
	MultipleOf(c.Member("weight"), v.Weight, "0.01")
	MaxItems(c.Member("tags"), len(v.Tags), 2)
	if !c.Received() {
		UniqueItems(c.Member("tags"), func(e *Encoder) { EncodeArray(e, v.Tags, (*Encoder).String) })
	}
	if v.Note.Value != nil {
		MaxLength(c.Member("note"), *v.Note.Value, 3)
	}
	if v.Labels != nil {
		ValidateMap(c.Member("labels"), v.Labels, func(v *string, c *Validator) { MinLength(c, *v, 1) })
	}
	if v.Shape != nil {
		ValidateUnion(c.Member("shape"), v.Shape)
	}
	c.EndObject()
}

func (v *testParcel) Validate() error { return Validate(v.ValidateJSON, v.EncodeJSON) }

var testParcelCodec = Codec[testParcel]{
	Encode: (*testParcel).EncodeJSON, Decode: (*testParcel).DecodeJSON, Validate: (*testParcel).ValidateJSON,
}

func TestValidateSaysEverythingAtOnce(t *testing.T) {
	for name, tt := range map[string]struct {
		parcel testParcel
		want   []string
	}{
		"too little": {
			testParcel{},
			[]string{
				" minProperties want at least 4 members | 3", `/code minLength want at least 2 characters | ""`,
				`/code pattern want text with the pattern "^[A-Z]+$" | ""`,
				"/weight exclusiveMinimum want more than 0 | 0",
			},
		},
		"characters, not bytes": {
			testParcel{Code: "ÄÖÜ", Weight: 1, Note: Some("👍👍👍👍")},
			[]string{
				`/code pattern want text with the pattern "^[A-Z]+$" | "ÄÖÜ"`,
				`/note maxLength want at most 3 characters | "👍👍👍👍"`,
			},
		},
		"what only the encoder sees": {
			testParcel{Code: "ABCDE", Weight: 0.005, Tags: []string{"\xff"}, Note: Null[string]()},
			[]string{
				`/code maxLength want at most 4 characters | "ABCDE"`,
				"/weight multipleOf want a multiple of 0.01 | 0.005", `/tags/0 utf8 want valid UTF-8 | "\xff"`,
			},
		},
		"equal elements": {
			testParcel{Code: "AB", Weight: 0.07, Tags: []string{"a", "a"}, Labels: map[string]string{}},
			[]string{
				`/tags uniqueItems want no two equal elements | "a"`,
			},
		},
		"maps in order, unions inside": {
			testParcel{
				Code: "AB", Weight: 0.07, Labels: map[string]string{"c": "", "a/": "", "b": "x"},
				Shape: &testGroup{Parts: []testShape{&testCircle{}}},
			},
			[]string{
				`/labels/a~1 minLength want at least 1 characters | ""`,
				`/labels/c minLength want at least 1 characters | ""`,
				"/shape/parts/0/r exclusiveMinimum want more than 0 | 0",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, violations(t, tt.parcel.Validate())); diff != "" {
				t.Errorf("Validate (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, violations(t, testParcelCodec.Check(&tt.parcel))); diff != "" {
				t.Errorf("before it is sent (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReceivedPayloadsAreValidatedAsFarAsTheyCanBeRead(t *testing.T) {
	for text, want := range map[string][]string{
		`{"code":"A","weight":1,"tags":[],"further":1}`: {`/code minLength want at least 2 characters | "A"`},
		`{"code":"A","weight":"1","tags":[],"x":1}`: {
			`/weight type want a number | "1"`, `/code minLength want at least 2 characters | "A"`,
		},
		`{"code":"AB","weight":1,"tags":[],"tags":[]}`: {" minProperties want at least 4 members | 3"},
		`{"code":"AB","weight":1,"tags":["a",1,"c"],"note":"long"}`: {
			"/tags/1 type want a string | 1", `/note maxLength want at most 3 characters | "long"`},
		`{"code":"AB","weight":1,"tags":["a","\u0061"],"note":null}`: {`/tags uniqueItems want no two equal elements | "a"`},
		`{"weight":0,"tags":[],"note":null,"labels":{}}`: {
			"/code required is required but missing | ", "/weight exclusiveMinimum want more than 0 | 0",
		},
		`{"code":"A"`: {"/code syntax cannot be read: unexpected end of text, want ',' or '}' at byte 11 | "},
	} {
		var v testParcel
		err := testParcelCodec.Read([]byte(text), &v)
		if diff := cmp.Diff(want, violations(t, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if err := Receive([]byte(text), v.DecodeJSON, v.ValidateJSON); err == nil {
			t.Errorf("%s: Receive takes it", text)
		}
	}
}

func TestThreeStatesSurvive(t *testing.T) {
	for _, text := range []string{
		`{"code":"AB","weight":1,"tags":[],"labels":{}}`,
		`{"code":"AB","weight":1,"tags":[],"note":null}`,
		`{"code":"AB","weight":1,"tags":[],"note":""}`,
	} {
		var v testParcel
		if err := testParcelCodec.Read([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		got, err := Marshal(v.EncodeJSON)
		if err != nil || string(got) != text {
			t.Errorf("got %s, %v, want %s", got, err, text)
		}
	}
}

func TestValidationTakesNoAllocations(t *testing.T) {
	codec := testParcelCodec
	codec.Validate = func(v *testParcel, c *Validator) { // all but patterns and equal elements
		if !c.BeginObject() {
			return
		}
		MinLength(c.Member("code"), v.Code, 2)
		MaxLength(c.Member("code"), v.Code, 4)
		ExclusiveMinimum(c.Member("weight"), v.Weight, 0)
		MultipleOf(c.Member("weight"), v.Weight, "0.01")
		MaxItems(c.Member("tags"), len(v.Tags), 2)
		ValidateArray(c.Member("tags"), v.Tags, func(v *string, c *Validator) { MinLength(c, *v, 1) })
		CheckFormat(c.Member("note"), *v.Note.Value, FormatDate)
		ValidateMap(c.Member("labels"), v.Labels, func(v *string, c *Validator) { MinLength(c, *v, 1) })
		ValidateUnion(c.Member("shape"), v.Shape)
		c.EndObject()
	}
	v := &testParcel{Code: "AB", Weight: 19.99, Tags: []string{"a"}, Note: Some("2026-02-03"), Shape: &testCircle{R: 1}}
	if got := testing.AllocsPerRun(100, func() {
		if err := codec.Check(v); err != nil {
			t.Fatal(err)
		}
	}); got > 0 {
		t.Errorf("validating takes %v allocations, want none", got)
	}
}
