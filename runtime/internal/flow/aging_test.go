package flow

import (
	"testing"
	"time"
)

// TestWhatIsDoneIsNotForgottenBeforeItsCopiesCanCome follows reception through a pause and through busy times.
func TestWhatIsDoneIsNotForgottenBeforeItsCopiesCanCome(t *testing.T) {
	start := time.Now()
	at := func(seconds float64) time.Time { return start.Add(time.Duration(seconds * float64(time.Second))) }
	var a aging
	is := func(what string, now, want time.Time) {
		t.Helper()
		if got := a.by(now); !got.Equal(want) {
			t.Errorf("%s: it forgets as if it were %s later, want %s", what, got.Sub(start), want.Sub(start))
		}
	}
	is("nothing was held back", at(0), at(0))
	a.hold(at(1))
	a.hold(at(2)) // for another reason
	is("held back", at(60), at(1))
	a.goOn(at(60))
	is("gone on a moment ago", at(60.9), at(1))
	is("gone on for long enough", at(61), at(61))
	a.hold(at(70))

	// Busy: one message is received each second, and no more.
	for n := range 6 {
		now := at(float64(80 + n))
		a.goOn(now)
		a.receive(now, 2)
		is("busy", now, map[bool]time.Time{true: at(70), false: at(82)}[n < 5])
		a.hold(at(float64(80 + n)))
	}
}
