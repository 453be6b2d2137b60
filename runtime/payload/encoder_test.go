package payload

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// encode returns what write puts into an encoder.
func encode(write func(*Encoder)) (string, error) {
	text, err := Marshal(write)
	return string(text), err
}

func TestEncoderSpellsValuesAsTheContractSays(t *testing.T) {
	zone := time.FixedZone("", -3600-30*60)
	for name, tt := range map[string]struct {
		write func(*Encoder)
		want  string
	}{
		"string: only what must be is escaped (ENC-2 to ENC-4)": {
			func(e *Encoder) { e.String("<&>/\"\\\b\f\n\r\t\x00\x1f\x7f\u2028é👍") },
			`"<&>/\"\\\b\f\n\r\t\u0000\u001f` + "\x7f\u2028é👍" + `"`,
		},
		"largest integer":   {func(e *Encoder) { e.Int64(math.MaxInt64) }, `9223372036854775807`},
		"smallest integer":  {func(e *Encoder) { e.Int64(math.MinInt64) }, `-9223372036854775808`},
		"integral number":   {func(e *Encoder) { e.Float64(1) }, `1`},
		"number":            {func(e *Encoder) { e.Float64(0.1) }, `0.1`},
		"small number":      {func(e *Encoder) { e.Float64(1e-7) }, `1e-7`},
		"smaller number":    {func(e *Encoder) { e.Float64(1.5e-10) }, `1.5e-10`},
		"very large number": {func(e *Encoder) { e.Float64(1e300) }, `1e+300`},
		"large number":      {func(e *Encoder) { e.Float64(1e21) }, `1e+21`},
		"smallest number":   {func(e *Encoder) { e.Float64(5e-324) }, `5e-324`},
		"negative zero":     {func(e *Encoder) { e.Float64(math.Copysign(0, -1)) }, `-0`},
		"boolean":           {func(e *Encoder) { e.Bool(true) }, `true`},
		"time in UTC": {
			func(e *Encoder) { e.Time(time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)) }, `"2026-02-03T04:05:06Z"`,
		},
		"time in a zone": {
			func(e *Encoder) { e.Time(time.Date(2026, 2, 3, 4, 5, 6, 700, zone)) },
			`"2026-02-03T04:05:06.0000007-01:30"`,
		},
		"time in a zone with seconds": {
			func(e *Encoder) { e.Time(time.Date(2026, 2, 3, 4, 5, 6, 0, time.FixedZone("", 3601))) },
			`"2026-02-03T03:05:05Z"`,
		},
		"time in a zone of days": {
			func(e *Encoder) { e.Time(time.Date(2026, 2, 3, 4, 5, 6, 0, time.FixedZone("", 48*3600))) },
			`"2026-02-01T04:05:06Z"`,
		},
		"last year": {
			func(e *Encoder) { e.Time(time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)) },
			`"9999-12-31T23:59:59Z"`,
		},
		"year zero": {
			func(e *Encoder) { e.Time(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)) }, `"0000-01-01T00:00:00Z"`,
		},
		"UUID": {
			func(e *Encoder) { e.UUID(uuid.MustParse("0F8FAD5B-D9CB-469F-A165-70867728950E")) },
			`"0f8fad5b-d9cb-469f-a165-70867728950e"`,
		},
		"empty object":                {func(e *Encoder) { e.BeginObject(); e.EndObject() }, `{}`},
		"nil slice is an empty array": {func(e *Encoder) { EncodeArray(e, nil, (*Encoder).String) }, `[]`},
		"member names are escaped": {
			func(e *Encoder) { e.BeginObject(); e.Member("a\"b").Bool(true); e.EndObject() }, `{"a\"b":true}`,
		},
		"strings that end in a bracket": {
			func(e *Encoder) { EncodeArray(e, []string{"[", "{", "x"}, (*Encoder).String) }, `["[","{","x"]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := encode(tt.write)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !json.Valid([]byte(got)) {
				t.Errorf("%s is not JSON", got)
			}
		})
	}
}

func TestEncoderRefusesWhatJSONCannotCarry(t *testing.T) {
	note := "a\xffb"
	v := testOrder{
		Note: &note, Price: math.NaN(), At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), Level: "middle",
		Tags: []string{"ok", "\xc0\xaf"}, Lines: []testLine{{SKU: "\xed\xa0\x80"}}, Levels: []testLevel{"low", ""},
		Parent: &testOrder{Price: math.Inf(-1), Level: "low"},
	}
	_, err := Marshal(v.EncodeJSON)
	want := []string{
		`/note utf8 want valid UTF-8 | "a\xffb"`,
		`/price range want a finite number | NaN`,
		`/at range want a year from 0 to 9999 | 10000`,
		`/level enum want a value of the enum | "middle"`,
		`/tags/1 utf8 want valid UTF-8 | "\xc0\xaf"`,
		`/lines/0/sku utf8 want valid UTF-8 | "\xed\xa0\x80"`,
		`/levels/1 enum want a value of the enum | ""`,
		`/a~1b~0/price range want a finite number | -Inf`,
	}
	if diff := cmp.Diff(want, violations(t, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEncoderEndsAtAValueThatContainsItself(t *testing.T) {
	v := testOrder{Level: "low"}
	v.Parent = &v
	_, err := Marshal(v.EncodeJSON)
	for _, v := range violations(t, err) { // at parent, and at the array next to it
		if !strings.HasSuffix(v, " depth is nested too deeply or contains itself | ") {
			t.Errorf("got %q, want a depth violation", v)
		}
	}
	if err == nil {
		t.Error("no error")
	}
}

func TestEncoderNestsAsDeepAsDecodersAccept(t *testing.T) {
	v := testOrder{Level: "low"}
	for range maxPayloadDepth - 2 { // the innermost array is a level, too
		inner := v
		v = testOrder{Level: "low", Parent: &inner}
	}
	text, err := Marshal(v.EncodeJSON)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decodeOrder(string(text)); err != nil {
		t.Errorf("encoded but not decoded: %v", err)
	}
}

func TestEncoderAppendsAndIsReusable(t *testing.T) {
	var e Encoder
	v := testLine{SKU: "\xff"}
	e.Reset([]byte("prefix"))
	v.EncodeJSON(&e)
	if _, err := e.Bytes(); err == nil {
		t.Fatal("no error")
	}
	v.SKU = "s"
	e.Reset([]byte(`{"data":`))
	v.EncodeJSON(&e)
	got, err := e.Bytes()
	if err != nil || string(got) != `{"data":{"sku":"s","qty":0}` {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestNumbersAreSpelledAsEncodingJSONDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Filter(func(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }).Draw(t, "number")
		want, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := encode(func(e *Encoder) { e.Float64(f) })
		if err != nil || got != string(want) {
			t.Fatalf("got %s, %v, want %s", got, err, want)
		}
		var back float64
		if err := Unmarshal([]byte(got), func(d *Decoder) { d.Float64(&back) }); err != nil || back != f {
			t.Fatalf("%s reads back as %v, %v, want %v", got, back, err, f)
		}
	})
}
