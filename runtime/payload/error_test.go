package payload

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPayloadErrorIsShort(t *testing.T) {
	violation := func(pointer, value string) Violation {
		return Violation{Pointer: pointer, Rule: RuleType, Message: "want an integer", Value: value}
	}
	for name, tt := range map[string]struct {
		err  Error
		want string
	}{
		"one": {
			Error{Violations: []Violation{violation("/a", `"x"`)}},
			`invalid payload: /a: want an integer, got "x"`,
		},
		"the payload itself": {
			Error{Violations: []Violation{violation("", `[]`)}},
			`invalid payload: payload: want an integer, got []`,
		},
		"without a value": {Error{Violations: []Violation{violation("/a", "")}}, `invalid payload: /a: want an integer`},
		"three": {Error{Violations: []Violation{violation("/a", ""), violation("/b", ""), violation("/c", "")}},
			`invalid payload: /a: want an integer; /b: want an integer; /c: want an integer`},
		"more": {
			Error{
				Violations: []Violation{
					violation("/a", ""), violation("/b", ""), violation("/c", ""), violation("/d", ""),
				},
				More: 5,
			},
			`invalid payload: /a: want an integer; /b: want an integer; /c: want an integer; and 6 more`,
		},
		"a pointer with a line end": {
			Error{Violations: []Violation{violation("/a\nb", "")}}, `invalid payload: "/a\nb": want an integer`,
		},
		"a long pointer": {Error{Violations: []Violation{violation("/"+strings.Repeat("a", 5000), "")}},
			`invalid payload: /` + strings.Repeat("a", 199) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.err.Detail()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			without, _, _ := strings.Cut(tt.want, ", got")
			if got := tt.err.Error(); got != without {
				t.Errorf("F26: got %q, want %q", got, without)
			}
		})
	}
}
