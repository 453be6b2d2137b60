package jsonwire

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

const depth = 1000

func valid(text string) bool {
	b := []byte(text)
	end, err := ScanValue(b, SkipSpace(b, 0), depth)
	return err == nil && SkipSpace(b, end) == len(b)
}

func TestScanValueIsStrict(t *testing.T) {
	accepted := []string{
		`{}`, `[]`, `""`, `0`, `-0`, `-0.0`, `1.5e+10`, `1E-2`, `1e400`, `true`, `false`, `null`,
		"{ \"a\" : [ 1 , 2 ] }\r\n\t ", `{"a":{"a":{}}}`, `"\u00e9\/\b\f\n\r\t\"\\"`, `"\ud800"`,
		`{"a":1,"a":2}`, `"é☕😀"`,
		"\"\u2028\x7f\"", strings.Repeat("[", depth) + strings.Repeat("]", depth),
	}
	for _, text := range accepted {
		if !valid(text) {
			t.Errorf("%q is refused, want accepted", text)
		}
	}
	refused := []string{
		``, ` `, `{`, `}`, `[`, `]`, `[1,]`, `{"a":1,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{'a':1}`, `{1:1}`,
		`[1 2]`, `[,]`, `{,}`,
		`01`, `-01`, `1.`, `.5`, `+1`, `1e`, `1e+`, `-`, `0x1`, `1_0`, `1٣`, `NaN`, `Infinity`, `-Infinity`,
		`nul`, `True`, `nullx`,
		`"`, `"\`, `"\u12`, `"\x"`, `"\u00g0"`, "\"\x00\"", "\"\t\"", "\"\x1f\"", "\"\xff\"",
		"\"\xed\xa0\x80\"", "\"\xc0\xaf\"", "\"\xe2\x82\"",
		`{}{}`, `{}x`, "{}\x00", "\ufeff{}", "\u00a0{}", "\f{}", `[1}`, `{"a":1]`,
		strings.Repeat("[", depth+1) + strings.Repeat("]", depth+1),
	}
	for _, text := range refused {
		if valid(text) {
			t.Errorf("%q is accepted, want refused", text)
		}
	}
}

func TestSyntaxErrorSaysWhere(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":nope}`: `unexpected 'n', want a value at byte 5`,
		`{"a" 1}`:    `unexpected '1', want ':' at byte 5`,
		`[1`:         `unexpected end of text, want ',' or ']' at byte 2`,
		`é`:          `unexpected 'é', want a value at byte 0`,
	} {
		_, err := ScanValue([]byte(text), 0, depth)
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// FuzzScanValue compares with encoding/json, which is as strict except for UTF-8 and depth.
func FuzzScanValue(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.5e3,"x\u00e9",null,true]}`, `"\ud83d\ude00"`, `01`, "\"\xff\"", ` {} `, `[[]]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := json.Valid([]byte(text)) && utf8.ValidString(text)
		got := valid(text)
		if got != want && strings.Count(text, "[")+strings.Count(text, "{") < depth {
			t.Errorf("valid(%q) = %v, want %v", text, got, want)
		}
		if got {
			HasLoneSurrogate([]byte(text))
		}
	})
}

func TestAppendStringEscapesOnlyWhatItMust(t *testing.T) {
	in := "\x00\x01\b\t\n\v\f\r\x1f\"\\/<>&'\x7f\u00e9\u2028\u2029\U0001F600"
	want := `"\u0000\u0001\b\t\n\u000b\f\r\u001f\"\\/<>&'` + "\x7f\u00e9\u2028\u2029\U0001F600" + `"`
	got, ok := AppendString([]byte("x"), in)
	if !ok || string(got) != "x"+want {
		t.Errorf("got %s %v, want x%s", got, ok, want)
	}
}

func TestAppendStringRefusesInvalidUTF8(t *testing.T) {
	for _, in := range []string{"\xff", "a\xc0\xaf", "\xed\xa0\x80", "é\xe2\x82"} {
		got, ok := AppendString([]byte("x"), in)
		if ok || string(got) != "x" {
			t.Errorf("%q: got %q %v, want nothing appended", in, got, ok)
		}
	}
	if _, ok := AppendString(nil, "\ufffd"); !ok {
		t.Error("U+FFFD itself is refused")
	}
}

func TestStringsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "s")
		literal, ok := AppendString(nil, in)
		if !ok {
			t.Fatalf("%q is refused", in)
		}
		end, plain, err := ScanString(literal, 0)
		if err != nil || end != len(literal) {
			t.Fatalf("ScanString(%s) = %d, %v", literal, end, err)
		}
		if out := Unquote(literal, plain); out != in {
			t.Fatalf("got %q, want %q", out, in)
		}
		std, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		if out := Unquote(std, false); out != in {
			t.Fatalf("from %s: got %q, want %q", std, out, in)
		}
	})
}

func TestUnquoteReplacesLoneSurrogates(t *testing.T) {
	for in, want := range map[string]string{
		`"\ud83d\ude00"`: "😀", `"\uD83D\uDE00"`: "😀", `"\ud800"`: "\ufffd", `"\udc00x"`: "\ufffdx",
		`"\ud83d\ud83d\ude00"`: "\ufffd😀", `"\ud83dx\ude00"`: "\ufffdx\ufffd", `"\\ud800"`: `\ud800`,
	} {
		if got := Unquote([]byte(in), false); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}

func TestParseInt64IsExact(t *testing.T) {
	for in, want := range map[string]int64{
		"0": 0, "-0": 0, "0.0": 0, "0e999999999999999999999": 0, "1": 1, "-1": -1, "1.0": 1, "1e3": 1000,
		"1.5e1": 15, "10e-1": 1, "-1.20E+2": -120,
		"9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63, "9007199254740993": 9007199254740993,
		"0.001e3": 1, "100000000000000000000e-2": 1000000000000000000, "0.00000000000000000000001e23": 1,
	} {
		if got, err := ParseInt64([]byte(in)); err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", in, got, err, want)
		}
	}
	for in, want := range map[string]error{
		"1.5": ErrNotIntegral, "1e-1": ErrNotIntegral, "1.0000000000000000000001": ErrNotIntegral,
		"1e-99999999999999999999": ErrNotIntegral, "0.1": ErrNotIntegral,
		"9223372036854775808": ErrRange, "-9223372036854775809": ErrRange, "1e19": ErrRange, "1e400": ErrRange,
		"1e99999999999999999999": ErrRange, "18446744073709551616": ErrRange,
	} {
		if _, err := ParseInt64([]byte(in)); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", in, err, want)
		}
	}
}

func TestParseInt64AgreesWithBigRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,8})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "number")
		got, err := ParseInt64([]byte(in))
		r, _ := new(big.Rat).SetString(in)
		switch {
		case !r.IsInt():
			if !errors.Is(err, ErrNotIntegral) {
				t.Fatalf("%s: got %d, %v, want %v", in, got, err, ErrNotIntegral)
			}
		case !r.Num().IsInt64():
			if !errors.Is(err, ErrRange) {
				t.Fatalf("%s: got %d, %v, want %v", in, got, err, ErrRange)
			}
		case err != nil || got != r.Num().Int64():
			t.Fatalf("%s: got %d, %v, want %s", in, got, err, r.Num())
		}
	})
}

func TestUnsignedIntegersAreExact(t *testing.T) {
	for text, want := range map[string]struct {
		n   uint64
		err error
	}{
		"0": {}, "-0": {}, "0e99999999999999999999": {}, "18446744073709551615": {n: math.MaxUint64},
		"1.8446744073709551615e19": {n: math.MaxUint64},
		"18446744073709551616":     {err: ErrRange}, "1e20": {err: ErrRange}, "1e999999999999": {err: ErrRange},
		"-1":  {err: ErrRange},
		"0.5": {err: ErrNotIntegral}, "1e-1": {err: ErrNotIntegral}, "1.50e1": {n: 15},
	} {
		got, err := ParseUint64([]byte(text))
		if got != want.n || !errors.Is(err, want.err) {
			t.Errorf("%s: got %d, %v, want %d, %v", text, got, err, want.n, want.err)
		}
	}
}
