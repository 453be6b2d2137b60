package main

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/internal/report"
	"github.com/babelqueue/bqgen/internal/review"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/importer"
)

// An importing is the flags of an import.
type importing struct {
	reporting // its strict is not used: Strict makes errors of losses only
	review.ImportOptions
	to writing
}

func newImport() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Import JSON Schemas or AsyncAPI documents into a new catalog",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{cmd.CommandPath(), errors.New("name a format: jsonschema or asyncapi")}
			}
			return &usageError{cmd.CommandPath(), unknownCommand(cmd, args[0])}
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(newImportJSONSchema(), newImportAsyncAPI())
	return cmd
}

const importLong = `
What a catalog cannot express is left out or becomes the widest type that can stand there, with a
comment that shows what it was, a finding, and a line in the summary on standard error. Nothing is
read from the network or from outside of the root. The catalog must not exist yet.`

func newImportJSONSchema() *cobra.Command {
	return importCommand("jsonschema PATH[#/POINTER]...", "Import JSON Schemas, one for each payload",
		`Jsonschema writes a catalog with a message for each schema: a file, or the part of one that a JSON
Pointer leads to. It reads drafts 04 to 2020-12, as JSON or YAML, and follows references by path, $id
and anchor to files below the root.
`+importLong,
		"  bqgen import jsonschema order.json 'common.json#/$defs/Refund' --out urns.yaml",
		review.ImportJSONSchema)
}

func newImportAsyncAPI() *cobra.Command {
	return importCommand("asyncapi FILE...", "Import AsyncAPI documents, of versions 2 and 3",
		`Asyncapi writes a catalog with a queue for each channel and a message for each message. Operations
become publishers and consumers.
`+importLong,
		"  bqgen import asyncapi asyncapi.yaml --out urns.yaml", review.ImportAsyncAPI)
}

type importFunc func(review.ImportOptions) (*report.Report, []importer.Loss, error)

func importCommand(use, short, long, example string, do importFunc) *cobra.Command {
	var i importing
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Example: example,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{cmd.CommandPath(), errors.New("name a file to import")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			i.Sources = args
			return i.run(cmd, do)
		},
	}
	cmd.Flags().StringVar(&i.Out, "out", "urns.yaml", "the catalog `FILE` to write")
	cmd.Flags().StringVar(&i.Root, "root", "",
		"the `DIR` that everything is read from (default: the deepest folder that holds all files)")
	cmd.Flags().StringVar(&i.Package, "package", "", "the `NAME` of the Go package (default: made from the first file's)")
	cmd.Flags().StringVar(&i.Queue, "queue", "",
		"the `NAME` of the queue of all messages (default: one for each channel, or one named like the package)")
	cmd.Flags().StringVar(&i.Prefix, "urn-prefix", "", "the `TEXT` that URNs start with (default: urn:babel:PACKAGE:)")
	cmd.Flags().BoolVar(&i.KeepUndeclared, "keep-undeclared", false,
		"keep members that the schemas do not declare, so that messages can be sent on with them")
	cmd.Flags().BoolVar(&i.Strict, "strict", false, "exit with 1, and write nothing, if something cannot be carried over")
	i.formatFlag(cmd)
	i.to.flag(cmd)
	return cmd
}

func (i *importing) run(cmd *cobra.Command, do importFunc) error {
	if err := i.check(cmd); err != nil {
		return err
	}
	if cmd.Flags().Changed("package") {
		if err := schema.CheckPackageName(i.Package); err != nil {
			return &usageError{cmd.CommandPath(), fmt.Errorf("--package: %w", err)}
		}
	}
	if i.Queue != "" {
		if err := topic.Check(i.Queue); err != nil {
			return &usageError{cmd.CommandPath(), fmt.Errorf("--queue: %q is to be a topic: %w", i.Queue, err)}
		}
	}
	if err := checkPrefix(i.Prefix); err != nil {
		return &usageError{cmd.CommandPath(), fmt.Errorf("--urn-prefix: %w", err)}
	}
	if err := i.to.check(i.Out); err != nil {
		return err
	}
	i.Command = commandName(cmd)
	findings, losses, err := do(i.ImportOptions)
	if err != nil {
		return err
	}
	err = i.print(cmd, findings)
	for _, line := range review.LossSummary(losses) {
		fmt.Fprintf(cmd.ErrOrStderr(), "bqgen %s: %s\n", i.Command, line)
	}
	return err
}

// urnPrefix is the start of a URN, up to a separator.
var urnPrefix = regexp.MustCompile(`^urn:([^\s\pC]*[^\s\pC\pL\pN])?$`)

// checkPrefix refuses a prefix that makes no URNs, or runs into the names behind it.
func checkPrefix(prefix string) error {
	if prefix != "" && !urnPrefix.MatchString(prefix) {
		return fmt.Errorf("%q does not start with urn: and end in a separator, as urn:babel:orders: does", prefix)
	}
	return nil
}
