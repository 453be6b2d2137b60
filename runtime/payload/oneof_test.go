package payload

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What follows is a union as bqgen generates it.

type testShape interface {
	Value
	isTestShape()
}

type testCircle struct{ R float64 }

type testGroup struct{ Parts []testShape }

func (*testCircle) isTestShape() {}
func (*testGroup) isTestShape()  {}

func (v *testCircle) EncodeJSON(e *Encoder) {
	if !e.BeginObject() {
		return
	}
	e.Member("kind").String("circle")
	e.Member("r").Float64(v.R)
	e.EndObject()
}

func (v *testCircle) DecodeJSON(d *Decoder) {
	*v = testCircle{}
	d.Require("kind", "r")
	for name := range d.Object {
		switch string(name) {
		case "kind":
			d.Const(`"circle"`)
		case "r":
			d.Float64(&v.R)
		}
	}
}

func (v *testCircle) ValidateJSON(c *Validator) {
	if !c.BeginObject() {
		return
	}
	ExclusiveMinimum(c.Member("r"), v.R, 0)
	c.EndObject()
}

func (v *testCircle) Validate() error { return Validate(v.ValidateJSON, v.EncodeJSON) }

func (v *testGroup) EncodeJSON(e *Encoder) {
	if !e.BeginObject() {
		return
	}
	e.Member("kind").String("group")
	EncodeArray(e.Member("parts"), v.Parts, EncodeUnion[testShape])
	e.EndObject()
}

func (v *testGroup) DecodeJSON(d *Decoder) {
	*v = testGroup{}
	d.Require("kind", "parts")
	for name := range d.Object {
		switch string(name) {
		case "kind":
			d.Const(`"group"`)
		case "parts":
			DecodeArray(d, &v.Parts, decodeTestShape)
		}
	}
}

func (v *testGroup) ValidateJSON(c *Validator) {
	if !c.BeginObject() {
		return
	}
	MinItems(c.Member("parts"), len(v.Parts), 1)
	ValidateArray(c.Member("parts"), v.Parts, func(v *testShape, c *Validator) { ValidateUnion(c, *v) })
	c.EndObject()
}

func (v *testGroup) Validate() error { return Validate(v.ValidateJSON, v.EncodeJSON) }

func decodeTestShape(d *Decoder, v *testShape) {
	*v = nil
	value, ok := d.Discriminator("kind")
	if !ok {
		return
	}
	switch string(value) {
	case "circle":
		*v = NewBranch[testCircle](d)
	case "group":
		*v = NewBranch[testGroup](d)
	default:
		d.UnknownBranch("kind", value)
	}
}

func readShape(text string) (v testShape, err error) {
	err = Unmarshal([]byte(text), func(d *Decoder) { decodeTestShape(d, &v) })
	return v, err
}

func TestUnionsAreReadByTheirDiscriminatorWhereverItStands(t *testing.T) {
	circle := &testCircle{R: 2}
	for text, want := range map[string]testShape{
		`{"kind":"circle","r":2}`:                                     circle,
		`{"r":2,"x":[{"kind":"group"}],"kind":"circle"}`:              circle,
		`{"kind":"circle","r":2,"k\u0069nd":"circle"}`:                circle,
		`{"kind":5,"r":1,"kind":"group","kind":"circle","r":2}`:       circle,
		`{"parts":[{"r":2,"kind":"circle"}] , "kind" : "\u0067roup"}`: &testGroup{Parts: []testShape{circle}},
	} {
		got, err := readShape(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestUnionsSayWhatIsWrongWithTheirDiscriminator(t *testing.T) {
	for text, want := range map[string][]string{
		`{}`:                    {"/kind required is required but missing | "},
		`{"kind":null}`:         {"/kind type want a string | null"},
		`{"kind":"cube","r":1}`: {`/kind enum want a value of one of the union's branches | "cube"`},
		`{"Kind":"circle"}`:     {"/kind required is required but missing | "},
		`5`:                     {" type want an object | 5"},
		`{"kind":"group","parts":[{"kind":"x"},5]}`: {
			`/parts/0/kind enum want a value of one of the union's branches | "x"`,
			"/parts/1 type want an object | 5",
		},
		`{"kind":"circle","r":1,`: {
			" syntax cannot be read: unexpected end of text, want a member name at byte 23 | ",
		},
		`{"kind":"circle"}`: {"/r required is required but missing | "},
	} {
		_, err := readShape(text)
		if diff := cmp.Diff(want, violations(t, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestUnionsOfNothingAreNotWritten(t *testing.T) {
	for _, v := range []testShape{nil, (*testCircle)(nil)} {
		_, err := Marshal(func(e *Encoder) { EncodeUnion(e, v) })
		if diff := cmp.Diff([]string{" required is required but missing | "}, violations(t, err)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestDeepUnionsTakeNoMoreTimeThanTheirSize(t *testing.T) {
	const levels = 490
	inner := `{"r":1,"kind":"circle","x":"` + strings.Repeat("x", 2_000_000) + `"}`
	text := strings.Repeat(`{"parts":[`, levels) + inner + strings.Repeat(`],"kind":"group"}`, levels)
	start := time.Now()
	v, err := readShape(text)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	depth := 0
	for g, ok := v.(*testGroup); ok; g, ok = g.Parts[0].(*testGroup) {
		depth++
	}
	if depth != levels {
		t.Errorf("got %d levels, want %d", depth, levels)
	}
}

func TestUnknownBranchesAreKeptOnlyWhenTheyAreUnknown(t *testing.T) {
	for text, want := range map[string][]string{
		`{"kind":"cube"}`: nil,
		`{"kind":"a"}`:    {` enum want another value than the union's branches have in kind | "a"`},
		`{}`:              {" required member kind is required but missing | "},
		`{"kind":1}`:      {" type member kind want a string | 1"},
		`[]`:              {" type want an object | []"},
	} {
		err := Validate(
			func(c *Validator) { ValidateUnknown(c, JSON(text), "kind", "a", "b") },
			func(e *Encoder) { e.JSON(JSON(text)) })
		if err == nil && want == nil {
			continue
		}
		if diff := cmp.Diff(want, violations(t, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
