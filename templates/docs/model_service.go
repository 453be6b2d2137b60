package docs

import (
	"fmt"
	"strings"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/pagename"
	"github.com/babelqueue/bqgen/schema"
)

// A service publishes or handles messages.
type service struct {
	Page      string
	Name      string
	Publishes []*message
	Handles   []*message
	Receives  []*reception
}

// A reception is what a service receives from a queue, and how.
type reception struct {
	Service      *service
	Queue        *queuePage
	Messages     []*message
	Subscription string
	RetryTopic   string     // empty on a work queue, whose retries go back to its topic
	DeadLetter   string     // topic; "" when messages are dropped
	SharedWith   []*service // other consumers of a work queue, each of which takes some of the messages
	SharedMore   int        // how many others there are
	Consume      code       // empty on a work queue
}

// fillServices connects a message with the services that publish it and those that receive it.
func (b *builder) fillServices(u *schema.URN, m *message) {
	for _, id := range u.Publishers {
		s := b.service(id)
		s.Publishes = append(s.Publishes, m)
		m.Publishers = append(m.Publishers, s)
		if b.isNew(use{m.Queue, s, false}) {
			m.Queue.Publishers = append(m.Queue.Publishers, s)
		}
	}
	for _, id := range u.Consumers {
		if len(u.Queue.Services) > 0 && b.ownService(u.Queue, id) == nil {
			continue // it receives nothing
		}
		s := b.service(id)
		s.Handles = append(s.Handles, m)
		m.Consumers = append(m.Consumers, s)
		if b.isNew(use{m.Queue, s, true}) {
			m.Queue.Consumers = append(m.Queue.Consumers, s)
		}
		r := b.reception(u.Queue, s, id)
		r.Messages = append(r.Messages, m)
	}
}

// reception returns what a service receives from a queue.
func (b *builder) reception(q *schema.Queue, s *service, id string) *reception {
	page := b.queues[q]
	for _, r := range s.Receives {
		if r.Queue == page {
			return r
		}
	}
	r := &reception{Service: s, Queue: page, Subscription: contract.Subscription, DeadLetter: page.DeadLetter}
	if own := b.ownService(q, id); own != nil {
		r.Subscription, r.RetryTopic = own.Name, name(own.RetryTopic)
		if own.DeadLetter != "" {
			r.DeadLetter = name(own.DeadLetter)
		}
		r.Consume = goCode(consumeSnippet(b.names.Package, b.names.Services[own]))
		page.Receptions = append(page.Receptions, r)
	}
	s.Receives = append(s.Receives, r)
	return r
}

// ownService returns the service of a queue by its name; nil if the queue has none.
func (b *builder) ownService(q *schema.Queue, id string) *schema.Service {
	if b.owned == nil {
		b.owned = map[*schema.Queue]map[string]*schema.Service{}
	}
	byName, known := b.owned[q]
	if !known {
		byName = q.ServicesByName()
		b.owned[q] = byName
	}
	return byName[id]
}

func (b *builder) service(id string) *service {
	s := b.services[id]
	if s == nil {
		s = &service{Name: name(id), Page: pagename.Service(id)}
		b.services[id] = s
	}
	return s
}

// share tells the consumers of each work queue of each other, when all of them are known.
func (b *builder) share() {
	for _, q := range b.site.Queues {
		if len(q.Receptions) > 0 || len(q.Consumers) < 2 {
			continue
		}
		q.Group = &service{Page: q.Page, Name: groupName(q.Consumers)}
		for _, s := range q.Consumers {
			for _, r := range s.Receives {
				if r.Queue == q {
					r.share(q.Consumers)
				}
			}
		}
	}
}

// maxShared is the number of other consumers that a page names: every one of them has a page that does so.
const maxShared = 20

// share sets the other consumers of the queue.
func (r *reception) share(consumers []*service) {
	for _, other := range consumers[:min(len(consumers), maxShared+1)] {
		if other != r.Service && len(r.SharedWith) < maxShared {
			r.SharedWith = append(r.SharedWith, other)
		}
	}
	r.SharedMore = len(consumers) - 1 - len(r.SharedWith)
}

func groupName(consumers []*service) string {
	names := namesOf(consumers[:min(len(consumers), maxShared)])
	if more := len(consumers) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, " or ")
}

// Receivers returns who receives a message: each service on its own, or the consumers of a work queue together.
func (m *message) Receivers() []*service {
	if m.Queue.Group != nil && len(m.Consumers) > 0 {
		return []*service{m.Queue.Group}
	}
	return m.Consumers
}

// HandledBy says how the services that follow receive the message.
func (m *message) HandledBy() string { return handledBy(m.Queue, m.Consumers) }

// HandledBy says how the services that follow receive the queue's messages.
func (q *queuePage) HandledBy() string { return handledBy(q, q.Consumers) }

func handledBy(q *queuePage, consumers []*service) string {
	switch {
	case len(consumers) < 2:
		return "Handled by"
	case q.Group != nil:
		return "Handled by one of"
	}
	return "Handled by each of"
}

func namesOf(list []*service) []string {
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names
}
