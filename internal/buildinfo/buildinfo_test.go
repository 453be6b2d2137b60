package buildinfo

import (
	"runtime/debug"
	"testing"
)

func TestTextIsWhatTheGoCommandRecorded(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	tests := []struct {
		name string
		info debug.BuildInfo
		want string
	}{
		{"a release", debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "v1.2.3"}},
			"bqgen v1.2.3 (go1.26.0)"},
		{"a working tree", debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "(devel)"}},
			"bqgen (devel) (go1.26.0)"},
		{"no version", debug.BuildInfo{GoVersion: "go1.26.0"}, "bqgen (devel) (go1.26.0)"},
		{"a revision", debug.BuildInfo{GoVersion: "go1.26.0", Settings: []debug.BuildSetting{
			setting("vcs.revision", "0123456789abcdef0123"), setting("vcs.modified", "false"),
		}}, "bqgen (devel) (go1.26.0, revision 0123456789ab)"},
		{"a changed revision", debug.BuildInfo{GoVersion: "go1.26.0", Settings: []debug.BuildSetting{
			setting("vcs.revision", "0123456"), setting("vcs.modified", "true"),
		}}, "bqgen (devel) (go1.26.0, revision 0123456 with changes)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := describe(&tt.info); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
