package compat

import (
	"fmt"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

func (c *comparer) queues() {
	old := map[string]*schema.Queue{}
	byTopic := map[string]*schema.Queue{}
	for _, q := range c.oldCatalog.Queues {
		old[q.Name] = q
		byTopic[fullTopic(q.Topic)] = q
	}
	for _, q := range c.newCatalog.Queues {
		before := old[q.Name]
		if before == nil {
			if before = byTopic[fullTopic(q.Topic)]; before == nil {
				continue // a new one, of its own topic
			}
			c.add("queue-renamed", q.Pos, fmt.Sprintf("queue %s is called %s now", text.Quote(before.Name), text.Quote(q.Name)), &Change{Source: true})
		} else {
			c.goName(before, q, c.newCatalog.KeyUnder(q.Pos, "name"), "queue "+text.Quote(q.Name))
		}
		c.queue(before, q)
	}
}

func (c *comparer) queue(old, new *schema.Queue) {
	name := text.Quote(new.Name)
	key := func(name string) schema.Pos { return c.newCatalog.KeyUnder(new.Pos, name) }
	b, urns := c.onQueue(new)
	if !sameTopic(old.Topic, new.Topic) {
		c.add("topic-changed", key("topic"), fmt.Sprintf("the topic of queue %s was %s and is %s", name, text.Quote(old.Topic), text.Quote(new.Topic)),
			&Change{Consumers: b, Producers: b, URNs: urns})
	}
	if old.MaxAttempts != new.MaxAttempts {
		c.add("max-attempts-changed", key("max_attempts"), fmt.Sprintf("max_attempts of queue %s was %d and is %d", name, old.MaxAttempts, new.MaxAttempts), &Change{})
	}
	byDefault := old.DeadLetter == old.Topic+".dlq" && new.DeadLetter == new.Topic+".dlq"
	switch {
	case old.DeadLetter == "" && new.DeadLetter != "":
		c.add("dead-letter-added", key("dead_letter"), fmt.Sprintf("queue %s keeps dead letters now, on %s", name, text.Quote(new.DeadLetter)), &Change{})
	case old.DeadLetter != "" && new.DeadLetter == "":
		c.add("dead-letter-removed", key("dead_letter"), fmt.Sprintf("queue %s drops what it cannot handle now; it went to %s", name, text.Quote(old.DeadLetter)), &Change{Consumers: b, URNs: urns})
	case !byDefault && !sameTopic(old.DeadLetter, new.DeadLetter):
		c.add("dead-letter-moved", key("dead_letter"), fmt.Sprintf("dead letters of queue %s went to %s and go to %s", name, text.Quote(old.DeadLetter), text.Quote(new.DeadLetter)), &Change{Consumers: b, URNs: urns})
	}
}

// onQueue gives the URNs of a queue, and a payload that travels on it.
func (c *comparer) onQueue(q *schema.Queue) (*Break, []string) {
	b := &Break{}
	var urns []string
	for _, u := range c.newCatalog.URNs {
		if u.Queue != q {
			continue
		}
		urns = append(urns, u.URN)
		if b.Document == nil {
			b = c.example(u)
		}
	}
	return b, urns
}

// example is a payload of a URN, for changes that are not about what is in it.
func (c *comparer) example(u *schema.URN) *Break {
	if len(u.Examples) > 0 {
		return &Break{Document: u.Examples[0].JSON}
	}
	if v, ok := c.sampler.smallest(u.Data, 0); ok {
		return &Break{Document: []byte(encode(v))}
	}
	return &Break{}
}
