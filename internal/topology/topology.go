// Package topology says which topics and subscriptions a catalog needs on a Pulsar cluster.
package topology

import (
	"fmt"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
)

// A Group is the consumers that share messages: all consumers of a queue or, of a queue with services, those of one
// service.
type Group struct {
	Queue        *schema.Queue
	Service      *schema.Service // nil for a queue without services
	Topic        string          // in full, in the chosen namespace
	Subscription string
	// Retry is where a message is sent so that only this group sees it again: a service's retry topic, else the topic.
	Retry string
	// DeadLetters is the topic for what could not be handled, "" if that is dropped.
	DeadLetters string
	// DeadLetterSubscription keeps them: babelqueue or, for a service, its name (FAN-3).
	DeadLetterSubscription string
	URNs                   []*schema.URN // that the group handles
}

// Name names the group for people.
func (g *Group) Name() string {
	if g.Service == nil {
		return g.Queue.Name
	}
	return g.Queue.Name + " for " + g.Service.Name
}

// A Topology is the groups of a catalog in one namespace.
type Topology struct {
	Catalog   *schema.Catalog
	Namespace string // "" for the topics of the catalog
	Groups    []*Group
}

// Of returns the groups of a catalog. If namespace is not empty, topics that the catalog writes without a namespace are
// in it, as with bq.InNamespace.
func Of(c *schema.Catalog, namespace string) (*Topology, error) {
	t := &Topology{Catalog: c, Namespace: namespace}
	if namespace != "" {
		if err := topic.CheckNamespace(namespace); err != nil {
			return nil, err
		}
	}
	for _, q := range c.Queues {
		g := Group{Queue: q, Topic: t.place(q.Topic)}
		g.Subscription, g.DeadLetterSubscription = contract.Subscription, contract.Subscription
		if len(q.Services) > 0 {
			for _, s := range q.Services {
				t.addService(g, s)
			}
			continue
		}
		g.Retry, g.DeadLetters = g.Topic, t.place(q.DeadLetter)
		for _, u := range c.URNs {
			if u.Queue == q {
				g.URNs = append(g.URNs, u)
			}
		}
		t.Groups = append(t.Groups, &g)
	}
	return t, nil
}

func (t *Topology) addService(g Group, s *schema.Service) {
	g.Service, g.URNs = s, s.URNs
	g.Subscription, g.DeadLetterSubscription = s.Name, s.Name
	g.Retry, g.DeadLetters = t.place(s.RetryTopic), t.place(s.DeadLetter)
	t.Groups = append(t.Groups, &g)
}

// place returns where a topic is; "" for none.
func (t *Topology) place(name string) string {
	switch {
	case name == "":
		return ""
	case t.Namespace == "":
		return topic.Full(name)
	}
	return topic.Full(topic.InNamespace(t.Namespace, name))
}

// Group returns the group of a queue, and of a service if the queue has services.
func (t *Topology) Group(queue, service string) (*Group, error) {
	var queues, services []string
	for _, g := range t.Groups {
		switch {
		case g.Queue.Name != queue:
			if !slices.Contains(queues, g.Queue.Name) {
				queues = append(queues, g.Queue.Name)
			}
		case g.Service == nil && service == "" || g.Service != nil && g.Service.Name == service:
			return g, nil
		case g.Service != nil:
			services = append(services, g.Service.Name)
		default:
			return nil, fmt.Errorf("the queue %s has no services", queue)
		}
	}
	switch {
	case len(services) == 0:
		return nil, fmt.Errorf("the catalog has no queue %q, only %s", queue, strings.Join(queues, ", "))
	case service == "":
		return nil, fmt.Errorf("the queue %s has services: name one of %s with --service", queue,
			strings.Join(services, ", "))
	}
	return nil, fmt.Errorf("the queue %s has no service %q, only %s", queue, service, strings.Join(services, ", "))
}

// Queue returns a group of a queue, for what all its services share.
func (t *Topology) Queue(queue string) (*Group, error) {
	for _, g := range t.Groups {
		if g.Queue.Name == queue {
			return g, nil
		}
	}
	return t.Group(queue, "")
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
