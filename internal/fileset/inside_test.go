package fileset

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckInside(t *testing.T) {
	top := t.TempDir()
	mkdir := func(name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(top, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(top, name)); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range []string{
		"repo/.git", "repo/sub/gen", "repo/module/.git", "other/.git", "other/gen", "plain/gen", "plain/below",
	} {
		mkdir(name)
	}
	link(filepath.Join(top, "other"), "repo/out")            // absolute
	link("../../other", "repo/sub/up")                       // relative
	link("sub", "repo/inner")                                // stays inside
	link("../sub", "repo/module/super")                      // leaves the submodule
	link("nowhere/at/all", "repo/dangling")                  // would be made elsewhere
	link("../other/gen", "repo/sub/gen.link")                // leads to nothing
	link(filepath.Join(top, "repo"), "checkout")             // the user's own, on the way
	link("../other", "plain/out")                            // in no repository
	link("out/gen", "repo/twice")                            // through another link
	link("../repo/sub", "other/back")                        // from another repository
	link(filepath.Join(top, "plain", "below"), "plain/here") // stays inside
	for _, tt := range []struct {
		in, path string // ABS/ stands for the folder of all
		outside  bool
	}{
		{"repo", "sub/gen", false}, {"repo", "new/gen", false}, {"repo", ".", false}, {"repo", "inner/gen", false},
		{"repo", "out", true}, {"repo", "out/gen", true}, {"repo", "out/new/deep", true}, {"repo", "sub/up/gen", true},
		{"repo", "module/super", true}, {"repo", "dangling", true}, {"repo", "dangling/a", true}, {"repo", "twice", true},
		{"repo", "sub/gen.link", true}, {"repo", "./sub/../out", true}, {"repo", "out/../sub/gen", false},
		{"repo/sub", "../out", true}, {"repo/sub", "up", true}, {"repo/sub", "../inner", false},
		{"repo", "../other/gen", false}, {"repo", "ABS/other/gen", false}, {"repo", "../other/back", true},
		{"repo", "ABS/repo/out", true}, {"plain", "ABS/repo/out/gen", true}, {"plain", "../repo/sub/gen", false},
		{"checkout", "sub/gen", false}, {"checkout", "out", true}, {"plain", "ABS/checkout/sub", false},
		{"plain", "ABS/checkout/out", true},
		{"plain", "gen", false}, {"plain", "out", true}, {"plain", "here", false}, {"plain", "out/gen", true},
		{"repo/out", "gen", false}, // the user went there
	} {
		t.Run(tt.in+" "+tt.path, func(t *testing.T) {
			t.Chdir(filepath.Join(top, tt.in))
			path := tt.path
			if rest, ok := strings.CutPrefix(path, "ABS/"); ok {
				path = filepath.Join(top, rest)
			}
			if err := CheckInside(path); errors.Is(err, ErrOutside) != tt.outside || !tt.outside && err != nil {
				t.Errorf("error %v, want one: %v", err, tt.outside)
			}
		})
	}
}
