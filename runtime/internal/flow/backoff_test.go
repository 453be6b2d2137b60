package flow

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestWhatCannotBeSettledAlwaysWaits(t *testing.T) {
	none := func(int64) time.Duration { return 0 }
	for name, c := range map[string]struct {
		backoff Backoff
		tries   int64
		want    time.Duration
	}{
		"its own":              {func(tries int64) time.Duration { return time.Duration(tries) }, 7, 7},
		"none, first":          {none, 1, 100 * time.Millisecond},
		"none, third":          {none, 3, 400 * time.Millisecond},
		"none, at last":        {none, math.MaxInt64, 10 * time.Second},
		"no backoff":           {nil, 1, 100 * time.Millisecond},
		"a backoff that fails": {func(int64) time.Duration { panic("no") }, 1, 100 * time.Millisecond},
	} {
		f := newTestFlow(t, nil)
		f.config.Panicked = func(value any, _ []byte) error { return fmt.Errorf("panic: %v", value) }
		f.config.StackOf = func(error) string { return "" }
		f.config.Backoff = f.guarded(c.backoff)
		if got := f.waitAfter(c.tries); got != c.want {
			t.Errorf("S11: %s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestDoublingNeverShrinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := time.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(t, "first"))
		longest := time.Duration(rapid.Int64Range(int64(first), math.MaxInt64).Draw(t, "longest"))
		n := rapid.Int64Range(0, 100).Draw(t, "times")
		got := Doubling(first, longest, n)
		if got < first || got > longest || n > 0 && got < Doubling(first, longest, n-1) {
			t.Fatalf("S11: %s to %s: %d times is %s", first, longest, n, got)
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
