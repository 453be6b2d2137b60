package trust_test

import (
	"slices"
	"testing"

	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// The table of the package comment.
func TestWhatAStageMayStillSay(t *testing.T) {
	for _, tt := range []struct {
		doubt                          trust.Doubt
		contradict, miss, follow, rely bool
	}{
		{0, true, true, true, true},
		{trust.Inside, true, true, true, false},
		{trust.Faulty, false, true, true, false},
		{trust.Partial, true, false, true, false},
		{trust.Nowhere, false, false, false, false},
		{trust.Faulty | trust.Partial, false, false, true, false},
		{trust.Inside | trust.Faulty, false, true, true, false},
	} {
		d := tt.doubt
		got := []bool{d.MayContradict(), d.MayMiss(), d.MayFollow(), d.MayRely()}
		if want := []bool{tt.contradict, tt.miss, tt.follow, tt.rely}; !slices.Equal(got, want) {
			t.Errorf("%04b: contradict, miss, follow, rely are %v, want %v", d, got, want)
		}
	}
}
