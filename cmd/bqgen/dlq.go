package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/deadletters"
	"github.com/babelqueue/bqgen/internal/moment"
	"github.com/babelqueue/bqgen/internal/topology"
)

func newDLQ() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dlq",
		Short: "List, show, redrive and drop dead letters",
		Long: `Dlq works on the dead letters of a queue, or of a service of a queue. Looking at them touches nothing:
bqgen reads what the subscription has not acknowledged, which it learns from the admin API.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{cmd.CommandPath(), errors.New("name a command: list, show, redrive or drop")}
			}
			return &usageError{cmd.CommandPath(), unknownCommand(cmd, args[0])}
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(newDLQList(), newDLQShow(), newDLQRedrive(), newDLQDrop())
	return cmd
}

// A lettering is the flags that all commands of dlq have.
type lettering struct {
	connecting
	service string
	urns    []string
	reasons []string
	ids     []string
	since   string
	limit   int

	filter deadletters.Filter
	client pulsar.Client
	api    *admin.API
	group  *topology.Group
}

func (l *lettering) flags(cmd *cobra.Command) {
	l.connecting.flags(cmd)
	serviceFlag(cmd, &l.service)
	l.deadLetterSubscriptionFlag(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&l.urns, "urn", nil, "only messages of this `URN`; may be repeated")
	f.StringArrayVar(&l.reasons, "reason", nil, "only this `REASON`: failed, poison, unknown_urn, gated or other")
	f.StringArrayVar(&l.ids, "id", nil, "only the message with this meta.`ID`; may be repeated")
	f.StringVar(&l.since, "since", "", "only what failed since: a `TIME` or how long ago, "+moment.Forms)
	f.IntVar(&l.limit, "limit", 0, "at most `N`, the oldest of each partition first")
}

// open connects, and returns the dead letters of a queue.
func (l *lettering) open(ctx context.Context, cmd *cobra.Command, queue string) (*deadletters.Box, error) {
	if err := l.check(cmd); err != nil {
		return nil, err
	}
	t, err := l.topology(cmd)
	if err != nil {
		return nil, err
	}
	if l.group, err = t.Group(queue, l.service); err != nil {
		return nil, &usageError{cmd.CommandPath(), err}
	}
	if err := l.readFilter(); err != nil {
		return nil, &usageError{cmd.CommandPath(), err}
	}
	config, err := l.resolve(cmd)
	if err != nil {
		return nil, err
	}
	if l.client, err = l.pulsar(ctx, cmd, config); err != nil {
		return nil, err
	}
	var api deadletters.API
	if config.NeedAdmin() == nil {
		if l.api, err = l.admin(config); err != nil {
			return nil, err
		}
		_, err := l.api.Topic(ctx, l.group.DeadLetters)
		switch {
		case l.group.DeadLetters == "": // Open says so
		case errors.Is(err, admin.ErrForbidden):
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: %v\n", err)
		case err != nil:
			return nil, err
		default:
			api = l.api
		}
	}
	box, err := deadletters.Open(l.client, api, t, l.group)
	if err == nil && !box.KnowsWhatWaits() {
		fmt.Fprintln(cmd.ErrOrStderr(), "without the admin API this is what is on the topic, not what waits")
	}
	return box, err
}

func (l *lettering) readFilter() (err error) {
	l.filter = deadletters.Filter{URNs: l.urns, Reasons: l.reasons, IDs: l.ids, Limit: l.limit}
	for _, r := range l.reasons {
		if !slices.Contains(deadletters.Reasons(), r) {
			return fmt.Errorf("--reason: there is no reason %q", r)
		}
	}
	if l.limit < 0 {
		return errors.New("--limit: give a number of 1 or more")
	}
	if l.since != "" {
		if l.filter.Since, err = moment.Parse(l.since, time.Now(), time.Local); err != nil {
			return fmt.Errorf("--since: %w", err)
		}
	}
	return nil
}

func (l *lettering) close() {
	if l.client != nil {
		l.client.Close()
	}
}
