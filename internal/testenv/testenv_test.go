package testenv

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestMakeRunsWhatTheRaceDetectorLeavesOut(t *testing.T) {
	text, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(text), "\nWITHOUT_RACE = ")
	list, _, _ = strings.Cut(strings.ReplaceAll(list, "\\\n", " "), "\n")
	if !found || !slices.Equal(strings.Fields(list), withoutRace) {
		t.Errorf("the Makefile sets WITHOUT_RACE to %s, want %s", list, withoutRace)
	}
}
