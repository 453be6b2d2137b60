package payload

import (
	"math"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestMultiplesAreExact(t *testing.T) {
	for _, tt := range []struct {
		number, step string
		want         bool
	}{
		{"0.3", "0.1", true}, {"0.07", "0.01", true}, {"1.15", "0.01", true}, {"19.99", "0.01", true},
		{"0.075", "0.01", false},
		{"0", "7", true}, {"-0", "0.1", true}, {"-9", "3", true}, {"-10", "3", false}, {"1e21", "7", false},
		{"7e21", "7", true}, {"1e300", "1e299", true},
		{"5e-324", "1e-324", true}, {"5e-324", "1", false}, {"9223372036854775807", "9223372036854775807", true},
		{"-9223372036854775808", "9223372036854775808", true}, {"18446744073709551615", "5", true},
		{"2.5", "1e2", false}, {"250", "2.5e1", true},
		{"123456789123456789123", "123456789123456789123", true},
		{"246913578246913578246", "123456789123456789123", true}, {"1", "123456789123456789123", false},
	} {
		if got := isMultiple([]byte(tt.number), tt.step); got != tt.want {
			t.Errorf("%s of %s: got %v, want %v", tt.number, tt.step, got, tt.want)
		}
	}
}

func TestMultiplesAreThoseOfRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := strconv.FormatFloat(
			rapid.Float64Range(1e-6, 1e6).Draw(t, "step"), 'g', rapid.IntRange(1, 17).Draw(t, "digits"), 64,
		)
		v := rapid.OneOf(rapid.Float64Range(-1e9, 1e9), rapid.Custom(func(t *rapid.T) float64 {
			f, _ := strconv.ParseFloat(step, 64)
			return f * float64(rapid.IntRange(-1000, 1000).Draw(t, "times"))
		})).Draw(t, "number")
		text := appendNumber(nil, v)
		n, _ := new(big.Rat).SetString(string(text))
		s, _ := new(big.Rat).SetString(step)
		if want, got := n.Quo(n, s).IsInt(), isMultiple(text, step); got != want {
			t.Fatalf("%s of %s: got %v, want %v", text, step, got, want)
		}
	})
}

func TestNumbersStandForTheirShortestDecimal(t *testing.T) {
	for want, got := range map[string][]byte{
		"0.1": appendNumber(nil, 0.1), "0.10000001": appendNumber(nil, float32(0.10000001)),
		"16777216": appendNumber(nil, float32(16777217))[:0],
		"-5":       appendNumber(nil, int32(-5)), "18446744073709551615": appendNumber(nil, uint64(math.MaxUint64)),
		"9007199254740993": appendNumber(nil, int64(9007199254740993)),
	} {
		if len(got) > 0 && string(got) != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
