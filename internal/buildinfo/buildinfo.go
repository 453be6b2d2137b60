// Package buildinfo describes the running bqgen by what the go command recorded in it.
package buildinfo

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// Text returns one line with the version of bqgen and of Go.
func Text() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "bqgen (unknown version)"
	}
	return describe(info)
}

// Version returns the version of bqgen alone. It is empty when the go command recorded none.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" {
		return ""
	}
	return info.Main.Version
}

// describe falls back to the revision: a build from a working tree has no version.
func describe(info *debug.BuildInfo) string {
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	details := []string{info.GoVersion}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if revision := settings["vcs.revision"]; version == "(devel)" && revision != "" {
		revision = revision[:min(12, len(revision))]
		if settings["vcs.modified"] == "true" {
			revision += " with changes"
		}
		details = append(details, "revision "+revision)
	}
	return fmt.Sprintf("bqgen %s (%s)", version, strings.Join(details, ", "))
}
