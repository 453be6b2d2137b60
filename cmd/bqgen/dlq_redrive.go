package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/babelqueue/bqgen/internal/console"
	"github.com/babelqueue/bqgen/internal/deadletters"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema/payloads"
)

// A working is the flags of redrive and drop.
type working struct {
	lettering
	window int
	rate   string
	with   string
	force  bool
	asIs   bool
	dryRun bool
	all    bool
	yes    bool
	save   string
}

func newDLQRedrive() *cobra.Command {
	var w working
	cmd := &cobra.Command{
		Use:   "redrive QUEUE",
		Short: "Send dead letters again, then acknowledge them",
		Long: `Redrive sends dead letters to the topic of the queue again or, of a service, to its retry topic. It
takes out the dead_letter block, sets the attempts to 0 and keeps every other byte. A dead letter is
acknowledged when the broker has confirmed what was sent; all others stay where they are.

A gated message goes back as it came, if asked for by --reason gated. Poison goes back with --as-is,
as its original bytes. What would not be accepted today is left, unless --force is given. If the
process is killed, at most --window messages are sent again by the next run, under the same ids; if
the namespace deduplicates, none are. The exit code is 1 if something that was chosen was left.` + connectionHelp,
		Example: "  bqgen dlq redrive orders --reason failed --since 2h --dry-run\n" +
			"  bqgen dlq redrive orders --id 5f0c6f6e-3d0b-4a52-9d5e-0b8a7c1d2e3f --with order.json",
		Args: oneQueue,
		RunE: func(cmd *cobra.Command, args []string) error { return w.run(cmd, args[0], false) },
	}
	w.lettering.flags(cmd)
	f := cmd.Flags()
	f.IntVar(&w.window, "window", deadletters.DefaultWindow, "how many messages are under way at a time")
	f.StringVar(&w.rate, "rate", "", "at most `N` messages a second, such as 50, 0.5, 50/s or 10/m")
	f.StringVar(&w.with, "with", "", "send this payload in `FILE` instead; for one message")
	f.BoolVar(&w.force, "force", false, "also send what would not be accepted today")
	f.BoolVar(&w.asIs, "as-is", false, "also send poison, as its original bytes")
	f.BoolVar(&w.dryRun, "dry-run", false, "say what would be done, and do nothing")
	return cmd
}

func newDLQDrop() *cobra.Command {
	var w working
	cmd := &cobra.Command{
		Use:   "drop QUEUE",
		Short: "Acknowledge dead letters without sending them again",
		Long: `Drop acknowledges dead letters, so that they are gone. It drops what it has counted before it asked,
and nothing that came later. With --save it first writes them to a file, one JSON value a line.` + connectionHelp,
		Example: "  bqgen dlq drop orders --reason poison --save poison.jsonl",
		Args:    oneQueue,
		RunE:    func(cmd *cobra.Command, args []string) error { return w.run(cmd, args[0], true) },
	}
	w.lettering.flags(cmd)
	f := cmd.Flags()
	f.BoolVar(&w.all, "all", false, "drop all, without a filter")
	f.BoolVar(&w.yes, "yes", false, "do not ask")
	f.BoolVar(&w.dryRun, "dry-run", false, "say what would be done, and do nothing")
	f.StringVar(&w.save, "save", "", "write what is dropped to `FILE` first, which must not exist")
	return cmd
}

