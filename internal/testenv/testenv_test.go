package testenv

import (
	"os"
	"strings"
	"testing"
)

func TestMakeRunsWhatTheRaceDetectorLeavesOut(t *testing.T) {
	text, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"SLOW_WITH_RACE = " + slowWithRace, "WITHOUT_RACE   = Allocations|$(SLOW_WITH_RACE)"} {
		if !strings.Contains(string(text), "\n"+line+"\n") {
			t.Errorf("the Makefile does not have the line %s", line)
		}
	}
}
