package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/babelqueue/bqgen/internal/buildinfo"
	"github.com/babelqueue/bqgen/internal/console"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/spf13/cobra"
)

const (
	exitOK       = 0
	exitFindings = 1 // the catalog or the generated files have to change
	exitFailed   = 2 // the run itself failed
	exitClosed   = 3 // nobody reads the output any more, which is fine; the process exits with 0
)

// errFindings ends a run whose findings were printed before.
var errFindings = errors.New("there are findings")

// errClosed ends a run whose output nobody reads any more, as that of tail in front of head.
var errClosed = errors.New("the output was closed")

// A usageError is a command line that bqgen does not understand.
type usageError struct {
	command string
	err     error
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// run runs bqgen with arguments and returns its exit code. All that it prints is made harmless; see [console.Writer].
func run(args []string, stdout, stderr io.Writer) int {
	out, errs := console.New(stdout), console.New(stderr)
	code := execute(args, out, errs)
	if code == exitClosed {
		return exitOK
	}
	if err := out.Flush(); err != nil && code != exitFailed {
		fmt.Fprintf(errs, "bqgen: %v\n", err)
		code = exitFailed
	}
	if errs.Flush() != nil {
		return exitFailed
	}
	return code
}

func execute(args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if bug := recover(); bug != nil { // its text may be a catalog's
			fmt.Fprintf(stderr, "bqgen: this is a bug in bqgen: %v\n%s", bug, debug.Stack())
			code = exitFailed
		}
	}()
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
	case errors.Is(err, errClosed):
		return exitClosed
	case errors.As(err, &usage):
		message := text.Escape(strings.TrimSpace(err.Error()))
		fmt.Fprintf(stderr, "bqgen: %s\nRun '%s --help' for usage.\n", message, usage.command)
	default:
		fmt.Fprintf(stderr, "bqgen: %s\n", text.Escape(err.Error()))
	}
	return exitFailed
}

// newRoot builds the command tree. Without a command, bqgen generates code.
func newRoot() *cobra.Command {
	var t targeting
	var w writing
	root := &cobra.Command{
		Use:   "bqgen",
		Short: "Generate typed publishers and handlers for Apache Pulsar from a catalog of messages",
		Long: `Bqgen generates Go code from urns.yaml, a catalog of messages: typed publishers and handlers for
Apache Pulsar. Without a command it does what generate does.

Exit codes: 0 all is well; 1 the catalog or the generated files have to change; 2 the run itself failed.
Findings go to standard output, errors of the run to standard error.`,
		Version:       buildinfo.Text(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return &usageError{cmd.CommandPath(), unknownCommand(cmd, args[0])}
		},
	}
	root.RunE = func(cmd *cobra.Command, _ []string) error { return generate(cmd, &t, &w) }
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return &usageError{cmd.CommandPath(), err} })
	root.SetVersionTemplate("{{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SuggestionsMinimumDistance = 2
	t.flags(root)
	w.flag(root)
	root.AddCommand(newInit(), newImport(), newGenerate(), newCheck(), newFmt(), newLint(), newBreaking(), newDocs(),
		newExport(), newSend(), newTail(), newDLQ(), newReplay(), newStatus(), newProvision(), newSchema(), newVersion())
	return root
}

func unknownCommand(cmd *cobra.Command, name string) error {
	message := fmt.Sprintf("unknown command %q", name)
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		message += fmt.Sprintf("; did you mean %s?", strings.Join(near, " or "))
	}
	return errors.New(message)
}

// noArgs refuses arguments: all commands take flags only.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return &usageError{cmd.CommandPath(), fmt.Errorf("unexpected argument %q", args[0])}
}
