package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/connect"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/internal/topology"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/payloads"
)

// A sending is the flags of send.
type sending struct {
	connecting
	key        string
	id         string
	traceID    string
	delay      time.Duration
	properties []string
	dryRun     bool
	yes        bool
}

func newSend() *cobra.Command {
	var s sending
	cmd := &cobra.Command{
		Use:   "send URN [FILE|-]",
		Short: "Publish one message, checked against the catalog",
		Long: `Send publishes the payload in FILE, or on standard input, as a message of URN. It checks the payload
first, as generated code does, and sends nothing that is not valid. Only white space between values
is changed. It prints the id and the trace id of the message.` + connectionHelp,
		Example: `  bqgen send urn:babel:orders:created order.json
  echo '{"order_id": 1}' | bqgen send urn:babel:orders:created`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return &usageError{cmd.CommandPath(), errors.New("name a URN and, unless it is standard input, a file")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check(cmd); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return s.run(ctx, cmd, append(args, "-")[:2])
		},
	}
	s.flags(cmd)
	s.subscriptionFlag(cmd)
	f := cmd.Flags()
	f.StringVar(&s.key, "key", "", "the message `KEY`; by default the catalog's")
	f.StringVar(&s.id, "id", "", "meta.`ID`; by default a new one")
	f.StringVar(&s.traceID, "trace-id", "", "trace `ID`; by default a new one")
	f.DurationVar(&s.delay, "delay", 0, "deliver after this `DURATION`, on Shared and Key_Shared subscriptions")
	f.StringArrayVar(&s.properties, "property", nil, "a further property `NAME=VALUE`")
	f.BoolVar(&s.dryRun, "dry-run", false, "check, print what would be sent, and send nothing")
	f.BoolVar(&s.yes, "yes", false, "send even if nobody will receive it")
	return cmd
}

func (s *sending) run(ctx context.Context, cmd *cobra.Command, args []string) error {
	t, err := s.topology(cmd)
	if err != nil {
		return err
	}
	checker := payloads.New(t.Catalog)
	urn := checker.Find(args[0])
	if urn == nil {
		return &usageError{cmd.CommandPath(), fmt.Errorf("the catalog has no URN %q", text.Shorten(args[0], maxCell))}
	}
	name, payload, err := readPayload(cmd, args[1])
	if err != nil {
		return err
	}
	data, findings := checker.Payload(urn, name, payload)
	for _, f := range findings {
		fmt.Fprintln(cmd.ErrOrStderr(), f)
	}
	if findings.HasErrors() {
		return errFindings
	}
	groups := groupsOf(t, urn)
	group := groups[0]
	msg, header, err := s.message(cmd, urn, group.Topic, data)
	if err != nil {
		return err
	}
	config, err := s.resolve(cmd)
	if err != nil {
		return err
	}
	if err := s.checkListeners(ctx, cmd, config, groups); err != nil {
		return err
	}
	out := sentJSON{ID: header.ID, TraceID: header.TraceID, Topic: group.Topic, Key: msg.Key, DryRun: s.dryRun}
	if s.dryRun {
		out.Body, out.Properties = string(msg.Payload), msg.Properties
		return s.print(cmd, out)
	}
	client, err := s.pulsar(ctx, cmd, config)
	if err != nil {
		return err
	}
	defer client.Close()
	id, err := sendOne(ctx, client, group.Topic, msg)
	if err != nil {
		return fmt.Errorf("send %s to %s: %w", urn.URN, group.Topic, err)
	}
	out.MessageID = id.String()
	return s.print(cmd, out)
}

// groupsOf returns the groups that receive a URN: at least one, whose topic is that of all.
func groupsOf(t *topology.Topology, u *schema.URN) (groups []*topology.Group) {
	for _, g := range t.Groups {
		if g.Queue == u.Queue && slices.Contains(g.URNs, u) {
			groups = append(groups, g)
		}
	}
	if groups == nil { // no service names the URN
		g, _ := t.Queue(u.Queue.Name)
		groups = append(groups, g)
	}
	return groups
}

// maxPayload bounds what is read of a payload, in bytes. Brokers take messages of 5 MiB unless they are told otherwise.
const maxPayload = 16 << 20

// readPayload reads a file or standard input, up to maxPayload. It says on standard error that it waits for somebody to
// type.
func readPayload(cmd *cobra.Command, name string) (string, []byte, error) {
	in, read := cmd.InOrStdin(), "read "+name
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return name, nil, err
		}
		defer f.Close()
		in = f
	} else {
		name, read = "<stdin>", "read standard input"
		if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
			fmt.Fprintln(cmd.ErrOrStderr(), "reading the payload from the terminal, until ctrl-D")
		}
	}
	data, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
	switch {
	case err != nil:
		return name, nil, fmt.Errorf("%s: %w", read, err)
	case len(data) > maxPayload:
		return name, nil, fmt.Errorf("%s: it is larger than %d MiB", read, maxPayload>>20)
	}
	return name, data, nil
}

