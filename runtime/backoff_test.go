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
		if wait < 0 || wait > max(0, longest) || first > 0 && longest > 0 && wait < min(first, longest/2) {
			t.Fatalf("RET-8: delivery %d waits %s of %s to %s", deliveries, wait, first, longest)
		}
	})
}

func TestExponentialBackoffDoublesAndVaries(t *testing.T) {
	const draws = 2000
	backoff := ExponentialBackoff(time.Second, time.Minute)
	for deliveries, bound := range map[int64]struct{ from, to time.Duration }{
		1: {time.Second, 2 * time.Second}, 2: {2 * time.Second, 4 * time.Second},
		5: {16 * time.Second, 32 * time.Second}, 6: {32 * time.Second, time.Minute},
		7: {30 * time.Second, time.Minute}, math.MaxInt64: {30 * time.Second, time.Minute},
	} {
		least, most := time.Hour, time.Duration(0)
		for range draws {
			wait := backoff(deliveries)
			least, most = min(least, wait), max(most, wait)
		}
		if spread := bound.to - bound.from; least < bound.from || most > bound.to || most-least < spread/2 {
			t.Errorf("RET-8: delivery %d: waits from %s to %s, want them from %s to %s", deliveries, least, most,
				bound.from, bound.to)
		}
	}
}