func (w *working) run(cmd *cobra.Command, queue string, drop bool) error {
	o, err := w.options(drop)
	if err != nil {
		return &usageError{cmd.CommandPath(), err}
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	box, err := w.open(ctx, cmd, queue)
	defer w.close()
	if err != nil {
		return err
	}
	if w.api != nil {
		if err := checkSameCluster(ctx, w.client, w.api, box.Topic()); err != nil {
			return err
		}
	}
	o.Filter = w.filter
	if drop && o.Filter.IsEmpty() && !w.all {
		return &usageError{cmd.CommandPath(), errors.New("this would drop all: choose some, or give --all")}
	}
	if w.with != "" {
		if o.Data, err = w.edited(ctx, cmd, box, o); err != nil {
			return err
		}
	}
	plan, err := box.Plan(ctx, o)
	if err != nil {
		return err
	}
	if w.with != "" && plan.Chosen != 1 {
		return fmt.Errorf("--with is for one message, and %d were chosen: use --id", plan.Chosen)
	}
	missing := missingIDs(cmd, w.ids, func(id string) bool { return plan.Met[id] > 0 })
	for id, n := range plan.Met {
		if n > 1 {
			fmt.Fprintf(cmd.ErrOrStderr(), "the id %s is on the topic %d times: all are chosen\n", text.Escape(id), n)
		}
	}
	if w.dryRun {
		return errors.Join(w.printPlan(cmd, box, plan, drop), missing)
	}
	if drop && !w.yes && plan.Selected > 0 {
		if err := confirm(cmd, fmt.Sprintf("drop %s of %s in the namespace %s?", text.Count(plan.Selected, "dead letter"),
			box.Topic(), topic.Namespace(box.Topic()))); err != nil {
			return err
		}
	}
	o.Progress = w.progress(cmd)
	if w.save != "" {
		f, err := os.OpenFile(w.save, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		defer f.Close()
		o.Save = func(l *deadletters.Letter) error { return json.NewEncoder(f).Encode(savedOf(l)) }
	}
	s, err := box.Run(ctx, o, plan)
	console.Passing(cmd.ErrOrStderr(), "")
	if err == nil || s.Sent+s.Dropped+s.Unfinished > 0 || len(s.MayRepeat) > 0 {
		err = errors.Join(err, w.printSummary(cmd, s, plan, drop))
	}
	switch {
	case ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)):
		return errors.New("stopped: run the command again to go on")
	case err != nil:
		return err
	case len(s.Left) > 0:
		return errFindings
	}
	return missing
}

func (w *working) options(drop bool) (*deadletters.Options, error) {
	o := &deadletters.Options{Window: w.window, Force: w.force, AsIs: w.asIs, Drop: drop}
	if !drop && w.window < 1 {
		return nil, errors.New("--window: give a number of 1 or more")
	}
	var err error
	o.Rate, err = parseRate(w.rate)
	return o, err
}

// parseRate reads messages a second.
func parseRate(s string) (float64, error) {
	if s == "" {
		return 0, nil
	}
	count, unit, _ := strings.Cut(s, "/")
	per, ok := map[string]float64{"": 1, "s": 1, "m": 60, "h": 3600}[unit]
	n, err := strconv.ParseFloat(count, 64)
	if err != nil || !ok || !(n > 0) || n > 1e9 {
		return 0, fmt.Errorf("--rate: %q is not a number above 0, with /s, /m or /h", s)
	}
	return n / per, nil
}

