// Package topology says which topics and subscriptions a catalog needs on a Pulsar cluster.
package topology

import (
	"fmt"
	"strings"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
)

// A Group is the consumers that share the messages of a queue.
type Group struct {
	Queue        *schema.Queue
	Topic        string // in full, in the chosen namespace
	Subscription string
	// DeadLetters is the topic for what could not be handled, "" if that is dropped. Its subscription is babelqueue.
	DeadLetters string
	URNs        []*schema.URN // that the group handles
}

// Name names the group for people.
func (g *Group) Name() string { return g.Queue.Name }

// Retry returns where a message is sent so that only this group sees it again.
func (g *Group) Retry() string { return g.Topic }

// DeadLetterSubscription is the subscription that keeps dead letters.
const DeadLetterSubscription = contract.Subscription

// A Topology is the groups of a catalog in one namespace.
type Topology struct {
	Catalog   *schema.Catalog
	Namespace string // "" for the topics of the catalog
	Groups    []*Group
}

// Of returns the groups of a catalog. If namespace is not empty, all topics are in it.
func Of(c *schema.Catalog, namespace string) (*Topology, error) {
	t := &Topology{Catalog: c, Namespace: namespace}
	for _, q := range c.Queues {
		g := &Group{Queue: q, Subscription: contract.Subscription}
		var err error
		if g.Topic, err = t.place(q.Topic); err != nil {
			return nil, err
		}
		if q.DeadLetter != "" {
			if g.DeadLetters, err = t.place(q.DeadLetter); err != nil {
				return nil, err
			}
		}
		for _, u := range c.URNs {
			if u.Queue == q {
				g.URNs = append(g.URNs, u)
			}
		}
		t.Groups = append(t.Groups, g)
	}
	return t, nil
}

func (t *Topology) place(name string) (string, error) {
	if t.Namespace == "" {
		return topic.Full(name), nil
	}
	return topic.InNamespace(name, t.Namespace)
}

// Group returns the only group of a queue.
func (t *Topology) Group(queue string) (*Group, error) {
	var names []string
	for _, g := range t.Groups {
		if g.Queue.Name == queue {
			return g, nil
		}
		names = append(names, g.Queue.Name)
	}
	return nil, fmt.Errorf("the catalog has no queue %q, only %s", queue, strings.Join(names, ", "))
}

// SharesDeadLetters returns the other groups whose dead letters are on the same topic.
func (t *Topology) SharesDeadLetters(g *Group) (others []*Group) {
	for _, o := range t.Groups {
		if o != g && g.DeadLetters != "" && o.DeadLetters == g.DeadLetters {
			others = append(others, o)
		}
	}
	return others
}

// Owns reports whether a dead letter whose block, or whose meta, names this queue is the group's: by the name of its
// topic or, as some SDKs write it, of the queue in the catalog (DLQ-5).
func (g *Group) Owns(queue string) bool {
	return queue == topic.LastSegment(g.Topic) || queue == g.Queue.Name
}
