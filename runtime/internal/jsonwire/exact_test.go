package jsonwire

import (
	"errors"
	"math"
	"testing"
)

func TestEqualValuesAreEqualText(t *testing.T) {
	for text, want := range map[string]string{
		`1`: `1`, `1.0`: `1`, `10e-1`: `1`, `-0.0`: `0`, `0e5`: `0`, `1200`: `12e2`, `-0.012`: `-12e-3`, `9007199254740993`: `9007199254740993`,
		`"\u00e9\/"`: `"é/"`, `"\n"`: `"\n"`, `true`: `true`, `null`: `null`,
		` [ 1 , [ ] , 2.0 ]`: `[1,[],2]`, `{ "b" : 1.0 , "a" : { } , "b" : 2 }`: `{"a":{},"b":2}`, `{"\u0061":[]}`: `{"a":[]}`,
	} {
		start := SkipSpace([]byte(text), 0)
		got, end := AppendCanonical(nil, []byte(text), start)
		if string(got) != want || end != len(text) {
			t.Errorf("%s: got %s up to %d, want %s up to %d", text, got, end, want, len(text))
		}
	}
}

func TestUnsignedIntegersAreExact(t *testing.T) {
	for text, want := range map[string]struct {
		n   uint64
		err error
	}{
		"0": {}, "-0": {}, "0e99999999999999999999": {}, "18446744073709551615": {n: math.MaxUint64}, "1.8446744073709551615e19": {n: math.MaxUint64},
		"18446744073709551616": {err: ErrRange}, "1e20": {err: ErrRange}, "1e999999999999": {err: ErrRange}, "-1": {err: ErrRange},
		"0.5": {err: ErrNotIntegral}, "1e-1": {err: ErrNotIntegral}, "1.50e1": {n: 15},
	} {
		got, err := ParseUint64([]byte(text))
		if got != want.n || !errors.Is(err, want.err) {
			t.Errorf("%s: got %d, %v, want %d, %v", text, got, err, want.n, want.err)
		}
	}
}
