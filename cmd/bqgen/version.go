package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which bqgen this is",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionText())
			return err
		},
	}
}

func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "bqgen (unknown version)"
	}
	return describeBuild(info)
}

// describeBuild gives the version that the go command recorded. A build from a working tree has none; its
// revision has to do then.
func describeBuild(info *debug.BuildInfo) string {
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

// moduleVersion is the version alone; empty when the go command recorded none.
func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" {
		return ""
	}
	return info.Main.Version
}
