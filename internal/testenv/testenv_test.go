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
	if !strings.Contains(string(text), "\nWITHOUT_RACE = "+withoutRace+"\n") {
		t.Errorf("the Makefile does not set WITHOUT_RACE to %s", withoutRace)
	}
}
