package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/connect"
	"github.com/babelqueue/bqgen/internal/provision"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
)

func newProvision() *cobra.Command {
	var c connecting
	var yes, deduplicate bool
	var partitions []string
	cmd := &cobra.Command{
		Use:   "provision",
		Short: "Create the topics and subscriptions that a catalog needs",
		Long: `Provision creates what a catalog needs before the first message is published: Pulsar discards what
nobody subscribes to. It shows its plan; with --yes it carries it out. It changes and deletes nothing
that exists, except that --set-deduplication turns deduplication on for the namespaces. It creates no
tenants and no namespaces.` + connectionHelp,
		Example: "  bqgen provision\n  bqgen provision --partitions orders=4 --yes",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.check(cmd); err != nil {
				return err
			}
			wish, err := parsePartitions(partitions)
			if err != nil {
				return &usageError{cmd.CommandPath(), err}
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			api, state, err := c.look(ctx, cmd, wish)
			if err != nil {
				return err
			}
			if len(state.Unknown) > 0 {
				return fmt.Errorf("what could not be found out: %s", strings.Join(state.Unknown, "; "))
			}
			steps := state.Plan(deduplicate)
			if yes && len(steps) > 0 {
				if err := c.checkURLs(ctx, cmd, api, state); err != nil {
					return err
				}
			}
			out := planJSON{Plan: []stepJSON{}, Notes: append([]string{}, state.Notes...)}
			carryOut := func() error { return nil }
			if yes {
				carryOut = func() error {
					return provision.Apply(ctx, api, steps, func(s provision.Step) {
						out.Done++
						if !c.isJSON() {
							fmt.Fprintf(cmd.OutOrStdout(), "done: %s\n", s)
						}
					})
				}
			}
			for _, s := range steps {
				out.Plan = append(out.Plan, stepJSON(s))
			}
			if c.isJSON() {
				failed := carryOut()
				return errors.Join(printJSON(cmd.OutOrStdout(), out), failed)
			}
			printPlan(cmd, state.Notes, steps, yes)
			return carryOut()
		},
	}
	c.flags(cmd)
	c.subscriptionFlag(cmd)
	c.deadLetterSubscriptionFlag(cmd)
	cmd.Flags().BoolVar(&yes, "yes", false, "carry the plan out")
	cmd.Flags().BoolVar(&deduplicate, "set-deduplication", false, "turn on deduplication of the namespaces")
	cmd.Flags().StringArrayVar(&partitions, "partitions", nil, "create the topic of `QUEUE=N` with N partitions")
	return cmd
}

// checkURLs returns an error if the admin API is of another cluster than the service URL, if there is one.
func (c *connecting) checkURLs(
	ctx context.Context, cmd *cobra.Command, api *admin.API, state *provision.State,
) error {
	config, err := c.resolve(cmd)
	if err != nil || config.Get(connect.ServiceURL) == "" {
		return err
	}
	client, err := c.pulsar(ctx, cmd, config)
	if err != nil {
		return err
	}
	defer client.Close()
	for _, t := range state.Topics {
		if t.Topic != nil {
			return checkSameCluster(ctx, client, api, t.Topic.Name)
		}
	}
	// There is no topic yet. One that is not persistent leaves nothing behind.
	return checkSameCluster(ctx, client, api, fmt.Sprintf("non-persistent://%s/bqgen-%s",
		topic.Namespace(state.Topics[0].Need.Topic), rand.Text()))
}

// The JSON of provision.
type (
	planJSON struct {
		Plan  []stepJSON `json:"plan"`
		Done  int        `json:"done"` // how many steps were carried out
		Notes []string   `json:"notes"`
	}
	stepJSON struct {
		Topic        string `json:"topic,omitempty"`
		Partitions   int    `json:"partitions,omitempty"`
		Subscription string `json:"subscription,omitempty"`
		Namespace    string `json:"set_deduplication_of,omitempty"`
	}
)

func printPlan(cmd *cobra.Command, notes []string, steps []provision.Step, yes bool) {
	for _, n := range notes {
		fmt.Fprintln(cmd.OutOrStdout(), "note: "+text.Escape(n))
	}
	if len(steps) == 0 {
		fmt.Fprintln(cmd.OutOrStdout(), "nothing is missing")
		return
	}
	if yes {
		return
	}
	for _, s := range steps {
		fmt.Fprintln(cmd.OutOrStdout(), s)
	}
	fmt.Fprintln(cmd.ErrOrStderr(), "this is the plan; --yes carries it out")
}

// parsePartitions reads QUEUE=N.
func parsePartitions(texts []string) (func(queue string) int, error) {
	wishes := map[string]int{}
	for _, s := range texts {
		queue, count, ok := strings.Cut(s, "=")
		n, err := strconv.Atoi(count)
		if !ok || err != nil || n < 1 || n > maxPartitions {
			return nil, fmt.Errorf("--partitions: %q is not QUEUE=N with N from 1 to %d", s, maxPartitions)
		}
		wishes[queue] = n
	}
	return func(queue string) int { return wishes[queue] }, nil
}

const maxPartitions = 1000
