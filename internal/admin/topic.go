package admin

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/utils"
)

// A Topic is what the API knows of a topic.
type Topic struct {
	Name          string
	Partitions    int // 0 when it is not partitioned
	Deduplicates  bool
	Subscriptions []Subscription // by name
	Producers     []Producer
}

// A Subscription is a durable subscription of a topic. The numbers of partitions are added up.
type Subscription struct {
	Name      string
	Type      string // Shared and so on; empty before the first consumer
	Backlog   int64  // what it has not acknowledged; entries, where producers batch
	Delayed   int64
	Unacked   int64 // sent to consumers and not acknowledged
	Consumers []string
	Oldest    time.Time // publish time of the first message in the backlog; zero if unknown or none
	Missing   []int     // partitions that do not have it
}

// A Producer is connected to a topic.
type Producer struct {
	Name      string
	Address   string
	Since     string
	Metadata  map[string]string
	Exclusive bool
}

// Subscription returns the subscription with this name, or nil.
func (t *Topic) Subscription(name string) *Subscription {
	for i := range t.Subscriptions {
		if t.Subscriptions[i].Name == name {
			return &t.Subscriptions[i]
		}
	}
	return nil
}

// PartitionNames returns the names of the topics that really exist: the partitions, or the topic itself.
func (t *Topic) PartitionNames() []string {
	if t.Partitions == 0 {
		return []string{t.Name}
	}
	names := make([]string, t.Partitions)
	for i := range names {
		names[i] = fmt.Sprintf("%s-partition-%d", t.Name, i)
	}
	return names
}

// Topic looks at a topic. The error for one that does not exist is ErrNotFound.
func (a *API) Topic(ctx context.Context, name string) (*Topic, error) {
	parsed, err := utils.GetTopicName(name)
	if err != nil {
		return nil, err
	}
	t := &Topic{Name: name}
	meta, err := a.client.Topics().GetMetadataWithContext(ctx, *parsed)
	if err != nil {
		return nil, a.fail("look at", name, err)
	}
	t.Partitions = meta.Partitions
	subscriptions := map[string]*Subscription{}
	for i, partition := range t.PartitionNames() {
		parsed, err := utils.GetTopicName(partition)
		if err != nil {
			return nil, err
		}
		stats, err := a.client.Topics().GetStatsWithOptionWithContext(ctx, *parsed,
			utils.GetStatsOptions{GetPreciseBacklog: true, GetEarliestTimeInBacklog: true})
		if err = a.fail("look at", partition, err); errors.Is(err, ErrNotFound) && t.Partitions > 0 {
			continue // a partition that nobody has used yet has no subscriptions
		} else if err != nil {
			return nil, err
		}
		t.Deduplicates = t.Deduplicates || stats.DeDuplicationStatus == "Enabled"
		for _, p := range stats.Publishers {
			t.Producers = append(t.Producers, Producer{
				Name: p.ProducerName, Address: p.Address, Since: p.ConnectedSince, Metadata: p.Metadata,
				Exclusive: p.AccessModel != utils.ProduceModeShared && p.AccessModel != "",
			})
		}
		for subscription, s := range stats.Subscriptions {
			if !s.IsDurable {
				continue
			}
			if subscriptions[subscription] == nil {
				subscriptions[subscription] = &Subscription{Name: subscription}
				for missed := range i {
					subscriptions[subscription].Missing = append(subscriptions[subscription].Missing, missed)
				}
			}
			subscriptions[subscription].add(s)
		}
		for subscription, s := range subscriptions {
			if _, ok := stats.Subscriptions[subscription]; !ok {
				s.Missing = append(s.Missing, i)
			}
		}
	}
	for _, subscription := range slices.Sorted(maps.Keys(subscriptions)) {
		t.Subscriptions = append(t.Subscriptions, *subscriptions[subscription])
	}
	return t, nil
}

// HasReader reports whether a reader or consumer of this name is connected to a topic that is not partitioned.
func (a *API) HasReader(ctx context.Context, name, reader string) (bool, error) {
	parsed, err := utils.GetTopicName(name)
	if err != nil {
		return false, err
	}
	stats, err := a.client.Topics().GetStatsWithContext(ctx, *parsed)
	if err = a.fail("look at", name, err); err != nil {
		return false, err
	}
	for _, s := range stats.Subscriptions {
		for _, c := range s.Consumers {
			if c.ConsumerName == reader {
				return true, nil
			}
		}
	}
	return false, nil
}

func (s *Subscription) add(stats utils.SubscriptionStats) {
	if stats.SubType != "" && stats.SubType != "None" {
		s.Type = stats.SubType
	}
	s.Backlog += stats.MsgBacklog
	s.Delayed += stats.MsgDelayed
	s.Unacked += stats.UnAckedMessages
	if ms := stats.EarliestMsgPublishTimeInBacklog; ms > 0 {
		if at := time.UnixMilli(ms); s.Oldest.IsZero() || at.Before(s.Oldest) {
			s.Oldest = at
		}
	}
	for _, c := range stats.Consumers {
		if !slices.Contains(s.Consumers, c.ConsumerName) {
			s.Consumers = append(s.Consumers, c.ConsumerName)
		}
	}
}
