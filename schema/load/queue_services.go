package load

import (
	"slices"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// services reads services of a queue: those that each receive its messages.
func (l *loader) services(q *schema.Queue, n *source.Node) {
	if n == nil || !l.IsList(n, "services") {
		return
	}
	if len(n.Items) == 0 {
		l.Report(n.Pos, schema.RuleService, "leave services out for a queue whose consumers share its messages",
			"services is empty")
	}
	lines := map[string]int{}
	for _, item := range n.Items {
		name, ok := l.Text(item, "an entry of services")
		if !ok {
			continue
		}
		if err := contract.CheckService(name); err != nil {
			l.Report(item.Pos, schema.RuleService, "", "service %s: %s", text.Quote(name), err)
			continue
		}
		if line, again := lines[name]; again {
			l.Report(item.Pos, schema.RuleService, "remove it", "service %s is already on line %d", text.Quote(name), line)
			continue
		}
		lines[name] = item.Pos.Line
		l.countServices(item.Pos, true, name)
		s := &schema.Service{Name: name, Pos: item.Pos, Queue: q, RetryTopic: contract.ServiceRetryTopic(q.Topic, name)}
		q.Services = append(q.Services, s)
	}
}

// serviceDeadLetters decides where the dead letters of each service go. They cannot share a topic: whoever puts a dead
// letter back has to know whose it is.
func (l *loader) serviceDeadLetters(q *schema.Queue, n *source.Node) {
	if len(q.Services) == 0 || q.DeadLetter == "" {
		return
	}
	if n != nil && !n.IsText("true") {
		l.Report(n.Pos, schema.RuleServiceDead, "remove dead_letter: every service gets a topic, such as "+
			text.Quote(contract.ServiceDeadLetterTopic(q.Topic, q.Services[0].Name)),
			"the services of queue %s cannot share a dead-letter topic", text.Quote(q.Name))
	}
	q.DeadLetter = ""
	for _, s := range q.Services {
		s.DeadLetter = contract.ServiceDeadLetterTopic(q.Topic, s.Name)
	}
}

// A topicUse is what a topic is for.
type topicUse struct {
	topic   string
	what    string // such as: the topic of queue "orders"
	pos     schema.Pos
	service bool // it belongs to a service
}

// checkServiceTopics reports topics of services that are also used for something else: as a queue, or for the dead
// letters of another queue.
func (l *loader) checkServiceTopics() {
	if !slices.ContainsFunc(l.catalog.Queues, func(q *schema.Queue) bool { return len(q.Services) > 0 }) {
		return
	}
	used := map[string]topicUse{}
	for _, q := range l.catalog.Queues {
		for _, u := range l.topicUses(q) {
			full := topic.Full(u.topic)
			other, taken := used[full]
			if !taken {
				used[full] = u
				continue
			}
			if u.service || other.service {
				l.Report(u.pos, schema.RuleSameTopic, "rename the service or give one of the queues another topic",
					"topic %s would be %s and %s", text.Quote(u.topic), other.what, u.what)
			}
		}
	}
}

func (l *loader) topicUses(q *schema.Queue) []topicUse {
	at := func(key string) schema.Pos {
		if pos, ok := l.source.Places.KeyUnder(q.Pos, key); ok {
			return pos
		}
		return q.Pos
	}
	name := text.Quote(q.Name)
	uses := []topicUse{{topic: q.Topic, what: "that of queue " + name, pos: at("topic")}}
	if q.DeadLetter != "" {
		uses = append(uses, topicUse{
			topic: q.DeadLetter, what: "that of the dead letters of queue " + name, pos: at("dead_letter"),
		})
	}
	for _, s := range q.Services {
		of := " of service " + text.Quote(s.Name) + " of queue " + name
		uses = append(uses, topicUse{topic: s.RetryTopic, what: "that of the retries" + of, pos: s.Pos, service: true})
		if s.DeadLetter != "" {
			uses = append(uses, topicUse{topic: s.DeadLetter, what: "that of the dead letters" + of, pos: s.Pos, service: true})
		}
	}
	return uses
}

// assignURNs gives each service its messages. If the URNs are complete, it reports services that have none.
func (l *loader) assignURNs(urns *urnSet, complete bool) {
	services := map[*schema.Queue]map[string]*schema.Service{}
	for _, q := range l.catalog.Queues {
		services[q] = q.ServicesByName()
	}
	consumers := map[*schema.Queue][]string{} // those that are not services
	for _, u := range l.catalog.URNs {
		for _, name := range u.Consumers {
			if s := services[u.Queue][name]; s == nil {
				consumers[u.Queue] = append(consumers[u.Queue], name)
			} else if len(s.URNs) == 0 || s.URNs[len(s.URNs)-1] != u { // a name can be repeated
				s.URNs = append(s.URNs, u)
			}
		}
	}
	if urns.byName == nil || !urns.doubt.MayMiss() || !complete {
		return
	}
	for _, q := range l.catalog.Queues {
		for _, s := range q.Services {
			if len(s.URNs) > 0 {
				continue
			}
			names := l.near.Lazy(func() []string { return consumers[q] })
			l.Report(s.Pos, schema.RuleServiceIdle,
				names.DidYouMean(s.Name, "remove it, or add it to the consumers of a URN of this queue"),
				"no URN of queue %s has the consumer %s", text.Quote(q.Name), text.Quote(s.Name))
		}
	}
}
