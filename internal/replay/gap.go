package replay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/moment"
	"github.com/babelqueue/bqgen/internal/scan"
)

// A Gap is a time of which a topic, or a partition, has no messages and may have had some.
type Gap struct {
	Topic string
	From  time.Time
	To    time.Time // when its first message was published; zero if it has none
	// Certain is true if the broker says that it has deleted messages.
	Certain   bool
	Compacted bool
}

func (g *Gap) String() string {
	s := fmt.Sprintf("%s has nothing from %s on", g.Topic, moment.Show(g.From))
	if !g.To.IsZero() {
		s = fmt.Sprintf("%s has messages from %s on only, not from %s on", g.Topic, moment.Show(g.To), moment.Show(g.From))
	}
	if g.Certain {
		s += ": the broker has deleted older ones"
	} else {
		s += ": older ones were deleted, or there were none"
	}
	if g.Compacted {
		s += "; the topic was compacted, and what only its compacted copy has is not replayed"
	}
	return s
}

// A Historian tells what a topic may have lost.
type Historian interface {
	History(ctx context.Context, partition string) (*admin.History, error)
}

// Gaps returns what is missing at the start of a span, for each partition. Pulsar deletes messages from the start on,
// and does not say which: a partition is complete if it has a message from before the span, or if it is younger than
// the span and the broker tells of no deletion.
func Gaps(
	ctx context.Context, client pulsar.Client, api Historian, topic string, since, until time.Time,
) ([]Gap, error) {
	partitions, err := client.TopicPartitions(topic)
	if err != nil {
		return nil, fmt.Errorf("look up %s: %w", topic, err)
	}
	var gaps []Gap
	for _, partition := range partitions {
		first, err := firstOf(ctx, client, partition)
		if err != nil {
			return nil, err
		}
		if !first.IsZero() && first.Before(since) {
			continue
		}
		h, err := api.History(ctx, partition)
		if errors.Is(err, admin.ErrNotFound) {
			continue // a partition that nobody has used yet
		}
		if err != nil {
			return nil, err
		}
		from := since
		if h.Created.After(since) {
			if from = h.Created; !h.Trimmed {
				continue
			}
		}
		if from.Before(until) {
			gaps = append(gaps, Gap{partition, from, first, h.Trimmed, h.Compacted})
		}
	}
	return gaps, nil
}

// firstOf returns when the first message of a partition was published; zero if it has none.
func firstOf(ctx context.Context, client pulsar.Client, partition string) (at time.Time, err error) {
	o := scan.Options{Client: client, Topic: partition, Ahead: 1}
	err = scan.Topic(ctx, o, func(msg pulsar.Message) error {
		at = msg.PublishTime()
		return scan.ErrStop
	})
	return at, err
}
