package compat

import (
	"fmt"
	"slices"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// services compares the services of a queue.
func (c *comparer) services(old, new *schema.Queue) {
	pos, name := c.newCatalog.KeyUnder(new.Pos, "services"), text.Quote(new.Name)
	b, urns := c.sentOn(new)
	switch {
	case len(old.Services) == 0 && len(new.Services) == 0:
		return
	case len(old.Services) == 0:
		message := fmt.Sprintf("queue %s has the services %s; its consumers shared its messages",
			name, serviceNames(new.Services))
		c.add("services-introduced", pos, message, &Change{Consumers: b, Source: true, URNs: urns})
		return
	case len(new.Services) == 0:
		message := fmt.Sprintf("the consumers of queue %s share its messages; it had the services %s",
			name, serviceNames(old.Services))
		c.add("services-dropped", pos, message, &Change{Consumers: b, Source: true, URNs: urns})
		return
	}
	removed, added := serviceDiff(old, new), serviceDiff(new, old)
	if len(removed) == 1 && len(added) == 1 && sameURNs(removed[0].URNs, added[0].URNs) {
		message := fmt.Sprintf("service %s of queue %s was renamed to %s: what waits for %[1]s stays with its subscription",
			text.Quote(removed[0].Name), name, text.Quote(added[0].Name))
		c.add("service-renamed", added[0].Pos, message,
			&Change{Consumers: c.received(removed[0]), Source: true, URNs: urnsOf(removed[0]), Gone: removed[0].Name})
		removed, added = nil, nil
	}
	for _, s := range removed {
		message := fmt.Sprintf("service %s of queue %s was removed: its subscription stays, and its backlog grows for ever",
			text.Quote(s.Name), name)
		c.add("service-removed", pos, message,
			&Change{Consumers: c.received(s), Source: true, URNs: urnsOf(s), Gone: s.Name})
	}
	for _, s := range added {
		message := fmt.Sprintf("queue %s has the new service %s", name, text.Quote(s.Name))
		c.add("service-added", s.Pos, message, &Change{URNs: urnsOf(s)})
	}
	before := old.ServicesByName()
	for _, s := range new.Services {
		if was := before[s.Name]; was != nil {
			c.serviceURNs(was, s)
		}
	}
}

// serviceURNs compares what a service receives. URNs that are new are reported by [comparer.newOnServices].
func (c *comparer) serviceURNs(old, new *schema.Service) {
	before, after := urnsByName(old.URNs), urnsByName(new.URNs)
	for _, u := range new.URNs {
		if was := c.oldURNs[u.URN]; was != nil && was.Queue.Name == new.Queue.Name && before[u.URN] == nil {
			message := fmt.Sprintf("service %s of queue %s receives URN %s now: deployed with the old code, it skips it",
				text.Quote(new.Name), text.Quote(new.Queue.Name), text.Quote(u.URN))
			c.add("service-receives-more", c.newCatalog.KeyUnder(u.Pos, "consumers"), message,
				&Change{Consumers: c.example(u), Source: true, URNs: []string{u.URN}})
		}
	}
	for _, u := range old.URNs {
		if is := c.newURNs[u.URN]; is != nil && is.Queue == new.Queue && after[u.URN] == nil {
			message := fmt.Sprintf("service %s of queue %s skips URN %s now",
				text.Quote(new.Name), text.Quote(new.Queue.Name), text.Quote(u.URN))
			c.add("service-receives-less", c.newCatalog.KeyUnder(is.Pos, "consumers"), message,
				&Change{URNs: []string{u.URN}})
		}
	}
}

// newOnServices reports a new URN on a queue that had services: all of them have to know it.
func (c *comparer) newOnServices(old *schema.Queue, u *schema.URN) {
	if old == nil || len(old.Services) == 0 || len(u.Queue.Services) == 0 {
		return
	}
	message := fmt.Sprintf("URN %s is new on queue %s: until they are deployed with the new code, the services %s "+
		"dead-letter it as unknown, each on its own topic",
		text.Quote(u.URN), text.Quote(u.Queue.Name), serviceNames(old.Services))
	c.add("service-urn-added", u.Pos, message, &Change{Consumers: c.example(u), URNs: []string{u.URN}})
}

func urnsByName(urns []*schema.URN) map[string]*schema.URN {
	byName := make(map[string]*schema.URN, len(urns))
	for _, u := range urns {
		byName[u.URN] = u
	}
	return byName
}

// received returns an example of what a service used to receive.
func (c *comparer) received(s *schema.Service) *Break {
	for _, u := range s.URNs {
		if b := c.example(u); b.Document != nil {
			return b
		}
	}
	return &Break{}
}

// serviceDiff returns the services of queue a that queue b lacks.
func serviceDiff(a, b *schema.Queue) []*schema.Service {
	others := b.ServicesByName()
	return slices.DeleteFunc(slices.Clone(a.Services), func(s *schema.Service) bool { return others[s.Name] != nil })
}

func sameURNs(a, b []*schema.URN) bool {
	return slices.EqualFunc(a, b, func(x, y *schema.URN) bool { return x.URN == y.URN })
}

func urnsOf(s *schema.Service) []string {
	var urns []string
	for _, u := range s.URNs {
		urns = append(urns, u.URN)
	}
	return urns
}

// maxNamed is the number of services that a message names.
const maxNamed = 10

func serviceNames(services []*schema.Service) string {
	var names []string
	for _, s := range services[:min(len(services), maxNamed)] {
		names = append(names, text.Quote(s.Name))
	}
	list := text.List(names)
	if more := len(services) - len(names); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
