package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/internal/console"
	"github.com/babelqueue/bqgen/internal/inspect"
	"github.com/babelqueue/bqgen/internal/moment"
	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/internal/scan"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema/payloads"
)

// A tailing is the flags of tail.
type tailing struct {
	connecting
	urns        []string
	where       []string
	since       string
	follow      bool
	limit       int
	deadLetters bool
	service     string

	conditions []condition
	shown      int
	unreadable int // gated and poison, which --where cannot match
	width      int
}

// A condition is a --where: the value at a JSON Pointer.
type condition struct {
	path  []string
	value string
}

func newTail() *cobra.Command {
	var t tailing
	cmd := &cobra.Command{
		Use:   "tail QUEUE",
		Short: "Show the messages on the topic of a queue",
		Long: `Tail reads the topic of a queue with a reader, never as a consumer: nothing is acknowledged. It shows
each message on one line, decoded, with what a consumer of today's catalog would make of it: good,
retry, gated, poison, unknown, invalid. It ends with what was there when it started, unless it follows.
Messages of several partitions are shown about in the order in which they were published.` + connectionHelp,
		Example: "  bqgen tail orders --since 10m\n  bqgen tail orders --where /customer_id=c-7 --follow",
		Args:    oneQueue,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := t.check(cmd); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return t.run(ctx, cmd, args[0])
		},
	}
	t.flags(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&t.urns, "urn", nil, "only messages of this `URN`; may be repeated")
	f.StringArrayVar(&t.where, "where", nil, "only messages with this value in the payload: `/POINTER=VALUE`")
	f.StringVar(&t.since, "since", "", "only messages published since: a `TIME` or how long ago, "+moment.Forms)
	f.BoolVar(&t.follow, "follow", false, "go on with new messages until ctrl-C")
	f.IntVar(&t.limit, "limit", 0, "end after `N` messages")
	serviceFlag(cmd, &t.service)
	f.BoolVar(&t.deadLetters, "dead-letters", false, "show the dead-letter topic instead")
	return cmd
}

// serviceFlag names the service of a queue that has services.
func serviceFlag(cmd *cobra.Command, service *string) {
	cmd.Flags().StringVar(service, "service", "", "the `SERVICE`, of a queue that has services")
}

// oneQueue is the argument of commands about a queue.
func oneQueue(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return &usageError{cmd.CommandPath(), errors.New("name one queue of the catalog")}
	}
	return nil
}

func (t *tailing) run(ctx context.Context, cmd *cobra.Command, queue string) error {
	places, err := t.topology(cmd)
	if err != nil {
		return err
	}
	group, err := places.Queue(queue)
	if t.deadLetters || t.service != "" {
		group, err = places.Group(queue, t.service)
	}
	if err != nil {
		return &usageError{cmd.CommandPath(), err}
	}
	if t.conditions, err = parseConditions(t.where); err != nil {
		return &usageError{cmd.CommandPath(), err}
	}
	o := scan.Options{Topic: group.Topic, Follow: t.follow}
	if t.deadLetters {
		if o.Topic = group.DeadLetters; o.Topic == "" {
			return fmt.Errorf("the queue %s has no dead letters: the catalog says dead_letter: false", queue)
		}
	}
	if t.since != "" {
		if o.Since, err = moment.Parse(t.since, time.Now(), time.Local); err != nil {
			return &usageError{cmd.CommandPath(), fmt.Errorf("--since: %w", err)}
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "since %s\n", moment.Show(o.Since))
	}
	config, err := t.resolve(cmd)
	if err != nil {
		return err
	}
	if o.Client, err = t.pulsar(ctx, cmd, config); err != nil {
		return err
	}
	defer o.Client.Close()
	t.width = maxLine
	if width, ok := console.Width(cmd.OutOrStdout()); ok {
		t.width = width
	}
	i := inspect.New(places.Catalog, nil)
	err = scan.Topic(ctx, o, func(msg pulsar.Message) error { return t.show(cmd.OutOrStdout(), i.Look(msg)) })
	if t.unreadable > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s without a payload to compare with --where\n",
			text.Count(t.unreadable, "message"))
	}
	if errors.Is(err, syscall.EPIPE) {
		return errClosed
	}
	if ctx.Err() != nil && (err == nil || errors.Is(err, ctx.Err())) {
		return nil // ctrl-C is how a followed topic ends
	}
	return err
}

