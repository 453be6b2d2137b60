package flow

import (
	"testing"
	"time"
)

// New topics are found within a minute or the period that was set, however long the broker took to answer: it may have
// been away.
func TestOneSlowLookDoesNotPutOffTheNext(t *testing.T) {
	for _, x := range []struct {
		name        string
		every, took time.Duration
		found       bool
		want        time.Duration
	}{
		{"quick", time.Second, 10 * time.Millisecond, false, time.Second},
		{"too often for how long it takes", 20 * time.Millisecond, 100 * time.Millisecond, false, time.Second},
		{"it subscribed to what it found", 20 * time.Millisecond, 2 * time.Second, true, 20 * time.Millisecond},
		{"the broker was away", time.Second, 30 * time.Second, false, time.Minute},
		{"away, and the default period", discoverEvery, 30 * time.Second, false, time.Minute},
		{"away, and a long period", time.Hour, 30 * time.Second, false, time.Hour},
	} {
		if got := untilNextLook(x.every, x.took, x.found); got != x.want {
			t.Errorf("%s: %s until the next look, want %s", x.name, got, x.want)
		}
	}
}
