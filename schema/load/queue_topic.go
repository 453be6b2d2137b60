package load

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// topic reads topic of a queue. The default is the queue's name.
func (l *loader) topic(q *schema.Queue, n *source.Node, named bool) (schema.Pos, bool) {
	if n == nil {
		q.Topic = q.Name
		if !named {
			return q.Pos, false
		}
		if err := topic.Check(q.Topic); err != nil {
			l.Report(q.Pos, schema.RuleTopic, "give the queue a topic:",
				"the name of queue %s is its topic, and %s", text.Quote(q.Name), err)
			return q.Pos, false
		}
		return q.Pos, true
	}
	name, ok := l.Text(n, "topic")
	if !ok {
		return n.Pos, false
	}
	q.Topic = name
	if err := topic.Check(name); err != nil {
		l.Report(n.Pos, schema.RuleTopic, topic.Forms, "topic %s: %s", text.Quote(name), err)
		return n.Pos, false
	}
	return n.Pos, true
}
