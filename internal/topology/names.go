package topology

import (
	"errors"
	"fmt"
	"strings"
)

// NameSubscriptions tells the names of subscriptions that consumers were given with bq.WithSubscription: a name for all
// queues, or QUEUE=NAME. Queues with services are left out, whose subscriptions have the names of the services (FAN-3).
func (t *Topology) NameSubscriptions(names []string) error {
	return t.rename(names, func(g *Group) *string { return &g.Subscription })
}

// NameDeadLetterSubscriptions is NameSubscriptions for bq.WithDeadLetterSubscription.
func (t *Topology) NameDeadLetterSubscriptions(names []string) error {
	return t.rename(names, func(g *Group) *string { return &g.DeadLetterSubscription })
}

func (t *Topology) rename(names []string, field func(*Group) *string) error {
	for _, text := range names {
		queue, name, ok := strings.Cut(text, "=")
		if !ok {
			queue, name = "", text
		}
		if name == "" {
			return errors.New("the name of a subscription is empty")
		}
		found := queue == ""
		for _, g := range t.Groups {
			switch {
			case queue != "" && g.Queue.Name != queue:
			case g.Service == nil:
				*field(g), found = name, true
			case queue != "":
				return fmt.Errorf("%q: the queue %s has services, whose subscriptions have their names", text, queue)
			}
		}
		if !found {
			return fmt.Errorf("%q: the catalog has no queue %q", text, queue)
		}
	}
	return nil
}
