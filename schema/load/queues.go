package load

import (
	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/near"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// A queueSet is the queues that the catalog declares, whether or not their content is right: a reference to a queue
// that was reported is not dangling.
type queueSet struct {
	byName map[string]*schema.Queue // nil when the section could not be read
	doubt  trust.Doubt              // Partial when there may be more of them
	names  *near.Lazy
}

var queueKeys = source.Keys{
	Optional: []string{"topic", "max_attempts", "dead_letter", "services", "description", "name"},
}

// queues reads queues.
func (l *loader) queues(n *source.Node) *queueSet {
	set := &queueSet{}
	if !l.IsMapping(n, "queues") {
		return set
	}
	set.byName = make(map[string]*schema.Queue, len(n.Pairs))
	set.doubt = n.Doubt
	l.limit(n, "queues")
	topics := map[string]*schema.Queue{}
	names := goNames{}
	for _, p := range n.Pairs {
		q := &schema.Queue{Name: p.Key.Text, Pos: p.Key.Pos, MaxAttempts: contract.DefaultMaxAttempts}
		set.byName[q.Name] = q
		l.catalog.Queues = append(l.catalog.Queues, q)
		named := l.NotBlank(q.Pos, q.Name, "the name of a queue")
		m, ok := l.Mapping(p.Value, "queue "+text.Quote(q.Name), queueKeys)
		if !ok {
			continue
		}
		q.Description = l.OptionalText(m, "description")
		q.GoName, _ = l.goName(m, names)
		if a := m.Get("max_attempts"); a != nil {
			q.MaxAttempts = l.maxAttempts(a)
		}
		topicPos, ok := l.topic(q, m.Get("topic"), named)
		if ok {
			if other := topics[topic.Full(q.Topic)]; other != nil {
				l.Report(topicPos, schema.RuleSameTopic,
					"put both queues' URNs on one queue, or give this one a topic of its own",
					"queue %s has the topic of queue %s", text.Quote(q.Name), text.Quote(other.Name))
			} else {
				topics[topic.Full(q.Topic)] = q
			}
		}
		l.deadLetter(q, m.Get("dead_letter"), ok)
		l.services(q, m.Get("services"))
		l.serviceDeadLetters(q, m.Get("dead_letter"))
	}
	set.names = l.near.Lazy(func() []string {
		return near.Names(l.catalog.Queues, func(q *schema.Queue) string { return q.Name })
	})
	return set
}
