package schema

import (
	"math"
	"strconv"
)

// defaultMaxAttempts is how often a message is delivered in all when the catalog does not say.
const defaultMaxAttempts = 3

func (l *loader) loadQueues(n *node) {
	if !l.isMapping(n, "queues") {
		return
	}
	l.queues = make(map[string]*Queue, len(n.pairs))
	l.queuesVague = n.flawed
	topics := map[string]*Queue{}
	names := goNames{}
	for _, p := range n.pairs {
		q := &Queue{Name: p.key.text, Pos: p.key.pos, MaxAttempts: defaultMaxAttempts}
		l.queues[q.Name] = q
		l.catalog.Queues = append(l.catalog.Queues, q)
		what := "queue " + quote(q.Name)
		named := l.notBlank(q.Pos, q.Name, "the name of a queue")
		m, ok := l.mapping(p.value, what, nil, keysOf("topic", "max_attempts", "dead_letter", "description", "name"))
		if !ok {
			continue
		}
		q.Description = l.optionalText(m, "description")
		q.GoName, _ = l.goName(m, names)
		if a := m.get("max_attempts"); a != nil {
			q.MaxAttempts = l.maxAttempts(a)
		}
		topicPos, ok := l.queueTopic(q, m.get("topic"), named)
		if ok {
			if other := topics[canonicalTopic(q.Topic)]; other != nil {
				l.report(topicPos, ruleSameTopic, "put both queues' URNs on one queue, or give this one a topic of its own",
					"queue %s has the topic of queue %s", quote(q.Name), quote(other.Name))
			} else {
				topics[canonicalTopic(q.Topic)] = q
			}
		}
		l.deadLetter(q, m.get("dead_letter"), ok)
	}
}

// queueTopic takes the topic, by default the queue's name.
func (l *loader) queueTopic(q *Queue, n *node, named bool) (Pos, bool) {
	if n == nil {
		q.Topic = q.Name
		if !named {
			return q.Pos, false
		}
		if reason := topicFault(q.Topic); reason != "" {
			l.report(q.Pos, ruleTopic, "give the queue a topic:", "the name of queue %s is its topic, and %s", quote(q.Name), reason)
			return q.Pos, false
		}
		return q.Pos, true
	}
	topic, ok := l.text(n, "topic")
	if !ok {
		return n.pos, false
	}
	q.Topic = topic
	if reason := topicFault(topic); reason != "" {
		l.report(n.pos, ruleTopic, topicHint, "topic %s: %s", quote(topic), reason)
		return n.pos, false
	}
	return n.pos, true
}

func (l *loader) maxAttempts(n *node) int {
	const what = "max_attempts"
	text, ok := l.integer(n, ruleAttempts, what)
	if !ok {
		return defaultMaxAttempts
	}
	v, err := strconv.ParseInt(text, 10, 64)
	switch {
	case text[0] == '-' || err == nil && v < 1:
		l.report(n.pos, ruleAttempts, "1 delivers once, without a retry", "max_attempts is %s, it must be at least 1", cut(text))
	case err != nil || v > math.MaxInt32:
		l.report(n.pos, ruleAttempts, "", "max_attempts is %s, it must be at most %d", cut(text), math.MaxInt32)
	default:
		return int(v)
	}
	return defaultMaxAttempts
}

// deadLetter takes true (the default: the topic with .dlq), false (dropped) or a topic.
func (l *loader) deadLetter(q *Queue, n *node, topicOK bool) {
	const hint = "true sends to the topic with .dlq at its end, false drops, or give a topic"
	switch {
	case n == nil, n.kind == scalarNode && n.plain && n.text == "true":
		q.DeadLetter = q.Topic + ".dlq"
		return
	case n.kind == scalarNode && n.plain && n.text == "false":
		return
	case n.kind == badNode:
		return
	case n.kind == scalarNode && !n.plain && (n.text == "true" || n.text == "false"):
		l.report(n.pos, ruleWrongType, "remove the quotes", "dead_letter is the string %s", quote(n.text))
		return
	case n.kind != scalarNode || n.plain && classifyPlain(n.text) != plainString:
		l.report(n.pos, ruleWrongType, hint, "dead_letter must be true, false or a topic, this is %s", n.describe())
		return
	}
	q.DeadLetter = n.text
	if reason := topicFault(n.text); reason != "" {
		l.report(n.pos, ruleTopic, topicHint, "dead_letter topic %s: %s", quote(n.text), reason)
	} else if topicOK && canonicalTopic(n.text) == canonicalTopic(q.Topic) {
		l.report(n.pos, ruleSameTopic, hint, "the dead letters of queue %s would go to its own topic", quote(q.Name))
	}
}
