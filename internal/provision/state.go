package provision

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/internal/topology"
)

// An API is what this package asks of a cluster.
type API interface {
	Topic(ctx context.Context, name string) (*admin.Topic, error)
	Cursor(ctx context.Context, partition, subscription string) (*admin.Cursor, error)
	HasNamespace(ctx context.Context, name string) (bool, error)
	CreateTopic(ctx context.Context, name string, partitions int) error
	CreateSubscription(ctx context.Context, topic, subscription string) error
	SetDeduplication(ctx context.Context, namespace string) error
}

// A Need is a topic that must exist, with the subscriptions that must be on it.
type Need struct {
	Topic         string
	IsDeadLetters bool
	HasServices   bool // it is the topic of a queue with services
	Partitions    int  // how many are wanted; 0 is no wish
	Subscriptions []NeededSubscription
}

// A NeededSubscription keeps messages for a group.
type NeededSubscription struct {
	Name string
	Cost string // what happens without it
}

// Needs returns what the groups of a catalog need, each topic once. partitions is how many the topic of a queue should
// have.
func Needs(t *topology.Topology, partitions func(queue string) int) []*Need {
	var needs []*Need
	find := func(name string) *Need {
		for _, n := range needs {
			if n.Topic == name {
				return n
			}
		}
		n := &Need{Topic: name}
		needs = append(needs, n)
		return n
	}
	for _, g := range t.Groups {
		n := find(g.Topic)
		n.Partitions = max(n.Partitions, partitions(g.Queue.Name))
		n.HasServices = g.Service != nil
		n.add(g.Subscription, fmt.Sprintf("messages would be discarded until a consumer of %s starts", g.Name()))
		if g.Retry != g.Topic {
			n := find(g.Retry)
			n.add(g.Subscription, fmt.Sprintf("retries of %s would be discarded until a consumer of it starts", g.Name()))
		}
		if g.DeadLetters != "" {
			n := find(g.DeadLetters)
			n.IsDeadLetters = true
			n.add(g.DeadLetterSubscription, fmt.Sprintf("dead letters of %s would be discarded", g.Name()))
		}
	}
	return needs
}

func (n *Need) add(name, cost string) {
	if !slices.ContainsFunc(n.Subscriptions, func(s NeededSubscription) bool { return s.Name == name }) {
		n.Subscriptions = append(n.Subscriptions, NeededSubscription{name, cost})
	}
}

// A State is what is there and what is not.
type State struct {
	Topics  []TopicState
	Missing []Missing
	Notes   []string // what is odd and no fault
	Unknown []string // what could not be found out
}

// A TopicState is a needed topic; Topic is nil if it does not exist or could not be looked at.
type TopicState struct {
	Need  *Need
	Topic *admin.Topic
}

// A Missing is something that a catalog needs and the cluster does not have.
type Missing struct {
	Topic        string
	Subscription string // "" for the topic itself
	Cost         string
}

func (m Missing) String() string {
	if m.Subscription == "" {
		return fmt.Sprintf("the topic %s is missing: %s", m.Topic, m.Cost)
	}
	return fmt.Sprintf("the subscription %s of %s is missing: %s", m.Subscription, m.Topic, m.Cost)
}

// Look compares needs with a cluster. What the role may not look at is unknown, not missing. Any other failure of the
// API is an error.
func Look(ctx context.Context, api API, needs []*Need) (*State, error) {
	s := &State{}
	for _, n := range needs {
		t, err := api.Topic(ctx, n.Topic)
		switch {
		case errors.Is(err, admin.ErrNotFound):
			s.Topics = append(s.Topics, TopicState{Need: n})
			s.Missing = append(s.Missing, Missing{Topic: n.Topic, Cost: n.Subscriptions[0].Cost})
		case errors.Is(err, admin.ErrForbidden):
			s.Topics = append(s.Topics, TopicState{Need: n})
			s.Unknown = append(s.Unknown, err.Error())
		case err != nil:
			return nil, err
		default:
			s.Topics = append(s.Topics, TopicState{n, t})
			s.compare(n, t)
			if n.HasServices && t.Subscription(contract.Subscription) != nil {
				if err := s.move(ctx, api, t); err != nil {
					return nil, err
				}
			}
		}
	}
	return s, nil
}

func (s *State) compare(n *Need, t *admin.Topic) {
	if n.Partitions > t.Partitions {
		s.Notes = append(s.Notes, fmt.Sprintf("%s has %s, not %d: this is not changed, since keys would move",
			n.Topic, text.Count(t.Partitions, "partition"), n.Partitions))
	}
	for _, need := range n.Subscriptions {
		if got := t.Subscription(need.Name); got == nil || len(got.Missing) > 0 {
			s.Missing = append(s.Missing, Missing{n.Topic, need.Name, need.Cost})
		}
	}
	for _, got := range t.Subscriptions {
		needed := slices.ContainsFunc(n.Subscriptions, func(s NeededSubscription) bool { return s.Name == got.Name })
		if !needed {
			s.Notes = append(s.Notes, fmt.Sprintf(
				"%s has the subscription %s, which the catalog does not know: its backlog is %d and nothing here changes it",
				n.Topic, text.Escape(got.Name), got.Backlog))
		}
	}
}

// move notes where services can start when a queue without services becomes one with services, and what they run once
// more then: the subscription of the work queue can have acknowledged messages behind one that it has not.
func (s *State) move(ctx context.Context, api API, t *admin.Topic) error {
	for _, partition := range t.PartitionNames() {
		c, err := api.Cursor(ctx, partition, contract.Subscription)
		switch {
		case errors.Is(err, admin.ErrNotFound): // it has just been deleted, or nobody has used this partition yet
		case errors.Is(err, admin.ErrForbidden):
			s.Unknown = append(s.Unknown, err.Error())
		case err != nil:
			return err
		default:
			s.Notes = append(s.Notes, fmt.Sprintf("%s: %s has acknowledged what is before %d:%d, and %s behind it, "+
				"which a service that starts there runs once more", partition, contract.Subscription, c.MarkDelete.Ledger,
				c.MarkDelete.Entry+1, text.Count(int(c.Beyond), "message")))
		}
	}
	return nil
}

// Namespaces returns the namespaces of needs, each once.
func Namespaces(needs []*Need) []string {
	var names []string
	for _, n := range needs {
		if ns := topic.Namespace(n.Topic); !slices.Contains(names, ns) {
			names = append(names, ns)
		}
	}
	return names
}
