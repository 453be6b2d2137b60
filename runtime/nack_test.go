package bq

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestNackBackoffDoublesUpToItsCap(t *testing.T) {
	b := nackBackoff{time.Second, time.Minute}
	for redeliveries, want := range map[uint32]time.Duration{0: time.Second, 1: 2 * time.Second, 5: 32 * time.Second, 6: time.Minute, 34: time.Minute, math.MaxUint32: time.Minute} {
		if got := b.Next(redeliveries); got != want {
			t.Errorf("S11: redelivery %d: got %s, want %s", redeliveries, got, want)
		}
	}
}

func TestNackBackoffNeverShrinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shortest := time.Duration(rapid.Int64Range(int64(time.Millisecond), math.MaxInt64).Draw(t, "shortest"))
		b := nackBackoff{shortest, time.Duration(rapid.Int64Range(int64(shortest), math.MaxInt64).Draw(t, "longest"))}
		n := rapid.Uint32().Draw(t, "redeliveries")
		got := b.Next(n)
		if got < b.shortest || got > b.longest || n > 0 && got < b.Next(n-1) {
			t.Fatalf("S11: %+v: redelivery %d waits %s", b, n, got)
		}
	})
}
