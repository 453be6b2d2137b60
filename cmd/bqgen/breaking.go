package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/babelqueue/bqgen/internal/report"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/compat"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/gonames"
	"github.com/spf13/cobra"
)

func newBreaking() *cobra.Command {
	var b breaking
	cmd := &cobra.Command{
		Use:   "breaking",
		Short: "Say what a change of the catalog breaks, and for whom",
		Long: `breaking compares a catalog with an earlier one, a file or what git has, and says of each change whether it breaks
consumers reading new messages, producers of old messages, Go source only, or nothing. It changes nothing, and asks no
remote repository.

With a break comes a document that shows it: a payload that one side writes and the other refuses. Changes that break
consumers or producers make the exit code 1; with --strict those that break Go source do too.`,
		Example: "  bqgen breaking --catalog urns.yaml --against-git origin/main\n  bqgen breaking --catalog urns.yaml --against old.yaml\n  bqgen breaking --rules",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := b.reporting.check(cmd); err != nil {
				return err
			}
			if b.rules {
				return listBreakingRules(cmd)
			}
			return b.run(cmd)
		},
	}
	cmd.Flags().StringVar(&b.catalog, "catalog", "urns.yaml", "the catalog `FILE`")
	cmd.Flags().StringVar(&b.against, "against", "", "the earlier catalog, a `FILE`")
	cmd.Flags().StringVar(&b.againstGit, "against-git", "", "the earlier catalog in git, `REF[:PATH]`; the PATH counts from the top of the repository (default: where the catalog is)")
	cmd.Flags().BoolVar(&b.hideSafe, "hide-safe", false, "leave out what breaks nothing")
	cmd.Flags().BoolVar(&b.rules, "rules", false, "list the kinds of changes and whom they break")
	b.reporting.flags(cmd)
	return cmd
}

// A breaking is a comparison, as flags say.
type breaking struct {
	reporting
	catalog    string
	against    string
	againstGit string
	hideSafe   bool
	rules      bool
}

func (b *breaking) run(cmd *cobra.Command) error {
	if (b.against == "") == (b.againstGit == "") {
		return &usageError{cmd.CommandPath(), errors.New("say what to compare with: either --against FILE or --against-git REF")}
	}
	c, findings, err := load.Load(b.catalog)
	if err != nil {
		return err
	}
	out := &report.Report{Command: "breaking", Subject: b.catalog, Rules: breakingRules(), Findings: report.FindingsOf(findings)}
	if c == nil {
		return b.print(cmd, out)
	}
	old, oldFindings, err := b.earlier()
	if err != nil {
		return err
	}
	if old == nil {
		// What is wrong with the earlier one cannot be mended in this one: there is nothing to compare with.
		first := oldFindings[0]
		return fmt.Errorf("read the earlier catalog: %v: %s (%s)", first.Pos, first.Message, first.Rule)
	}
	for _, change := range compat.Compare(old, c, compat.Options{OldNames: goNames(old), NewNames: goNames(c)}) {
		if !b.hideSafe || !change.Safe() {
			out.Findings = append(out.Findings, report.Finding{Diagnostic: change.Diagnostic, Details: breakingDetails(change)})
		}
	}
	return b.print(cmd, out)
}

func (b *breaking) earlier() (*schema.Catalog, schema.Diagnostics, error) {
	if b.against != "" {
		return load.Load(b.against)
	}
	return loadFromGit(b.catalog, b.againstGit)
}

func breakingDetails(change *compat.Change) []report.Detail {
	details := []report.Detail{{Name: "direction", Value: change.Direction()}}
	document := func(name string, b *compat.Break) {
		if b != nil {
			text := string(b.Document)
			details = append(details, report.Detail{Name: name, Value: cmp.Or(text, "none could be built; take it as breaking")})
		}
	}
	if change.Consumers == change.Producers {
		document("document", change.Consumers)
	} else {
		document("consumers-refuse", change.Consumers)
		document("producers-wrote", change.Producers)
	}
	if len(change.URNs) > 1 {
		details = append(details, report.Detail{Name: "messages", Value: strings.Join(quoted(change.URNs), ", ")})
	}
	return details
}

func quoted(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = text.Quote(t)
	}
	return out
}

// goNames are what the generated code calls things; nil when no code can be generated.
func goNames(c *schema.Catalog) compat.GoNames {
	planned, findings := gonames.Of(c)
	if findings.HasErrors() {
		return nil
	}
	names := compat.GoNames{}
	for u, n := range planned.Messages {
		names[u] = n.Type
	}
	for q, n := range planned.Queues {
		names[q] = n.Var
	}
	for t, n := range planned.Types {
		names[t] = n
	}
	for p, n := range planned.Fields {
		names[p] = n
	}
	return names
}

func breakingRules() []report.Rule {
	var rules []report.Rule
	for _, r := range compat.Rules() {
		severity := schema.Error
		switch {
		case strings.HasPrefix(r.Effect, compat.BreaksSource):
			severity = schema.Warning
		case strings.HasPrefix(r.Effect, compat.IsSafe):
			severity = schema.Note
		}
		rules = append(rules, report.Rule{ID: r.ID, Purpose: r.Purpose, Severity: severity})
	}
	return rules
}

func listBreakingRules(cmd *cobra.Command) error {
	out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, r := range compat.Rules() {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", r.ID, r.Keyword, r.Effect, r.Purpose)
	}
	return out.Flush()
}
