package flow

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestNackBackoffDoublesUpToItsCap(t *testing.T) {
	b := Backoff{time.Second, time.Minute}
	for redeliveries, want := range map[uint32]time.Duration{0: time.Second, 1: 2 * time.Second,
		5: 32 * time.Second, 6: time.Minute, 34: time.Minute, math.MaxUint32: time.Minute} {
		if got := b.Next(redeliveries); got != want {
			t.Errorf("S11: redelivery %d: got %s, want %s", redeliveries, got, want)
		}
	}
}

func TestNackBackoffNeverShrinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shortest := time.Duration(rapid.Int64Range(int64(time.Millisecond), math.MaxInt64).Draw(t, "shortest"))
		b := Backoff{shortest, time.Duration(rapid.Int64Range(int64(shortest), math.MaxInt64).Draw(t, "longest"))}
		n := rapid.Uint32().Draw(t, "redeliveries")
		got := b.Next(n)
		if got < b.Shortest || got > b.Longest || n > 0 && got < b.Next(n-1) {
			t.Fatalf("S11: %+v: redelivery %d waits %s", b, n, got)
		}
	})
}

func FuzzBackoff(f *testing.F) {
	f.Add(int64(time.Second), int64(time.Minute), int64(34))
	f.Add(int64(math.MaxInt64), int64(math.MinInt64), int64(-1))
	f.Fuzz(func(t *testing.T, first, longest, times int64) {
		got := Doubling(time.Duration(first), time.Duration(longest), times)
		if got > time.Duration(longest) || first > 0 && longest > 0 && got <= 0 {
			t.Errorf("S11: doubling(%d, %d, %d) = %d", first, longest, times, got)
		}
	})
}
