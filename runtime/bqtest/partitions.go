package bqtest

import (
	"fmt"
	"time"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// CreatePartitioned creates a topic with n partitions, as an administrator would: topics that are created on first use
// are not partitioned. It returns an error if the topic exists or n is less than 1.
func (b *Broker) CreatePartitioned(name string, n int) error {
	tn, err := wire.ParseTopic(name)
	if err != nil {
		return err
	}
	if tn.Partition >= 0 {
		return fmt.Errorf("create partitioned topic %q: the name is that of a partition", name)
	}
	if n < 1 {
		return fmt.Errorf("create partitioned topic %q: %d partitions, want at least 1", name, n)
	}
	b.lock()
	defer b.unlock()
	if b.partitions[tn.Base] > 0 || b.topics[tn.Base] != nil {
		return fmt.Errorf("create partitioned topic %q: it exists", name)
	}
	b.partitions[tn.Base] = n
	for _, p := range b.topicNames(tn) {
		b.topic(p)
	}
	return nil
}

// topicNames lists the topics that a name stands for: its partitions, or itself.
func (b *Broker) topicNames(tn wire.Topic) []wire.Topic {
	n := b.partitions[tn.Full]
	if n == 0 {
		return []wire.Topic{tn}
	}
	names := make([]wire.Topic, n)
	for i := range names {
		names[i] = tn.Of(i)
	}
	return names
}

// AddPartitions increases the number of partitions of a topic to n. The new partitions have the topic's durable
// subscriptions from the start. Consumers and producers find them at their next look-up, after their
// AutoDiscoveryPeriod or PartitionsAutoDiscoveryInterval (one minute by default). AddPartitions returns an error if the
// topic is not partitioned or already has n partitions or more.
func (b *Broker) AddPartitions(name string, n int) error {
	tn, err := wire.ParseTopic(name)
	if err != nil {
		return err
	}
	tn = tn.Whole()
	b.lock()
	defer b.unlock()
	if had := b.partitions[tn.Base]; had == 0 || had >= n {
		return fmt.Errorf("add partitions to topic %q: it has %d, want more than 0 and fewer than %d", name, had, n)
	}
	first := b.topics[b.topicNames(tn)[0].Full]
	b.partitions[tn.Base] = n
	for _, name := range b.topicNames(tn) {
		t := b.topic(name)
		for _, s := range first.subs {
			if s.durable && t.subs[s.name] == nil {
				t.subs[s.name] = newSubscription(t, s.name, s.typ, true, t.first)
			}
		}
	}
	for cl := range b.clients {
		for part := range cl.parts {
			switch part := part.(type) {
			case *consumer:
				b.discoverAfter(part.opts.AutoDiscoveryPeriod, func() { part.joinPartitions(tn) })
			case *producer:
				b.discoverAfter(part.opts.PartitionsAutoDiscoveryInterval, func() { part.joinPartitions(tn) })
			}
		}
	}
	b.notify()
	return nil
}

// discoverAfter runs fn after d, or after a minute if d is 0.
func (b *Broker) discoverAfter(d time.Duration, fn func()) {
	if d <= 0 {
		d = time.Minute
	}
	b.schedule(b.timers.current().Add(d), fn)
}

// joinPartitions connects the consumer to partitions that its topic did not have. A subscription that refuses it is
// left out.
func (c *consumer) joinPartitions(tn wire.Topic) {
	switch {
	case c.closed || c.left:
		return
	case c.b.down:
		c.b.discoverAfter(c.opts.AutoDiscoveryPeriod, func() { c.joinPartitions(tn) })
		return
	}
	has := map[*topic]bool{}
	ours := false
	for _, l := range c.links {
		has[l.topic] = true
		ours = ours || l.topic.name.Base == tn.Base
	}
	if !ours {
		return
	}
	for i, name := range c.b.topicNames(tn) {
		t := c.b.topic(name)
		s := t.subs[c.opts.SubscriptionName]
		if has[t] || s != nil && s.admit(c.opts.Type) != nil {
			continue
		}
		l := c.newLink(t, i)
		c.links = append(c.links, l)
		t.subscribe(l, func(t *topic) int64 { return t.first }).connect(l)
	}
}

// joinPartitions connects the producer to partitions that its topic did not have.
func (p *producer) joinPartitions(tn wire.Topic) {
	if p.closed || p.parts[0].topic.name.Base != tn.Base {
		return
	}
	names := p.b.topicNames(tn)
	for i := len(p.parts); i < len(names); i++ {
		t := p.b.topic(names[i])
		pp := &partitionProducer{p: p, topic: t, index: int32(i), lastSeq: -1}
		t.producers[p.opts.Name] = pp
		p.parts = append(p.parts, pp)
	}
	grown := *p.router // the one there is may be in use
	grown.parts = uint32(len(p.parts))
	p.router = &grown
	p.b.notify()
}

// mustParseTopic panics if name is not the name of a topic. The caller is named.
func mustParseTopic(caller, name string) wire.Topic {
	tn, err := wire.ParseTopic(name)
	if err != nil {
		panic("bqtest: " + caller + ": " + err.Error())
	}
	return tn
}
