// Package replay publishes messages of a topic again, each once, although the topic has copies of them: retries and
// redriven dead letters. What a subscription still has to handle is left out.
package replay

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/inspect"
	"github.com/babelqueue/bqgen/internal/scan"
	"github.com/babelqueue/bqgen/internal/topology"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/schema"
)

// BypassProperty tells handlers that a message is a replay, so that they leave out external effects (RPL-1).
const BypassProperty = "bq-replay-bypass"

// Options say what is replayed.
type Options struct {
	Since, Until time.Time // by publish time; Until is fixed when the run starts
	URNs         []string
	Target       string
	Bypass       bool
	Rate         func(context.Context) error // waits until the next message may be sent; nil for no limit
}

// An API is what this package asks of the admin API.
type API interface {
	Cursor(ctx context.Context, partition, subscription string) (*admin.Cursor, error)
}

// A Summary counts what was met in the span of time.
type Summary struct {
	Replayed int
	Copies   int // retries, redriven dead letters and other copies of what was replayed
	Waiting  int // not acknowledged yet, so it will be handled anyway
	Foreign  int // not for the target: poison, gated, of other URNs
}

// A message is a candidate: the first copy of an id that was met.
type candidate struct {
	msg      pulsar.Message
	attempts int64
}

// Run finds the messages and, unless send is nil, sends each.
func Run(
	ctx context.Context, client pulsar.Client, api API, c *schema.Catalog, g *topology.Group, o Options,
) (*Summary, error) {
	plan, s, err := find(ctx, client, api, c, g, o)
	if err != nil || o.Target == "" {
		s.Replayed = len(plan)
		return s, err
	}
	producer, err := client.CreateProducer(pulsar.ProducerOptions{
		Topic: o.Target, DisableBatching: true, EnableChunking: true,
	})
	if err != nil {
		return s, fmt.Errorf("send to %s: %w", o.Target, err)
	}
	defer producer.Close()
	for _, msg := range plan {
		if o.Rate != nil {
			if err := o.Rate(ctx); err != nil {
				return s, err
			}
		}
		if err := ctx.Err(); err != nil {
			return s, err
		}
		if _, err := producer.Send(context.WithoutCancel(ctx), outgoing(msg, o.Bypass)); err != nil {
			return s, fmt.Errorf("send to %s: %w", o.Target, err)
		}
		s.Replayed++
	}
	return s, nil
}

// find returns the messages to replay, in the order of the topic.
func find(
	ctx context.Context, client pulsar.Client, api API, c *schema.Catalog, g *topology.Group, o Options,
) (plan []pulsar.Message, s *Summary, err error) {
	s = &Summary{}
	cursors := map[string]*admin.Cursor{}
	chosen := map[string]*candidate{}
	var order []string
	i := inspect.New(c, g.Queue)
	err = scan.Topic(ctx, scan.Options{Client: client, Topic: g.Topic, Since: o.Since}, func(msg pulsar.Message) error {
		if msg.PublishTime().After(o.Until) {
			return nil // a partition's messages are in the order of their times only about
		}
		m := i.Look(msg)
		if m.Known == nil || m.ID == "" || !wanted(o.URNs, m.URN) || !handles(g, m.Known) {
			s.Foreign++
			return nil
		}
		waits, err := isWaiting(ctx, api, g, cursors, msg)
		switch {
		case err != nil:
			return err
		case waits:
			s.Waiting++
			if chosen[m.ID] == nil {
				chosen[m.ID] = &candidate{} // no other copy of it is replayed either
			} else {
				chosen[m.ID].msg = nil
			}
			return nil
		case chosen[m.ID] != nil:
			s.Copies++
			if m.Attempts < chosen[m.ID].attempts && chosen[m.ID].msg != nil {
				chosen[m.ID] = &candidate{msg, m.Attempts} // the original, after a copy of it
			}
			return nil
		}
		chosen[m.ID] = &candidate{msg, m.Attempts}
		order = append(order, m.ID)
		return nil
	})
	for _, id := range order {
		if msg := chosen[id].msg; msg != nil {
			plan = append(plan, msg)
		}
	}
	return plan, s, err
}

func wanted(urns []string, urn string) bool {
	for _, u := range urns {
		if u == urn {
			return true
		}
	}
	return len(urns) == 0
}

func handles(g *topology.Group, u *schema.URN) bool {
	for _, known := range g.URNs {
		if known == u {
			return true
		}
	}
	return false
}

// isWaiting reports whether the group has not acknowledged a message yet.
func isWaiting(
	ctx context.Context, api API, g *topology.Group, cursors map[string]*admin.Cursor, msg pulsar.Message,
) (bool, error) {
	partition := msg.Topic()
	if _, ok := cursors[partition]; !ok {
		cursor, err := api.Cursor(ctx, partition, g.Subscription)
		if errors.Is(err, admin.ErrNotFound) {
			cursor, err = nil, nil // nobody waits for anything
		}
		if err != nil {
			return false, err
		}
		cursors[partition] = cursor
	}
	cursor := cursors[partition]
	return cursor != nil &&
		!cursor.IsAcknowledged(admin.Position{Ledger: msg.ID().LedgerID(), Entry: msg.ID().EntryID()}), nil
}

// outgoing returns the message that is sent: with attempts 0, and otherwise as it is.
func outgoing(msg pulsar.Message, bypass bool) *pulsar.ProducerMessage {
	properties := maps.Clone(msg.Properties())
	if properties == nil {
		properties = map[string]string{}
	}
	properties[envelope.PropertyAttempts] = "0"
	if bypass {
		properties[BypassProperty] = "1"
	}
	body := msg.Payload()
	if e, err := envelope.Parse(body); err == nil {
		body = e.WithAttempts(0)
	}
	out := &pulsar.ProducerMessage{
		Payload: body, Properties: properties, Key: msg.Key(), OrderingKey: msg.OrderingKey(),
	}
	if t := msg.EventTime(); t.UnixMilli() > 0 { // the client says 1970 when there is none
		out.EventTime = t
	}
	return out
}
