package pointer_test

import (
	"net/url"
	"testing"

	"github.com/babelqueue/bqgen/internal/pointer"
)

func TestFragmentsDecodeToPointers(t *testing.T) {
	for _, name := range []string{"", "a", "a/b", "~", "~1", "/~/", "%2f ü", "\x00#?"} {
		fragment, err := url.PathUnescape(pointer.EscapeFragment(name))
		if err != nil || fragment != pointer.Escape(name) {
			t.Errorf("EscapeFragment(%q) decodes to %q, %v, want %q", name, fragment, err, pointer.Escape(name))
		}
	}
}
