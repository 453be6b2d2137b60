package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/internal/deadletters"
	"github.com/babelqueue/bqgen/internal/scan"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
)

func newDLQList() *cobra.Command {
	var l lettering
	cmd := &cobra.Command{
		Use:   "list QUEUE",
		Short: "List dead letters, and count them by reason and error",
		Long: `List shows the dead letters that wait, and counts them by reason and error. Errors that differ in
numbers, ids and quoted texts are one group. As JSON it prints one dead letter a line, with all of its
error, and the counts last. It touches nothing.` + connectionHelp,
		Example: "  bqgen dlq list orders\n  bqgen dlq list orders --service billing --reason failed --since 1h",
		Args:    oneQueue,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible(cmd)
			defer stop()
			box, err := l.open(ctx, cmd, args[0])
			defer l.close()
			if err != nil {
				return err
			}
			l.warnOfExpiry(ctx, cmd)
			list := listing{l: &l, now: time.Now(), out: cmd.OutOrStdout(), total: map[string]int{}}
			if !l.isJSON() {
				list.table = newTable(cmd.OutOrStdout(), "ID", "URN", "REASON", "ERROR", "ATTEMPTS", "AGE", "AGE OF")
			}
			if err = box.Each(ctx, list.add); err == nil {
				err = list.end(box)
			}
			if errors.Is(err, syscall.EPIPE) {
				return errClosed
			}
			return err
		},
	}
	l.flags(cmd)
	return cmd
}

// warnOfExpiry says that dead letters do not stay for ever, where that is so.
func (l *lettering) warnOfExpiry(ctx context.Context, cmd *cobra.Command) {
	if l.api == nil {
		return
	}
	namespace := topic.Namespace(l.group.DeadLetters)
	if seconds, err := l.api.MessageTTL(ctx, namespace); err == nil && seconds > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: the namespace %s drops messages that have waited for %s, dead letters too\n",
			namespace, time.Duration(seconds)*time.Second)
	}
}

// A listing prints letters and counts them.
type listing struct {
	l       *lettering
	now     time.Time
	out     io.Writer
	table   *table
	groups  deadletters.Groups
	total   map[string]int // by reason
	shown   int
	foreign int
}

// maxRows bounds the lines of a list in text; the groups count all.
const maxRows = 200

func (l *listing) add(letter *deadletters.Letter) error {
	if letter.IsForeign {
		l.foreign++
	}
	if !l.l.filter.Chooses(letter) {
		return nil
	}
	if limit := l.l.filter.Limit; limit > 0 && l.shown >= limit {
		return scan.ErrStop
	}
	l.shown++
	l.total[letter.Reason]++
	l.groups.Add(letter)
	if l.table == nil {
		return printJSON(l.out, letterOf(letter))
	}
	if l.shown <= maxRows {
		of := "failure"
		if letter.IsPublishTime {
			of = "publishing"
		}
		what := letter.Error
		if letter.Reason == deadletters.Gated {
			what = letter.Message.Summary()
		}
		l.table.row(orDash(letter.Message.ID), orDash(letter.Message.URN), letter.Reason, text.Shorten(what, 60),
			strconv.FormatInt(letter.Attempts, 10), age(l.now, letter.Time()), of)
	}
	return nil
}

func orDash(s string) string {
	if s == "" {
		return "?"
	}
	return s
}

// The JSON of dlq list and show.
type (
	letterJSON struct {
		messageJSON
		Reason        string  `json:"reason"`
		Error         string  `json:"error"`
		Exception     string  `json:"exception"`
		FailedAt      *string `json:"failed_at"`
		IsPublishTime bool    `json:"failed_at_is_publish_time,omitempty"`
		DeadAttempts  int64   `json:"dead_letter_attempts"`
		OriginalQueue string  `json:"original_queue"`
		Accepted      bool    `json:"would_be_accepted"`
		Refusal       string  `json:"cannot_be_redriven,omitempty"`
		Foreign       bool    `json:"of_another_queue,omitempty"`
	}
	groupJSON struct {
		Reason string  `json:"reason"`
		Error  string  `json:"error"`
		Count  int     `json:"count"`
		Oldest *string `json:"oldest"`
		Newest *string `json:"newest"`
	}
	countsJSON struct {
		Topic    string         `json:"topic"`
		Waiting  bool           `json:"counts_what_waits"` // else what is on the topic
		Total    int            `json:"total"`
		ByReason map[string]int `json:"by_reason"`
		Groups   []groupJSON    `json:"groups"`
		Others   int            `json:"in_other_groups"`
		Foreign  int            `json:"of_other_queues"`
	}
)

func letterOf(l *deadletters.Letter) letterJSON {
	shown := *l.Message
	shown.Pulsar = l.Raw
	return letterJSON{
		messageJSON: messageOf(&shown), Reason: l.Reason, Error: l.Error, Exception: l.Exception,
		FailedAt: stamp(l.FailedAt), IsPublishTime: l.IsPublishTime, DeadAttempts: l.Attempts, OriginalQueue: l.Queue,
		Accepted: l.Message.Accepted(), Refusal: l.Refusal, Foreign: l.IsForeign,
	}
}

// end prints the counts.
func (l *listing) end(box *deadletters.Box) error {
	groups, others := l.groups.Sorted()
	if l.table == nil {
		out := countsJSON{
			Topic: box.Topic(), Waiting: box.KnowsWhatWaits(), Total: l.shown, ByReason: l.total, Groups: []groupJSON{},
			Others: others, Foreign: l.foreign,
		}
		for _, g := range groups {
			out.Groups = append(out.Groups, groupJSON{g.Reason, g.Error, g.Count, stamp(g.Oldest), stamp(g.Newest)})
		}
		return printJSON(l.out, map[string]any{"counts": out})
	}
	if l.shown > 0 {
		if err := l.table.flush(); err != nil {
			return err
		}
	}
	if l.shown > maxRows {
		fmt.Fprintf(l.out, "... and %d more\n", l.shown-maxRows)
	}
	where := "waiting on"
	if !box.KnowsWhatWaits() {
		where = "on the topic"
	}
	if l.shown > 0 {
		fmt.Fprintln(l.out)
	}
	_, err := fmt.Fprintf(l.out, "%s %s %s\n", text.Count(l.shown, "dead letter"), where, box.Topic())
	if l.foreign > 0 {
		_, err = fmt.Fprintf(l.out, "%d more of other queues that share the topic\n", l.foreign)
	}
	if l.shown == 0 || err != nil {
		return err
	}
	t := newTable(l.out, "COUNT", "REASON", "OLDEST", "ERROR")
	for _, g := range groups {
		t.row(strconv.Itoa(g.Count), g.Reason, age(l.now, g.Oldest), g.Error)
	}
	if others > 0 {
		t.row(strconv.Itoa(others), "others", "-", "in more groups")
	}
	return t.flush()
}