// edited reads and checks the payload of --with.
func (w *working) edited(
	ctx context.Context, cmd *cobra.Command, box *deadletters.Box, o *deadletters.Options,
) ([]byte, error) {
	var chosen []*deadletters.Letter
	err := box.Each(ctx, func(l *deadletters.Letter) error {
		if o.Filter.Chooses(l) {
			chosen = append(chosen, l)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(chosen) != 1:
		return nil, fmt.Errorf("--with is for one message, and %d were chosen: use --id", len(chosen))
	}
	l := chosen[0]
	switch {
	case l.Reason == deadletters.Gated:
		return nil, errors.New("--with: a gated message is of a version that is not known here")
	case l.Message.Known == nil || l.Message.Envelope == nil || l.Message.Kind == "poison":
		return nil, fmt.Errorf("--with: the message is no envelope of the catalog: %s", l.Message.Summary())
	}
	name, input, err := readPayload(cmd, w.with)
	if err != nil {
		return nil, err
	}
	var whole struct{ Job, Meta any }
	if json.Unmarshal(input, &whole) == nil && whole.Job != nil && whole.Meta != nil {
		return nil, errors.New("--with: the file is a whole envelope: give its data only")
	}
	t, err := w.topology(cmd)
	if err != nil {
		return nil, err
	}
	checker := payloads.New(t.Catalog)
	urn := checker.Find(l.Message.URN)
	data, findings := checker.Payload(urn, name, input)
	for _, f := range findings {
		fmt.Fprintln(cmd.ErrOrStderr(), f)
	}
	if findings.HasErrors() {
		return nil, errFindings
	}
	switch {
	case string(data) == string(l.Message.Data()):
		fmt.Fprintln(cmd.ErrOrStderr(), "the payload is the same as before")
	case w.dryRun && !w.isJSON():
		fmt.Fprintf(cmd.OutOrStdout(), "- %s\n+ %s\n", text.Escape(string(l.Message.Data())), text.Escape(string(data)))
	}
	if key := payloads.Key(urn, data); key != l.Raw.Key() && urn.Key != nil {
		return nil, fmt.Errorf("--with: the edit changes the message key from %q to %q, and so its partition and order: "+
			"publish it as a new message with bqgen send", l.Raw.Key(), key)
	}
	return data, nil
}

// confirm asks on standard error. Where nobody can answer, it is an error.
func confirm(cmd *cobra.Command, question string) error {
	f, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return fmt.Errorf("%s nobody can be asked here: give --yes", question)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s Type yes:\n", question)
	answer, _ := bufio.NewReader(f).ReadString('\n')
	if strings.TrimSpace(answer) != "yes" {
		return errors.New("nothing was done")
	}
	return nil
}

// progressEvery is how often a line says how far a run is. On a terminal one line is rewritten, more often.
const (
	progressEvery = 10 * time.Second
	rewriteEvery  = 200 * time.Millisecond
)

func (w *working) progress(cmd *cobra.Command) func(deadletters.Progress) {
	printed, passed := time.Now(), time.Time{}
	return func(p deadletters.Progress) {
		line := progressLine(p, w.window)
		if p.Waiting.IsZero() {
			if time.Since(passed) < rewriteEvery {
				return
			}
			if passed = time.Now(); console.Passing(cmd.ErrOrStderr(), line) || time.Since(printed) < progressEvery {
				return
			}
		}
		printed = time.Now()
		fmt.Fprintln(cmd.ErrOrStderr(), line)
	}
}

// progressLine says how far a run is, and what holds it back.
func progressLine(p deadletters.Progress, window int) string {
	if !p.Waiting.IsZero() {
		why := ""
		if p.Why != nil {
			why = ": " + text.Escape(p.Why.Error())
		}
		return fmt.Sprintf("%d of %d, waiting for the broker since %s%s", p.Done, p.Total,
			p.Waiting.UTC().Format(time.TimeOnly), why)
	}
	left := ""
	if p.Left >= 0 {
		left = fmt.Sprintf(", %s left", p.Left.Round(time.Second))
	}
	if window == 1 {
		left += ", each waits for the one before: --window 1"
	}
	return fmt.Sprintf("%d of %d, %.1f a second%s", p.Done, p.Total, p.PerSecond, left)
}

// The JSON of redrive and drop.
type workJSON struct {
	Topic        string         `json:"topic"`
	Target       string         `json:"target,omitempty"`
	DryRun       bool           `json:"dry_run,omitempty"`
	Selected     int            `json:"selected"`
	Sent         int            `json:"sent"`
	Dropped      int            `json:"dropped"`
	Left         map[string]int `json:"left"`
	Unfinished   int            `json:"unfinished"`
	Gone         int            `json:"gone"`
	Meanwhile    int            `json:"came_meanwhile"`
	Deduplicated bool           `json:"deduplicated"`
	MayRepeat    []string       `json:"may_come_twice"`
	Recovered    int            `json:"recovered"`
}

func (w *working) printPlan(cmd *cobra.Command, box *deadletters.Box, p *deadletters.Plan, drop bool) error {
	out := workJSON{
		Topic: box.Topic(), DryRun: true, Selected: p.Selected, Left: p.Held, MayRepeat: []string{},
	}
	if !drop {
		out.Target = w.group.Retry
	}
	if w.isJSON() {
		return printJSON(cmd.OutOrStdout(), out)
	}
	if drop {
		fmt.Fprintf(cmd.OutOrStdout(), "would drop %s of %s\n", text.Count(p.Selected, "dead letter"), out.Topic)
	} else {
		fmt.Fprintf(cmd.OutOrStdout(), "would send %s of %s to %s\n", text.Count(p.Selected, "dead letter"), out.Topic,
			out.Target)
	}
	printLeft(cmd, "would leave", p.Held)
	return nil
}

func printLeft(cmd *cobra.Command, what string, left map[string]int) {
	for _, cause := range slices.Sorted(maps.Keys(left)) {
		fmt.Fprintf(cmd.OutOrStdout(), "%s %d: %s\n", what, left[cause], text.Escape(text.Shorten(cause, 300)))
	}
}

func (w *working) printSummary(cmd *cobra.Command, s *deadletters.Summary, p *deadletters.Plan, drop bool) error {
	out := workJSON{
		Topic: w.group.DeadLetters, Target: w.group.Retry, Selected: p.Selected, Sent: s.Sent, Dropped: s.Dropped,
		Left: s.Left, Unfinished: s.Unfinished, Gone: s.Gone, Meanwhile: s.Meanwhile, Deduplicated: s.Deduplicated,
		MayRepeat: append([]string{}, s.MayRepeat...), Recovered: s.Recovered,
	}
	if w.isJSON() {
		return printJSON(cmd.OutOrStdout(), out)
	}
	o := cmd.OutOrStdout()
	for _, id := range s.MayRepeat {
		fmt.Fprintf(o, "an earlier run ended early: %s may come twice\n", text.Escape(id))
	}
	if s.Recovered > 0 {
		fmt.Fprintf(o, "an earlier run ended early: %s of its last window were sent again under their old numbers, "+
			"so that they come once\n", text.Count(s.Recovered, "message"))
	}
	if drop {
		fmt.Fprintf(o, "dropped %d of %s\n", s.Dropped, text.Count(p.Selected, "dead letter"))
	} else {
		fmt.Fprintf(o, "sent %d of %s to %s\n", s.Sent, text.Count(p.Selected, "dead letter"), w.group.Retry)
	}
	printLeft(cmd, "left", s.Left)
	if s.Unfinished > 0 {
		fmt.Fprintf(o, "%d were sent, and whether they are acknowledged is not known: they may come twice\n", s.Unfinished)
	}
	if s.Meanwhile > 0 {
		fmt.Fprintf(o, "came meanwhile: %d, which the next run will find\n", s.Meanwhile)
	}
	if s.Gone > 0 {
		fmt.Fprintf(o, "%d were gone before their turn: expired, or taken by others\n", s.Gone)
	}
	return nil
}

// A saved dead letter has everything that is needed to publish it again.
type saved struct {
	MessageID   string            `json:"message_id"`
	Topic       string            `json:"topic"`
	PublishTime *string           `json:"publish_time"`
	Key         string            `json:"key"`
	OrderingKey string            `json:"ordering_key"`
	Properties  map[string]string `json:"properties"`
	Body        []byte            `json:"body_base64"`
}

func savedOf(l *deadletters.Letter) saved {
	return saved{
		MessageID: l.Raw.ID().String(), Topic: l.Partition, PublishTime: stamp(l.Raw.PublishTime()), Key: l.Raw.Key(),
		OrderingKey: l.Raw.OrderingKey(), Properties: l.Raw.Properties(), Body: l.Raw.Payload(),
	}
}
