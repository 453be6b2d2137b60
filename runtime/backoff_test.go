package bq

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestExponentialBackoffIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := time.Duration(rapid.Int64().Draw(t, "first"))
		longest := time.Duration(rapid.Int64().Draw(t, "longest"))
		deliveries := rapid.Int64().Draw(t, "deliveries")
		wait := ExponentialBackoff(first, longest)(deliveries)
		if wait < 0 || wait > max(0, longest) || deliveries <= 1 && wait > max(0, first) {
			t.Fatalf("RET-8: delivery %d waits %s of %s to %s", deliveries, wait, first, longest)
		}
	})
}

func TestExponentialBackoffDoublesAndVaries(t *testing.T) {
	const draws = 2000
	backoff := ExponentialBackoff(time.Second, time.Minute)
	for deliveries, bound := range map[int64]time.Duration{1: time.Second, 2: 2 * time.Second,
		6: 32 * time.Second, 7: time.Minute, math.MaxInt64: time.Minute} {
		var sum, most time.Duration
		for range draws {
			wait := backoff(deliveries)
			sum, most = sum+wait, max(most, wait)
		}
		if mean := sum / draws; most > bound || mean < bound*4/10 || mean > bound*6/10 {
			t.Errorf("RET-8: delivery %d: mean %s, most %s, want half of %s and no more than it", deliveries, mean, most, bound)
		}
	}
}
