package payload

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// testLabels has a field and further members.
type testLabels struct {
	Name    string
	Further map[string]int64
}

func (v *testLabels) EncodeJSON(e *Encoder) {
	if !e.BeginObject() {
		return
	}
	e.Member("name").String(v.Name)
	EncodeAdditional(e, v.Further, (*Encoder).Int64, "name")
	e.EndObject()
}

func (v *testLabels) DecodeJSON(d *Decoder) {
	*v = testLabels{}
	d.Require("name")
	for name := range d.Object {
		switch string(name) {
		case "name":
			d.String(&v.Name)
		default:
			DecodeAdditional(d, &v.Further, name, (*Decoder).Int64)
		}
	}
}

func TestMapsAreReadAndWrittenInOrder(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: `{}`,
		`{"b":{"name":"x"},"a\u002f":{"name":"y","z":1,"c":2}}`: `{"a/":{"name":"y","c":2,"z":1},"b":{"name":"x"}}`,
		`{"a":{"name":"x"},"a":{"name":"y"}}`:                   `{"a":{"name":"y"}}`,
		`{"a":5,"b":{"name":"x"},"a":{"name":"y"}}`:             `{"a":{"name":"y"},"b":{"name":"x"}}`,
		`{"a":{"z":1.5,"name":"x","z":2,"":9}}`:                 `{"a":{"name":"x","":9,"z":2}}`,
		`{"a":{"name":"x","Name":1,"n\u0061me":"y"}}`:           `{"a":{"name":"y","Name":1}}`,
	} {
		var v map[string]testLabels
		if err := Unmarshal([]byte(text), func(d *Decoder) { DecodeMapOf(d, &v) }); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := Marshal(func(e *Encoder) { EncodeMapOf(e, v) })
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, err, want)
		}
	}
}

func TestMapsSayWhatIsWrongInside(t *testing.T) {
	var v map[string]testLabels
	err := Unmarshal([]byte(`{"a/b":{"name":1,"~":"x"},"c":null}`), func(d *Decoder) { DecodeMapOf(d, &v) })
	want := []string{
		"/a~1b/name type want a string | 1", `/a~1b/~0 type want an integer | "x"`,
		"/c type want an object | null",
	}
	if diff := cmp.Diff(want, violations(t, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	labels := testLabels{Further: map[string]int64{"name": 1, "\xff": 2}}
	_, err = Marshal(labels.EncodeJSON)
	want = []string{
		"/name additionalProperties is a member with a field of its own | ",
		"/\xff utf8 want valid UTF-8 | \"\\xff\"",
	}
	if diff := cmp.Diff(want, violations(t, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestManyWrongMembersTakeNoMoreTimeThanTheirNumber(t *testing.T) {
	var b strings.Builder
	const members = 50_000
	for i := range members {
		fmt.Fprintf(&b, `,"m%d":"x"`, i)
	}
	text := `{"name":"x"` + b.String() + b.String() + `}`
	start := time.Now()
	var v testLabels
	err := Unmarshal([]byte(text), v.DecodeJSON)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	if e, ok := err.(*Error); !ok || len(e.Violations)+e.More != members {
		t.Errorf("got %v", err)
	}
}

func TestUnknownMembersAreRefusedOnceEach(t *testing.T) {
	err := Unmarshal([]byte(`{"x":[1],"y":1,"x":2}`), func(d *Decoder) {
		for range d.Object {
			d.Unknown()
		}
	})
	want := []string{
		"/y additionalProperties is not a member of this object | ",
		"/x additionalProperties is not a member of this object | ",
	}
	if diff := cmp.Diff(want, violations(t, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
