package compat

import (
	"fmt"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
)

func (c *comparer) queues() {
	c.onQueue = map[*schema.Queue][]*schema.URN{}
	for _, u := range c.newCatalog.URNs {
		c.onQueue[u.Queue] = append(c.onQueue[u.Queue], u)
	}
	old := map[string]*schema.Queue{}
	byTopic := map[string]*schema.Queue{}
	for _, q := range c.oldCatalog.Queues {
		old[q.Name] = q
		byTopic[topic.Full(q.Topic)] = q
	}
	for _, q := range c.newCatalog.Queues {
		before := old[q.Name]
		if before == nil {
			if before = byTopic[topic.Full(q.Topic)]; before == nil {
				continue // a new one, of its own topic
			}
			message := fmt.Sprintf("queue %s was renamed to %s", text.Quote(before.Name), text.Quote(q.Name))
			c.add("queue-renamed", q.Pos, message, &Change{Source: true})
		} else {
			c.goName(before, q, c.newCatalog.KeyUnder(q.Pos, "name"), "queue "+text.Quote(q.Name))
		}
		c.queue(before, q)
	}
}

func (c *comparer) queue(old, new *schema.Queue) {
	name := text.Quote(new.Name)
	key := func(name string) schema.Pos { return c.newCatalog.KeyUnder(new.Pos, name) }
	b, urns := c.sentOn(new)
	if !topic.Same(old.Topic, new.Topic) {
		message := fmt.Sprintf("the topic of queue %s was %s and is %s", name, text.Quote(old.Topic), text.Quote(new.Topic))
		c.add("topic-changed", key("topic"), message, &Change{Consumers: b, Producers: b, URNs: urns})
	}
	if old.MaxAttempts != new.MaxAttempts {
		message := fmt.Sprintf("max_attempts of queue %s was %d and is %d", name, old.MaxAttempts, new.MaxAttempts)
		c.add("max-attempts-changed", key("max_attempts"), message, &Change{})
	}
	c.deadLetter(old, new, b, urns)
	c.services(old, new)
}

func (c *comparer) deadLetter(old, new *schema.Queue, b *Break, urns []string) {
	pos, name := c.newCatalog.KeyUnder(new.Pos, "dead_letter"), text.Quote(new.Name)
	was, is := text.Quote(deadLettersOf(old)), text.Quote(deadLettersOf(new))
	byDefault := hasDefaultDeadLetter(old) && hasDefaultDeadLetter(new)
	withServices := len(old.Services) > 0 || len(new.Services) > 0
	switch {
	case !old.KeepsDeadLetters() && new.KeepsDeadLetters():
		c.add("dead-letter-added", pos, fmt.Sprintf("queue %s keeps dead letters now, on %s", name, is), &Change{})
	case old.KeepsDeadLetters() && !new.KeepsDeadLetters():
		message := fmt.Sprintf("queue %s drops messages that it cannot handle; they went to %s", name, was)
		c.add("dead-letter-removed", pos, message, &Change{Consumers: b, URNs: urns})
	case !byDefault && !withServices && !topic.Same(old.DeadLetter, new.DeadLetter):
		message := fmt.Sprintf("dead letters of queue %s went to %s and go to %s", name, was, is)
		c.add("dead-letter-moved", pos, message, &Change{Consumers: b, URNs: urns})
	}
}

// deadLettersOf returns the dead-letter topic of a queue, or that of the first of its services.
func deadLettersOf(q *schema.Queue) string {
	if len(q.Services) > 0 {
		return q.Services[0].DeadLetter
	}
	return q.DeadLetter
}

// hasDefaultDeadLetter reports whether the dead letter topic follows the queue's topic.
func hasDefaultDeadLetter(q *schema.Queue) bool {
	return q.DeadLetter != "" && topic.Same(q.DeadLetter, q.Topic+contract.DeadLetterSuffix)
}

// sentOn returns the URNs of a queue, and a payload that is sent on it.
func (c *comparer) sentOn(q *schema.Queue) (*Break, []string) {
	b := &Break{}
	var urns []string
	for _, u := range c.onQueue[q] {
		urns = append(urns, u.URN)
		if b.Document == nil {
			b = c.example(u)
		}
	}
	return b, urns
}

// example returns a payload of a URN, for changes that are not about its content.
func (c *comparer) example(u *schema.URN) *Break {
	if !c.canShow() {
		return &Break{}
	}
	if len(u.Examples) > 0 {
		return c.document(u.Examples[0].JSON)
	}
	if v, ok := c.sampler.smallest(u.Data, 0); ok {
		return c.document([]byte(encode(v)))
	}
	return &Break{}
}

// maxDocuments is the size of all documents of a comparison together, in bytes. They are printed.
const maxDocuments = 1 << 20

// canShow reports whether there may be more documents.
func (c *comparer) canShow() bool { return !c.budget.IsSpent() && c.shown < maxDocuments }

func (c *comparer) document(text []byte) *Break {
	c.shown += len(text)
	return &Break{Document: text}
}
