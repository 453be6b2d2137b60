package payload_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/babelqueue/bqgen/runtime/payload"
)

func TestEnumValuesAreFoundHoweverManyThereAre(t *testing.T) {
	for _, count := range []int{1, 12, 13, 300} {
		var want []string
		for i := range count {
			want = append(want, fmt.Sprintf("value %d", i))
		}
		values := payload.NewEnumValues(want...)
		for _, value := range want {
			if !values.Has(value) {
				t.Errorf("%q is not found among %d", value, count)
			}
		}
		if values.Has("value -1") {
			t.Errorf("a value that is not there is found among %d", count)
		}
		if got := values.All(); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestEnumValuesDoNotChange(t *testing.T) {
	values := payload.NewEnumValues(1, 2)
	values.All()[0] = 3
	if got := values.All(); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("got %v after a caller changed its copy", got)
	}
}
