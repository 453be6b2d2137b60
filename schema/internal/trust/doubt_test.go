package trust_test

import (
	"testing"

	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// The table of the package comment.
func TestWhatAStageMayStillSay(t *testing.T) {
	for _, tt := range []struct {
		doubt                      trust.Doubt
		contradict, miss, validate bool
	}{
		{0, true, true, true},
		{trust.Inside, true, true, false},
		{trust.Faulty, false, true, false},
		{trust.Partial, true, false, false},
		{trust.Nowhere, false, false, false},
		{trust.Faulty | trust.Partial, false, false, false},
		{trust.Inside | trust.Faulty, false, true, false},
	} {
		d := tt.doubt
		if d.MayContradict() != tt.contradict || d.MayMiss() != tt.miss || d.MayValidate() != tt.validate {
			t.Errorf("%04b: contradict %v, miss %v, validate %v", d, d.MayContradict(), d.MayMiss(), d.MayValidate())
		}
	}
}
