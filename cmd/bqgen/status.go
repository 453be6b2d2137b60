package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/provision"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topology"
)

func newStatus() *cobra.Command {
	var c connecting
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the topics, subscriptions and dead letters of a catalog on a cluster",
		Long: `Status asks the admin API what a catalog needs and what there is: topics, subscriptions, what waits,
what consumers have, dead letters. It changes nothing. The exit code is 1 when something is missing,
and 2 when something could not be found out.` + connectionHelp,
		Example: "  bqgen status --admin-url http://localhost:8080\n  bqgen status --namespace acme/staging --format json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.check(cmd); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			api, state, err := c.look(ctx, cmd, func(string) int { return 0 })
			if err != nil {
				return err
			}
			switch err := c.checkURLs(ctx, cmd, api, state); {
			case errors.Is(err, errOtherCluster):
				return err
			case err != nil: // the broker is not needed
				fmt.Fprintf(cmd.ErrOrStderr(), "warning: whether both URLs are of one cluster is not known: %s\n",
					text.Escape(err.Error()))
			}
			return c.printStatus(cmd, state)
		},
	}
	c.flags(cmd)
	c.subscriptionFlag(cmd)
	c.deadLetterSubscriptionFlag(cmd)
	return cmd
}

// look compares the catalog with the cluster.
func (c *connecting) look(
	ctx context.Context, cmd *cobra.Command, partitions func(string) int,
) (*admin.API, *provision.State, error) {
	t, err := c.topology(cmd)
	if err != nil {
		return nil, nil, err
	}
	config, err := c.resolve(cmd)
	if err != nil {
		return nil, nil, err
	}
	api, err := c.admin(config)
	if err != nil {
		return nil, nil, err
	}
	state, err := lookAt(ctx, api, t, partitions)
	return api, state, err
}

func lookAt(
	ctx context.Context, api *admin.API, t *topology.Topology, partitions func(string) int,
) (*provision.State, error) {
	needs := provision.Needs(t, partitions)
	if err := provision.Check(ctx, api, needs); err != nil {
		return nil, err
	}
	return provision.Look(ctx, api, needs)
}

// The JSON of status.
type (
	statusJSON struct {
		Topics  []statusTopic   `json:"topics"`
		Missing []statusMissing `json:"missing"`
		Notes   []string        `json:"notes"`
		Unknown []string        `json:"unknown"`
	}
	statusTopic struct {
		Topic         string               `json:"topic"`
		DeadLetters   bool                 `json:"dead_letters"`
		Exists        bool                 `json:"exists"`
		Partitions    int                  `json:"partitions"`
		Deduplication bool                 `json:"deduplication"`
		Subscriptions []statusSubscription `json:"subscriptions"`
	}
	statusSubscription struct {
		Name      string   `json:"name"`
		Needed    bool     `json:"needed"`
		Type      string   `json:"type"`
		Backlog   int64    `json:"backlog"`
		Delayed   int64    `json:"delayed"`
		Unacked   int64    `json:"unacknowledged"`
		Consumers []string `json:"consumers"`
		Oldest    *string  `json:"oldest"`
	}
	statusMissing struct {
		Topic        string `json:"topic"`
		Subscription string `json:"subscription,omitempty"`
		Cost         string `json:"cost"`
	}
)

func (c *connecting) printStatus(cmd *cobra.Command, s *provision.State) error {
	var err error
	if c.isJSON() {
		err = printJSON(cmd.OutOrStdout(), statusOf(s))
	} else {
		err = printStatusTable(cmd, s)
	}
	switch {
	case err != nil:
		return err
	case len(s.Unknown) > 0:
		return fmt.Errorf("what could not be found out: %s", strings.Join(s.Unknown, "; "))
	case len(s.Missing) > 0:
		return errFindings
	}
	return nil
}

func statusOf(s *provision.State) statusJSON {
	out := statusJSON{
		Topics: []statusTopic{}, Missing: []statusMissing{},
		Notes: append([]string{}, s.Notes...), Unknown: append([]string{}, s.Unknown...),
	}
	for _, t := range s.Topics {
		row := statusTopic{
			Topic: t.Need.Topic, DeadLetters: t.Need.IsDeadLetters, Exists: t.Topic != nil,
			Subscriptions: []statusSubscription{},
		}
		if t.Topic != nil {
			row.Partitions, row.Deduplication = t.Topic.Partitions, t.Topic.Deduplicates
			for _, sub := range t.Topic.Subscriptions {
				row.Subscriptions = append(row.Subscriptions, statusSubscription{
					Name: sub.Name, Needed: isNeeded(t.Need, sub.Name), Type: sub.Type, Backlog: sub.Backlog, Delayed: sub.Delayed,
					Unacked: sub.Unacked, Consumers: append([]string{}, sub.Consumers...), Oldest: stamp(sub.Oldest),
				})
			}
		}
		out.Topics = append(out.Topics, row)
	}
	for _, m := range s.Missing {
		out.Missing = append(out.Missing, statusMissing(m))
	}
	return out
}

func isNeeded(n *provision.Need, name string) bool {
	for _, s := range n.Subscriptions {
		if s.Name == name {
			return true
		}
	}
	return false
}

func printStatusTable(cmd *cobra.Command, s *provision.State) error {
	now := time.Now()
	t := newTable(cmd.OutOrStdout(), "TOPIC", "PARTITIONS", "SUBSCRIPTION", "TYPE", "BACKLOG", "DELAYED", "UNACKED",
		"CONSUMERS", "OLDEST")
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	for _, row := range s.Topics {
		if row.Topic == nil {
			t.row(row.Need.Topic, "-", "-", "-", "-", "-", "-", "-", "-")
			continue
		}
		parts := strconv.Itoa(row.Topic.Partitions)
		if len(row.Topic.Subscriptions) == 0 {
			t.row(row.Need.Topic, parts, "-", "-", "-", "-", "-", "-", "-")
		}
		for _, sub := range row.Topic.Subscriptions {
			kind := sub.Type
			if kind == "" {
				kind = "-"
			}
			t.row(row.Need.Topic, parts, sub.Name, kind, number(sub.Backlog), number(sub.Delayed), number(sub.Unacked),
				strconv.Itoa(len(sub.Consumers)), age(now, sub.Oldest))
		}
	}
	if err := t.flush(); err != nil {
		return err
	}
	for _, m := range s.Missing {
		fmt.Fprintln(cmd.OutOrStdout(), text.Escape(m.String()))
	}
	for _, n := range s.Notes {
		fmt.Fprintln(cmd.OutOrStdout(), "note: "+text.Escape(n))
	}
	return nil
}
