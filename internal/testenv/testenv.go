// Package testenv tells tests about the environment they run in.
package testenv

import (
	"regexp"
	"testing"
)

// withoutRace matches the tests that make test runs again without the race detector, as the Makefile says.
const (
	slowWithRace = `RealSchemas|Suite|Judge|Scripts|Hostile[PY]|SameBytes|ACommandOf|TooMuch|DocumentsIs|InOnePass`
	withoutRace  = `Allocations|` + slowWithRace
)

var runsWithoutRace = regexp.MustCompile(withoutRace)

// SkipUnderRace skips a test under the race detector, for a reason why. It fails unless make test runs the test again
// without the detector, which it tells by the test's name.
func SkipUnderRace(t testing.TB, why string) {
	t.Helper()
	if !runsWithoutRace.MatchString(t.Name()) {
		t.Fatalf("make test leaves %s out: its name does not match %s", t.Name(), withoutRace)
	}
	if Race {
		t.Skip("runs without the race detector only: " + why)
	}
}
