// Package testenv tells tests about the environment they run in.
package testenv

import (
	"regexp"
	"strings"
	"testing"
)

// withoutRace are words in the names of the tests that make test runs again without the race detector.
var withoutRace = []string{
	"Allocations", "RealSchemas", "Suite", "Judge", "Scripts", "Hostile[PY]", "SameBytes", "ACommandOf", "TooMuch",
	"DocumentsIs", "InOnePass", "TheMeaning", "TableTells", "TopicMoves", "Costly", "CountOver", "LimitedNumber",
	"AFindingIsShort", "ReachesEveryTool", "FaultOfShape", "OnItsOrder", "ExtentOf", "SitesAre", "CatalogAreEscaped",
}

var runsWithoutRace = regexp.MustCompile(strings.Join(withoutRace, "|"))

// SkipUnderRace skips a test under the race detector, for a reason why. It fails unless make test runs the test again
// without the detector, which it tells by the test's name.
func SkipUnderRace(t testing.TB, why string) {
	t.Helper()
	if !runsWithoutRace.MatchString(t.Name()) {
		t.Fatalf("make test leaves %s out: its name does not match %s", t.Name(), runsWithoutRace)
	}
	if Race {
		t.Skip("runs without the race detector only: " + why)
	}
}
