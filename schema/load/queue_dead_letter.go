package load

import (
	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// deadLetter reads dead_letter of a queue: true (the default: the queue's topic with .dlq appended), false (messages
// are dropped), or a topic.
func (l *loader) deadLetter(q *schema.Queue, n *source.Node, topicOK bool) {
	const hint = "true sends to the topic with .dlq at its end, false drops, or give a topic"
	switch {
	case n == nil, n.IsText("true"):
		q.DeadLetter = q.Topic + contract.DeadLetterSuffix
		return
	case n.IsText("false"), n.Kind == source.Bad:
		return
	case n.IsQuoted("true", "false"):
		l.Report(n.Pos, schema.RuleWrongType, "remove the quotes", "dead_letter is the string %s", text.Quote(n.Text))
		return
	case n.Kind != source.Scalar || n.Plain && source.ClassifyPlain(n.Text) != source.PlainString:
		l.Report(n.Pos, schema.RuleWrongType, hint,
			"dead_letter must be true, false or a topic, this is %s", n.Describe())
		return
	}
	q.DeadLetter = n.Text
	if err := topic.Check(n.Text); err != nil {
		l.Report(n.Pos, schema.RuleTopic, topic.Forms, "dead_letter topic %s: %s", text.Quote(n.Text), err)
	} else if topicOK && topic.Same(n.Text, q.Topic) {
		l.Report(n.Pos, schema.RuleSameTopic, hint,
			"the dead letters of queue %s would go to its own topic", text.Quote(q.Name))
	}
}
