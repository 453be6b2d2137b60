package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

const (
	exitOK       = 0
	exitFindings = 1 // the catalog or the generated files need work
	exitFailed   = 2 // the run itself failed
)

// errFindings ends a run whose findings are printed already.
var errFindings = errors.New("the catalog or the generated files need work")

// A usageError is a command line that bqgen does not understand.
type usageError struct {
	command string
	err     error
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// run is the whole command line: it runs bqgen with arguments and gives its exit code.
func run(args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	var usage *usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "bqgen: %v\nRun '%s --help' for usage.\n", strings.TrimSpace(err.Error()), usage.command)
	default:
		fmt.Fprintf(stderr, "bqgen: %v\n", err)
	}
	return exitFailed
}

// newRoot builds the command tree. Without a command, bqgen generates.
func newRoot() *cobra.Command {
	var t target
	root := &cobra.Command{
		Use:   "bqgen",
		Short: "Typed publishers and handlers for Apache Pulsar from a catalog of messages",
		Long: `bqgen turns urns.yaml, a catalog of messages, into Go: typed publishers and handlers for Apache Pulsar.
Without a command it generates.

Exit codes: 0 all is well; 1 the catalog or the generated files need work; 2 the run itself failed.
Findings go to standard output, what troubles the run to standard error.`,
		Version:       versionText(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return &usageError{cmd.CommandPath(), unknownCommand(cmd, args[0])}
		},
	}
	root.RunE = func(cmd *cobra.Command, _ []string) error { return generate(cmd, &t) }
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return &usageError{cmd.CommandPath(), err} })
	root.SetVersionTemplate("{{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SuggestionsMinimumDistance = 2
	t.flags(root)
	root.AddCommand(newGenerate(), newCheck(), newInit(), newLint(), newBreaking(), newFmt(), newVersion(), newDocs(), newExport(), newSchema())
	return root
}

func unknownCommand(cmd *cobra.Command, name string) error {
	text := fmt.Sprintf("unknown command %q", name)
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		text += fmt.Sprintf("; did you mean %s?", strings.Join(near, " or "))
	}
	return errors.New(text)
}

// noArgs refuses what a command would not look at.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return &usageError{cmd.CommandPath(), fmt.Errorf("unexpected argument %q", args[0])}
}
