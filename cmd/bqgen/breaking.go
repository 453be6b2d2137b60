package main

import (
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/babelqueue/bqgen/internal/review"
	"github.com/babelqueue/bqgen/schema/compat"
	"github.com/spf13/cobra"
)

// A breaking is the flags of a comparison.
type breaking struct {
	reporting
	catalog    string
	against    string
	againstGit string
	hideSafe   bool
	rules      bool
}

func newBreaking() *cobra.Command {
	var b breaking
	cmd := &cobra.Command{
		Use:   "breaking",
		Short: "Compare two versions of a catalog for breaking changes",
		Long: `Breaking compares a catalog with an earlier version, in a file or in git, and reports whether each
change breaks consumers reading new messages, producers of old messages, Go source only, or nothing.
It changes nothing and contacts no remote repository.

A break comes with a document that shows it: a payload that one side writes and the other refuses.
Changes that break consumers or producers make the exit code 1; with --strict those that break Go
source do too. A comment in the catalog accepts a change, and gives the reason: # bqgen:ignore RULE
[of=NAME] [until=YYYY-MM-DD] reason.`,
		Example: `  bqgen breaking --catalog urns.yaml --against-git origin/main
  bqgen breaking --catalog urns.yaml --against old.yaml
  bqgen breaking --rules`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := b.check(cmd); err != nil {
				return err
			}
			if b.rules {
				return listBreakingRules(cmd)
			}
			return b.run(cmd)
		},
	}
	catalogFlag(cmd, &b.catalog)
	cmd.Flags().StringVar(&b.against, "against", "", "the earlier version, a `FILE`")
	cmd.Flags().StringVar(&b.againstGit, "against-git", "",
		"the earlier version in git, `REF[:PATH]`; PATH is from the top of the repository (default: that of the catalog)")
	cmd.Flags().BoolVar(&b.hideSafe, "hide-safe", false, "leave out changes that break nothing")
	cmd.Flags().BoolVar(&b.rules, "rules", false, "list the kinds of changes and whom they break")
	b.formatFlag(cmd)
	b.strictFlag(cmd)
	return cmd
}

func (b *breaking) run(cmd *cobra.Command) error {
	if (b.against == "") == (b.againstGit == "") {
		return &usageError{cmd.CommandPath(), errors.New("use either --against FILE or --against-git REF")}
	}
	earlier := review.InFile(b.against)
	if b.againstGit != "" {
		earlier = review.InGit(b.catalog, b.againstGit)
	}
	o := review.BreakingOptions{HideSafe: b.hideSafe, Today: time.Now()}
	findings, err := review.Breaking(b.catalog, earlier, o)
	if err != nil {
		return err
	}
	return b.print(cmd, findings)
}

func listBreakingRules(cmd *cobra.Command) error {
	out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, r := range compat.Rules() {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", r.ID, r.Keyword, r.Effect, r.Purpose)
	}
	return out.Flush()
}
