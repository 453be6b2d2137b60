package standalone

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTail(t *testing.T) {
	long := strings.Repeat("x", tailBytes)
	for name, tc := range map[string]struct {
		content string
		want    []string
	}{
		"empty":                  {content: "", want: nil},
		"fewer lines than asked": {content: "a\nb\n", want: []string{"a", "b"}},
		"more lines than asked":  {content: "a\nb\nc\nd\n", want: []string{"b", "c", "d"}},
		"no line end":            {content: "a\nb", want: []string{"a", "b"}},
		"windows line ends":      {content: "a\r\nb\r\n", want: []string{"a", "b"}},
		"terminal controls":      {content: "\x1b[31mred\a\tx\xff\n", want: []string{"?[31mred? x\ufffd"}},
		"first line is cut":      {content: long + "\nb\nc\n", want: []string{"b", "c"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte(tc.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, tail(path, 3)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if got := tail(filepath.Join(t.TempDir(), "missing"), 3); got != nil {
		t.Errorf("a missing file has lines: %q", got)
	}
}
