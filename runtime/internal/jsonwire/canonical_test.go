package jsonwire

import "testing"

func TestEqualValuesAreEqualText(t *testing.T) {
	for text, want := range map[string]string{
		`1`: `1`, `1.0`: `1`, `10e-1`: `1`, `-0.0`: `0`, `0e5`: `0`, `1200`: `12e2`, `-0.012`: `-12e-3`,
		`9007199254740993`: `9007199254740993`,
		`"\u00e9\/"`:       `"é/"`, `"\n"`: `"\n"`, `true`: `true`, `null`: `null`,
		` [ 1 , [ ] , 2.0 ]`: `[1,[],2]`, `{ "b" : 1.0 , "a" : { } , "b" : 2 }`: `{"a":{},"b":2}`,
		`{"\u0061":[]}`: `{"a":[]}`,
	} {
		start := SkipSpace([]byte(text), 0)
		got, end := AppendCanonical(nil, []byte(text), start)
		if string(got) != want || end != len(text) {
			t.Errorf("%s: got %s up to %d, want %s up to %d", text, got, end, want, len(text))
		}
	}
}