// message returns the message and its header.
func (s *sending) message(
	cmd *cobra.Command, u *schema.URN, to string, data []byte,
) (*pulsar.ProducerMessage, envelope.Header, error) {
	header, err := envelope.NewHeader(u.URN, s.traceID, topic.LastSegment(to), time.Now())
	if err != nil {
		return nil, header, err
	}
	if s.id != "" {
		header.ID = s.id
	}
	body, err := envelope.Append(nil, header, func(dst []byte) ([]byte, error) { return append(dst, data...), nil })
	if err != nil {
		return nil, header, err
	}
	msg := &pulsar.ProducerMessage{Payload: body, Properties: header.Properties(), Key: payloads.Key(u, data)}
	if cmd.Flags().Changed("key") {
		msg.Key = s.key
	}
	if s.delay > 0 {
		msg.DeliverAfter = s.delay
	}
	for _, p := range s.properties {
		name, value, ok := strings.Cut(p, "=")
		if _, taken := msg.Properties[name]; !ok || name == "" || taken {
			return nil, header, &usageError{cmd.CommandPath(),
				fmt.Errorf("--property: %q is not NAME=VALUE, or the contract's own", text.Shorten(p, maxCell))}
		}
		msg.Properties[name] = value
	}
	return msg, header, nil
}

// checkListeners warns of a message that nobody will receive, or not with its delay, if the admin API can be asked.
func (s *sending) checkListeners(
	ctx context.Context, cmd *cobra.Command, config *connect.Config, groups []*topology.Group,
) error {
	warn := func(format string, args ...any) { fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...) }
	if config.NeedAdmin() != nil {
		return nil
	}
	api, err := s.admin(config)
	if err != nil {
		return err
	}
	name := groups[0].Topic
	t, err := api.Topic(ctx, name)
	switch {
	case errors.Is(err, admin.ErrNotFound):
		return fmt.Errorf("the topic %s does not exist: create what the catalog needs with bqgen provision", name)
	case err != nil:
		warn("whether somebody listens could not be found out: %v", err)
		return nil
	}
	lost := 0
	for _, g := range groups {
		sub := t.Subscription(g.Subscription)
		switch {
		case sub == nil:
			lost++
			warn("warning: %s has no subscription %s, so the consumers of %s will not get the message", name,
				g.Subscription, g.Name())
		case s.delay > 0 && (sub.Type == "Failover" || sub.Type == "Exclusive"):
			warn("warning: the subscription %s is %s, which ignores delays", g.Subscription, sub.Type)
		}
	}
	if len(t.Subscriptions) == 0 {
		warn("warning: %s has no subscription, so the broker discards the message", name)
	}
	if lost == 0 || s.yes || s.dryRun {
		return nil
	}
	return errors.New("not everybody would receive the message: run bqgen provision first, or send it with --yes")
}

// sendTimeout bounds a send.
const sendTimeout = 15 * time.Second

func sendOne(
	ctx context.Context, client pulsar.Client, to string, msg *pulsar.ProducerMessage,
) (pulsar.MessageID, error) {
	producer, err := client.CreateProducer(pulsar.ProducerOptions{
		Topic: to, SendTimeout: sendTimeout, DisableBatching: true,
	})
	if err != nil {
		return nil, err
	}
	defer producer.Close()
	ctx, cancel := context.WithTimeout(ctx, 2*sendTimeout)
	defer cancel()
	return producer.Send(ctx, msg)
}

// sentJSON is the JSON of send.
type sentJSON struct {
	ID         string            `json:"id"`
	TraceID    string            `json:"trace_id"`
	Topic      string            `json:"topic"`
	Key        string            `json:"key,omitempty"`
	MessageID  string            `json:"message_id,omitempty"`
	DryRun     bool              `json:"dry_run,omitempty"`
	Body       string            `json:"body,omitempty"`
	Properties map[string]string `json:"properties,omitempty"`
}

func (s *sending) print(cmd *cobra.Command, out sentJSON) error {
	if s.isJSON() {
		return printJSON(cmd.OutOrStdout(), out)
	}
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "id        %s\ntrace id  %s\ntopic     %s\n", text.Escape(out.ID), text.Escape(out.TraceID), out.Topic)
	if out.Key != "" {
		fmt.Fprintf(w, "key       %s\n", text.Escape(out.Key))
	}
	if s.dryRun {
		fmt.Fprintf(w, "body      %s\nnothing was sent\n", text.Escape(out.Body))
	}
	return nil
}