// show prints a message if it is asked for.
func (t *tailing) show(w io.Writer, m *inspect.Message) error {
	if len(t.urns) > 0 && !slices.Contains(t.urns, m.URN) {
		return nil
	}
	if len(t.conditions) > 0 {
		if m.Data() == nil || m.Kind == inspect.Poison {
			t.unreadable++
			return nil
		}
		for _, c := range t.conditions {
			if got, ok := payloads.Member(m.Data(), c.path); !ok || got != c.value {
				return nil
			}
		}
	}
	if err := t.print(w, m); err != nil {
		return err
	}
	if t.shown++; t.limit > 0 && t.shown >= t.limit {
		return scan.ErrStop
	}
	return nil
}

func (t *tailing) print(w io.Writer, m *inspect.Message) error {
	if t.isJSON() {
		return printJSON(w, messageOf(m))
	}
	_, err := io.WriteString(w, lineOf(m, t.width)+"\n")
	return err
}

// lineOf shows a message on one line: its time, partition, what it is, URN, id and payload.
func lineOf(m *inspect.Message, width int) string {
	partition := ""
	if p := inspect.Partition(m.Pulsar); p >= 0 {
		partition = fmt.Sprintf(" [%d]", p)
	}
	what := m.Summary()
	if m.Kind == inspect.Retry {
		what = fmt.Sprintf("retry %d", m.Attempts)
	}
	urn := m.URN
	if m.BodyURN != "" {
		urn += " (in the body " + m.BodyURN + ")"
	}
	data := string(m.Data())
	if data == "" {
		data = string(m.Pulsar.Payload())
	}
	line := fmt.Sprintf("%s%s %s %s %s %s", m.Pulsar.PublishTime().UTC().Format("2006-01-02T15:04:05.000Z"), partition,
		text.Escape(what), text.Escape(urn), text.Escape(m.ID), text.Escape(text.Shorten(data, maxLine)))
	return text.Shorten(line, width-1)
}

// maxLine bounds what a line shows of a payload where nothing else does, in characters.
const maxLine = 2000

// messageJSON is a message in the JSON of tail, dlq show and dlq list.
type messageJSON struct {
	MessageID   string            `json:"message_id"`
	Partition   *int              `json:"partition,omitempty"`
	PublishTime *string           `json:"publish_time"`
	Kind        inspect.Kind      `json:"kind"`
	Cause       string            `json:"cause,omitempty"`
	Version     *string           `json:"version,omitempty"`
	URN         string            `json:"urn"`
	BodyURN     string            `json:"body_urn,omitempty"`
	ID          string            `json:"id"`
	TraceID     string            `json:"trace_id"`
	Attempts    int64             `json:"attempts"`
	Key         string            `json:"key,omitempty"`
	Properties  map[string]string `json:"properties"`
	Data        json.RawMessage   `json:"data,omitempty"`
	Faults      []string          `json:"faults,omitempty"`
	Raw         *string           `json:"raw,omitempty"` // the body, if it has no payload that can be shown
	RawEncoding string            `json:"raw_encoding,omitempty"`
}

func messageOf(m *inspect.Message) messageJSON {
	msg := m.Pulsar
	out := messageJSON{
		MessageID: inspect.MessageID(msg), PublishTime: stamp(msg.PublishTime()), Kind: m.Kind, Cause: m.Cause, URN: m.URN,
		BodyURN: m.BodyURN, ID: m.ID, TraceID: m.TraceID, Attempts: m.Attempts, Key: msg.Key(),
		Properties: msg.Properties(),
	}
	if p := inspect.Partition(msg); p >= 0 {
		out.Partition = &p
	}
	if m.Kind == inspect.Gated {
		out.Version = &m.Version
	}
	for _, f := range m.Faults {
		out.Faults = append(out.Faults, f.Message)
	}
	// The body as it is, if its payload is not all there is to say.
	if data := m.Data(); m.Kind != inspect.Poison && json.Valid(data) && utf8.Valid(data) {
		out.Data = data
		return out
	}
	raw := string(msg.Payload())
	if !utf8.ValidString(raw) {
		raw, out.RawEncoding = base64.StdEncoding.EncodeToString(msg.Payload()), "base64"
	}
	out.Raw = &raw
	return out
}

// parseConditions reads /POINTER=VALUE.
func parseConditions(texts []string) ([]condition, error) {
	var all []condition
	for _, s := range texts {
		at, value, ok := strings.Cut(s, "=")
		if !ok || !strings.HasPrefix(at, "/") {
			return nil, fmt.Errorf("--where: %q is not /POINTER=VALUE", text.Shorten(s, maxCell))
		}
		c := condition{value: value}
		for _, segment := range strings.Split(at[1:], "/") {
			name, ok := pointer.Unescape(segment)
			if !ok {
				return nil, fmt.Errorf("--where: %q is not a JSON Pointer", text.Shorten(at, maxCell))
			}
			c.path = append(c.path, name)
		}
		all = append(all, c)
	}
	return all, nil
}
