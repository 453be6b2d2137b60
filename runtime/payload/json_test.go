package payload

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFreeFormValuesKeepTheirBytes(t *testing.T) {
	for _, text := range []string{"null", "1.50", "1e400", `"\u00e9\ud800"`, "[ 1 ,\t{} ]", `{"a":1,"a":2}`} {
		var v JSON
		if err := Unmarshal([]byte(" "+text+" "), func(d *Decoder) { d.JSON(&v) }); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		out, err := Marshal(func(e *Encoder) { e.JSON(v) })
		if err != nil || string(out) != text {
			t.Errorf("%s: got %s, %v", text, out, err)
		}
	}
}

func TestFreeFormValuesHaveToBeJSON(t *testing.T) {
	for text, want := range map[string][]string{
		"":                        {" required is required but missing | "},
		" ":                       {" required is required but missing | "},
		"1 2":                     {" syntax want one JSON value | "},
		"nope":                    {` syntax want JSON: unexpected 'n', want a value at byte 0 | `},
		"\"\xff\"":                {" syntax want JSON: string is not valid UTF-8 at byte 0 | "},
		strings.Repeat("[", 2000): {" syntax want JSON: nested too deeply at byte 999 | "},
	} {
		_, err := Marshal(func(e *Encoder) { e.JSON(JSON(text)) })
		if diff := cmp.Diff(want, violations(t, err)); diff != "" {
			t.Errorf("%.20s (-want +got):\n%s", text, diff)
		}
	}
	deep := `{"a":` + strings.Repeat("[", 999) + strings.Repeat("]", 999) + "}"
	err := Unmarshal([]byte(deep), func(d *Decoder) {
		for range d.Object {
			var v JSON
			d.JSON(&v)
		}
	})
	if diff := cmp.Diff([]string{"/a depth is nested too deeply | "}, violations(t, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFreeFormValuesAndTheStandardLibrary(t *testing.T) {
	v, err := JSONOf(map[string]int{"a": 1})
	if err != nil || v.String() != `{"a":1}` {
		t.Fatal(v, err)
	}
	var m map[string]int
	if err := v.Unmarshal(&m); err != nil || m["a"] != 1 {
		t.Errorf("got %v, %v", m, err)
	}
	out, err := json.Marshal(struct{ A, B JSON }{A: v})
	if err != nil || string(out) != `{"A":{"a":1},"B":null}` {
		t.Errorf("got %s, %v", out, err)
	}
	var back struct{ A, B JSON }
	if err := json.Unmarshal(out, &back); err != nil || back.A.String() != v.String() {
		t.Errorf("got %v, %v", back, err)
	}
}
