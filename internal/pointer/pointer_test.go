package pointer_test

import (
	"testing"

	"github.com/babelqueue/bqgen/internal/pointer"
)

func TestSegmentsAreEscapedAndBack(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "a": "a", "a/b": "a~1b", "~": "~0", "~1": "~01", "~0/": "~00~1", "ü": "ü",
	} {
		if got := pointer.Escape(name); got != want {
			t.Errorf("Escape(%q) is %q, want %q", name, got, want)
		}
		if got := string(pointer.Append(nil, name)); got != "/"+want {
			t.Errorf("Append(%q) is %q, want %q", name, got, "/"+want)
		}
		if back, ok := pointer.Unescape(want); !ok || back != name {
			t.Errorf("Unescape(%q) is %q, %v, want %q", want, back, ok, name)
		}
	}
	if got := pointer.Join("a/b", "", "c~"); got != "/a~1b//c~0" {
		t.Errorf("Join is %q", got)
	}
}

func TestUnescapeRefusesOtherEscapes(t *testing.T) {
	for _, segment := range []string{"~", "a~", "~2", "~~0", "~0~"} {
		if name, ok := pointer.Unescape(segment); ok {
			t.Errorf("Unescape(%q) is %q, want it refused", segment, name)
		}
	}
}
