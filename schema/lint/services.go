package lint

import (
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// consumersShare finds queues whose consumers, different services, take each other's messages.
func consumersShare(p *pass) {
	type consumer struct {
		queue *schema.Queue
		name  string
	}
	met := map[consumer]bool{}
	consumers := map[*schema.Queue][]string{}
	for _, u := range p.catalog.URNs {
		for _, name := range u.Consumers {
			if c := (consumer{u.Queue, name}); !met[c] {
				met[c] = true
				consumers[u.Queue] = append(consumers[u.Queue], name)
			}
		}
	}
	for _, q := range p.catalog.Queues {
		if names := consumers[q]; len(q.Services) == 0 && len(names) > 1 {
			p.report(q.Pos, "add services: ["+text.List(shortened(names))+
				"], so that each of them receives its messages, or name one consumer",
				"%s share the messages of queue %s: each message is handled by one of them",
				quoted(names), text.Quote(q.Name))
		}
	}
}

// consumerWithoutService finds consumers that a queue with services sends nothing.
func consumerWithoutService(p *pass) {
	services := map[*schema.Queue]map[string]bool{}
	for _, q := range p.catalog.Queues {
		services[q] = map[string]bool{}
		for _, s := range q.Services {
			services[q][s.Name] = true
		}
	}
	for _, u := range p.catalog.URNs {
		if len(u.Queue.Services) == 0 {
			continue
		}
		for _, name := range u.Consumers {
			if !services[u.Queue][name] {
				p.report(p.catalog.KeyUnder(u.Pos, "consumers"),
					"add it to the services of the queue, or remove it here",
					"consumer %s of URN %s is no service of queue %s",
					text.Quote(name), text.Quote(u.URN), text.Quote(u.Queue.Name))
			}
		}
	}
}

// messageWithoutService finds messages that every service of their queue skips.
func messageWithoutService(p *pass) {
	handled := map[*schema.URN]bool{}
	for _, q := range p.catalog.Queues {
		for _, s := range q.Services {
			for _, u := range s.URNs {
				handled[u] = true
			}
		}
	}
	for _, u := range p.catalog.URNs {
		if len(u.Queue.Services) > 0 && !handled[u] && u.Deprecated == nil {
			p.report(u.Pos, "add a service of the queue to its consumers, or deprecate the URN",
				"every service of queue %s skips URN %s", text.Quote(u.Queue.Name), text.Quote(u.URN))
		}
	}
}

// servicesNotPersistent finds services that miss everything that is published while they are not connected.
func servicesNotPersistent(p *pass) {
	for _, q := range p.catalog.Queues {
		if len(q.Services) > 0 && !isPersistent(q.Topic) {
			p.report(p.catalog.KeyUnder(q.Pos, "services"), "use a persistent topic",
				"Pulsar keeps no message for a service of queue %s that is not connected, and no retry: "+
					"its topic is not persistent", text.Quote(q.Name))
		}
	}
}

func shortened(names []string) []string {
	short := make([]string, len(names))
	for i, name := range names {
		short[i] = text.Short(name)
	}
	return short
}

// maxNamed is the number of names that a sentence ends with.
const maxNamed = 10

// quoted returns names as a part of a sentence.
func quoted(names []string) string {
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = text.Quote(name)
	}
	last := len(shown) - 1
	if last > maxNamed {
		return text.List(shown)
	}
	return strings.Join(shown[:last], ", ") + " and " + shown[last]
}
