package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/moment"
	"github.com/babelqueue/bqgen/internal/pace"
	"github.com/babelqueue/bqgen/internal/replay"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topology"
)

// A replaying is the flags of replay.
type replaying struct {
	connecting
	service      string
	urns         []string
	since, until string
	to           string
	rate         string
	bypass       bool
	dryRun       bool
	yes          bool
	partial      bool
	gaps         []replay.Gap
}

func newReplay() *cobra.Command {
	var r replaying
	cmd := &cobra.Command{
		Use:   "replay QUEUE --since TIME",
		Short: "Publish messages of a queue again, each once",
		Long: `Replay publishes the messages that a queue's topic still has from a span of time again, each once by
its meta.id: retries and redriven dead letters are copies, and are left out, and so is what the
subscription has not handled yet. The attempts are 0, every other byte stays. By default the messages
go where only the group of consumers sees them that is named: a service's retry topic, or the topic of
a queue without services. Pulsar keeps acknowledged messages only where retention is set: if some of
the span may be gone, replay says from when on there is something, and sends it only with --partial.` + connectionHelp,
		Example: "  bqgen replay orders --service billing --since 2026-03-01 --until 2026-03-02 --dry-run",
		Args:    oneQueue,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.check(cmd); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return r.run(ctx, cmd, args[0])
		},
	}
	r.flags(cmd)
	r.subscriptionFlag(cmd)
	serviceFlag(cmd, &r.service)
	f := cmd.Flags()
	f.StringArrayVar(&r.urns, "urn", nil, "only messages of this `URN`; may be repeated")
	f.StringVar(&r.since, "since", "", "from this `TIME` on, "+moment.Forms)
	f.StringVar(&r.until, "until", "", "up to this `TIME`; by default until now")
	f.StringVar(&r.to, "to", "", "send to this `TOPIC` instead")
	f.StringVar(&r.rate, "rate", "", "at most `N` messages a second, such as 50, 0.5, 50/s or 10/m")
	f.BoolVar(&r.bypass, "bypass", false, "set the property bq-replay-bypass, so that handlers leave out external effects")
	f.BoolVar(&r.dryRun, "dry-run", false, "say what would be sent, and send nothing")
	f.BoolVar(&r.partial, "partial", false, "send what there is, although some of the span may be gone")
	f.BoolVar(&r.yes, "yes", false, "do not ask")
	return cmd
}

func (r *replaying) options(now time.Time) (o replay.Options, rate *pace.Pace, err error) {
	o = replay.Options{URNs: r.urns, Bypass: r.bypass, Until: now}
	if r.since == "" {
		return o, nil, errors.New("--since: say from when on")
	}
	if o.Since, err = moment.Parse(r.since, now, time.Local); err != nil {
		return o, nil, fmt.Errorf("--since: %w", err)
	}
	if r.until != "" {
		if o.Until, err = moment.Parse(r.until, now, time.Local); err != nil {
			return o, nil, fmt.Errorf("--until: %w", err)
		}
	}
	if !o.Since.Before(o.Until) {
		return o, nil, errors.New("--since is not before --until")
	}
	if o.Until.After(now) {
		o.Until = now
	}
	perSecond, err := parseRate(r.rate)
	return o, pace.New(perSecond), err
}

func (r *replaying) run(ctx context.Context, cmd *cobra.Command, queue string) error {
	o, rate, err := r.options(time.Now())
	if err != nil {
		return &usageError{cmd.CommandPath(), err}
	}
	t, err := r.topology(cmd)
	if err != nil {
		return err
	}
	g, err := t.Group(queue, r.service)
	if err != nil {
		return &usageError{cmd.CommandPath(), err}
	}
	config, err := r.resolve(cmd)
	if err != nil {
		return err
	}
	api, err := r.admin(config)
	if err != nil {
		return err
	}
	client, err := r.pulsar(ctx, cmd, config)
	if err != nil {
		return err
	}
	defer client.Close()
	if err := checkSameCluster(ctx, client, api, g.Topic); err != nil {
		return err
	}
	target := g.Retry
	if r.to != "" {
		target = r.to
	}
	plan, err := replay.Run(ctx, client, api, t.Catalog, g, o)
	if err != nil {
		return err
	}
	if r.gaps, err = replay.Gaps(ctx, client, api, g.Topic, o.Since, o.Until); err != nil {
		return err
	}
	for i := range r.gaps {
		fmt.Fprintln(cmd.ErrOrStderr(), text.Escape(r.gaps[i].String()))
	}
	if len(r.gaps) > 0 && !r.partial {
		r.dryRun = true
		fmt.Fprintln(cmd.ErrOrStderr(), "nothing was sent: give --partial to send what there is")
		return errors.Join(r.print(cmd, plan, target), errFindings)
	}
	if r.dryRun || plan.Replayed == 0 {
		return r.print(cmd, plan, target)
	}
	if !r.yes {
		if err := confirm(cmd, r.question(ctx, api, g, plan, target)); err != nil {
			return err
		}
	}
	o.Target, o.Rate = target, rate.Wait
	s, err := replay.Run(ctx, client, api, t.Catalog, g, o)
	return errors.Join(r.print(cmd, s, target), err)
}

// question names all who will see the messages.
func (r *replaying) question(
	ctx context.Context, api *admin.API, g *topology.Group, s *replay.Summary, target string,
) string {
	q := fmt.Sprintf("send %s to %s?", text.Count(s.Replayed, "message"), target)
	seen, err := api.Topic(ctx, target)
	if err != nil {
		return q
	}
	var names []string
	for _, sub := range seen.Subscriptions {
		if sub.Name != g.Subscription {
			names = append(names, text.Escape(sub.Name))
		}
	}
	if len(names) > 0 {
		q += " These subscriptions will see them again too: " + strings.Join(names, ", ") + "."
	}
	return q
}

// replayJSON is the JSON of replay.
type replayJSON struct {
	Target   string      `json:"target"`
	DryRun   bool        `json:"dry_run"`
	Replayed int         `json:"replayed"`
	Copies   int         `json:"copies_left_out"`
	Waiting  int         `json:"waiting_left_out"`
	Foreign  int         `json:"others_left_out"`
	Gaps     []replayGap `json:"may_be_gone"`
}

// replayGap is a time of which a topic, or a partition, may have lost its messages.
type replayGap struct {
	Topic string  `json:"topic"`
	From  *string `json:"from"`
	To    *string `json:"to"` // null if there is nothing
}

func (r *replaying) print(cmd *cobra.Command, s *replay.Summary, target string) error {
	if r.isJSON() {
		out := replayJSON{target, r.dryRun, s.Replayed, s.Copies, s.Waiting, s.Foreign, []replayGap{}}
		for _, g := range r.gaps {
			out.Gaps = append(out.Gaps, replayGap{g.Topic, stamp(g.From), stamp(g.To)})
		}
		return printJSON(cmd.OutOrStdout(), out)
	}
	what := "sent"
	if r.dryRun {
		what = "would send"
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(),
		"%s %s to %s\nleft out: %d copies, %d that wait still, %d that are poison, gated or of other URNs\n",
		what, text.Count(s.Replayed, "message"), target, s.Copies, s.Waiting, s.Foreign)
	return err
}
