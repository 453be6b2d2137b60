package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/internal/deadletters"
	"github.com/babelqueue/bqgen/internal/inspect"
	"github.com/babelqueue/bqgen/internal/text"
)

func newDLQShow() *cobra.Command {
	var l lettering
	cmd := &cobra.Command{
		Use:   "show QUEUE --id ID",
		Short: "Show dead letters in full, and whether they would be accepted now",
		Long: `Show prints dead letters: why and when they failed, their properties, and the payload, checked against
today's schema. It says whether a consumer of today's catalog would give the message to a handler; it
runs no handler. It touches nothing.` + connectionHelp,
		Example: "  bqgen dlq show orders --id 5f0c6f6e-3d0b-4a52-9d5e-0b8a7c1d2e3f",
		Args:    oneQueue,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(l.ids) == 0 {
				return &usageError{cmd.CommandPath(), errors.New("--id: name the message")}
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			box, err := l.open(ctx, cmd, args[0])
			defer l.close()
			if err != nil {
				return err
			}
			met := map[string]bool{}
			err = box.All(ctx, func(letter *deadletters.Letter, waits bool) error {
				if !l.filter.Chooses(letter) {
					return nil
				}
				if !waits {
					fmt.Fprintf(cmd.ErrOrStderr(), "%s was on the topic at %s and has gone by: it was redriven or dropped\n",
						text.Escape(letter.Message.ID), inspect.MessageID(letter.Raw))
					return nil
				}
				met[letter.Message.ID] = true
				if l.isJSON() {
					return printJSON(cmd.OutOrStdout(), letterOf(letter))
				}
				return showLetter(cmd.OutOrStdout(), letter)
			})
			if err != nil {
				return err
			}
			return missingIDs(cmd, l.ids, func(id string) bool { return met[id] })
		},
	}
	l.flags(cmd)
	return cmd
}

// missingIDs names the ids that were not met, which makes the answer no.
func missingIDs(cmd *cobra.Command, ids []string, met func(string) bool) error {
	var err error
	for _, id := range ids {
		if !met(id) {
			fmt.Fprintf(cmd.ErrOrStderr(), "no dead letter with the id %s waits\n", text.Escape(text.Shorten(id, maxCell)))
			err = errFindings
		}
	}
	return err
}

func showLetter(w io.Writer, l *deadletters.Letter) error {
	m := l.Message
	row := func(name, value string) { fmt.Fprintf(w, "%-13s %s\n", name, text.Escape(value)) }
	row("id", orDash(m.ID))
	row("urn", orDash(m.URN))
	if m.BodyURN != "" {
		row("urn in body", m.BodyURN)
	}
	row("trace id", orDash(m.TraceID))
	row("reason", l.Reason)
	row("error", l.Error)
	if l.Exception != "" {
		row("exception", l.Exception)
	}
	if l.IsPublishTime {
		row("published at", l.FailedAt.UTC().Format(time.RFC3339))
	} else {
		row("failed at", l.FailedAt.UTC().Format(time.RFC3339))
	}
	row("attempts", fmt.Sprint(l.Attempts))
	row("queue", orDash(l.Queue))
	row("position", inspect.MessageID(l.Raw)+" of "+l.Partition)
	row("key", l.Raw.Key())
	properties := l.Raw.Properties()
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		row("property", name+" = "+properties[name])
	}
	data := m.Data()
	if data == nil || m.Kind == inspect.Poison {
		data = l.Body
	}
	row("payload", string(data))
	for _, f := range m.Faults {
		row("fault", f.Message)
	}
	switch {
	case l.Refusal != "":
		row("redrive", "no: "+l.Refusal)
	case m.Accepted():
		row("accepted now", "yes; the handler was not run")
	default:
		row("accepted now", "no: "+m.Summary())
	}
	_, err := fmt.Fprintln(w)
	return err
}
