package schema

import (
	"math"
	"math/big"
	"strconv"
	"testing"
)

func TestIntegerLimitsAreThoseOfGo(t *testing.T) {
	for _, tt := range []struct {
		format   Format
		min, max string
	}{
		{NoFormat, strconv.Itoa(math.MinInt64), strconv.Itoa(math.MaxInt64)},
		{Int64, strconv.Itoa(math.MinInt64), strconv.Itoa(math.MaxInt64)},
		{Int32, strconv.Itoa(math.MinInt32), strconv.Itoa(math.MaxInt32)},
		{Uint64, "0", strconv.FormatUint(math.MaxUint64, 10)},
	} {
		if l := IntegerLimits(tt.format); l.Min.RatString() != tt.min || l.Max.RatString() != tt.max {
			t.Errorf("%q: %v to %v, want %s to %s", tt.format, l.Min, l.Max, tt.min, tt.max)
		}
	}
}

func TestOverflowIsTheFirstNumberThatRoundsToInfinity(t *testing.T) {
	for _, f := range []Format{Float, Double, NoFormat} {
		bits := 64
		if f == Float {
			bits = 32
		}
		if v, err := strconv.ParseFloat(Overflow(f).Text, bits); err == nil {
			t.Errorf("%q: the overflow is read as %v", f, v)
		}
		below := new(big.Int).Sub(Overflow(f).Rat().Num(), big.NewInt(1))
		if _, err := strconv.ParseFloat(below.String(), bits); err != nil {
			t.Errorf("%q: one less overflows as well: %v", f, err)
		}
	}
}
