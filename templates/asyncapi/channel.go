package asyncapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/internal/pagename"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
)

func (e *exporter) allChannels(c *schema.Catalog) object {
	var channels object
	for _, q := range c.Queues {
		channels = append(channels, jsonobj.Member{Name: e.channels[q], Value: e.channel(c, q)})
	}
	return channels
}

func (e *exporter) channel(c *schema.Catalog, q *schema.Queue) object {
	ch := object{{Name: "address", Value: q.Topic}, {Name: "title", Value: q.Name}}
	if q.Description != "" {
		ch = append(ch, jsonobj.Member{Name: "description", Value: q.Description})
	}
	var messages object
	for _, u := range c.URNs {
		if u.Queue == q {
			name := e.messages[u]
			messages = append(messages, jsonobj.Member{Name: name, Value: ref("components", "messages", name)})
		}
	}
	persistence, tenant, namespace := place(q.Topic)
	binding := object{
		{Name: "namespace", Value: namespace},
		{Name: "persistence", Value: persistence},
		{Name: "bindingVersion", Value: "0.1.0"},
	}
	ch = append(ch,
		jsonobj.Member{Name: "messages", Value: messages},
		jsonobj.Member{Name: "bindings", Value: object{{Name: "pulsar", Value: binding}}},
		jsonobj.Member{Name: "x-tenant", Value: tenant},
		jsonobj.Member{Name: "x-max-attempts", Value: q.MaxAttempts})
	if q.DeadLetter != "" {
		ch = append(ch, jsonobj.Member{Name: "x-dead-letter-topic", Value: q.DeadLetter})
	}
	if len(q.Services) > 0 {
		var names list
		for _, s := range q.Services {
			names = append(names, s.Name)
		}
		ch = append(ch, jsonobj.Member{Name: "x-services", Value: names})
	}
	return ch
}

// place returns the parts of a topic's full name that a binding needs.
func place(name string) (persistence, tenant, namespace string) {
	persistence, path, _ := strings.Cut(topic.Full(name), "://")
	tenant, path, _ = strings.Cut(path, "/")
	namespace, _, _ = strings.Cut(path, "/")
	return persistence, tenant, namespace
}

// operations returns what each service does: sends messages to a queue, or receives messages from one.
func (e *exporter) operations(c *schema.Catalog) object {
	var all object
	for _, q := range c.Queues {
		all = append(all, e.operationsOf(c, q, "send", "publishes to", func(u *schema.URN) []string {
			return u.Publishers
		}, nil)...)
	}
	for _, q := range c.Queues {
		services := q.ServicesByName()
		all = append(all, e.operationsOf(c, q, "receive", "handles messages from", func(u *schema.URN) []string {
			return consumersOf(u, services)
		}, func(service string, all []string) object {
			return reception(services[service], service, all)
		})...)
	}
	return all
}

// operationsOf returns the operations of one action on a queue, one for each service.
func (e *exporter) operationsOf(
	c *schema.Catalog, q *schema.Queue, action, verb string, servicesOf func(*schema.URN) []string,
	details func(service string, all []string) object,
) object {
	var services []string // in the order of the messages
	messages := map[string]list{}
	for _, u := range c.URNs {
		if u.Queue != q {
			continue
		}
		for _, s := range servicesOf(u) {
			if messages[s] == nil {
				services = append(services, s)
			}
			messages[s] = append(messages[s], ref("channels", e.channels[q], "messages", e.messages[u]))
		}
	}
	var operations object
	for _, s := range services {
		operation := object{
			{Name: "action", Value: action},
			{Name: "channel", Value: ref("channels", e.channels[q])},
			{Name: "title", Value: fmt.Sprintf("%s %s %s", s, verb, q.Name)},
			{Name: "tags", Value: list{object{{Name: "name", Value: s}}}},
			{Name: "messages", Value: messages[s]},
		}
		if details != nil {
			operation = append(operation, details(s, services)...)
		}
		operations = append(operations, jsonobj.Member{
			Name: action + "." + key(s, pagename.Service(s)) + "." + e.channels[q], Value: operation,
		})
	}
	return operations
}

// consumersOf returns who receives a message. On a queue with services these are its services and nobody else.
func consumersOf(u *schema.URN, services map[string]*schema.Service) []string {
	if len(services) == 0 {
		return u.Consumers
	}
	return slices.DeleteFunc(slices.Clone(u.Consumers), func(name string) bool { return services[name] == nil })
}

// maxShared is the number of services that each of them names, so that the document grows with the catalog.
const maxShared = 20

// sharedBy says who shares the messages of a queue.
func sharedBy(services []string) string {
	named := services[:min(len(services), maxShared)]
	text := "It shares the messages: each goes to one of " + strings.Join(named, ", ")
	if more := len(services) - len(named); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + "."
}

// reception says how a service receives: with whom it shares the messages, or on which topics its own retries and dead
// letters are. s is nil for a service that the queue does not list.
func reception(s *schema.Service, service string, all []string) object {
	if s == nil {
		details := object{{Name: "x-subscription", Value: contract.Subscription}}
		if slices.ContainsFunc(all, func(name string) bool { return name != service }) {
			details = append(object{{Name: "description", Value: sharedBy(all)}}, details...)
		}
		return details
	}
	details := object{
		{Name: "description", Value: "It receives every one of these messages, whatever other services do."},
		{Name: "x-subscription", Value: s.Name},
		{Name: "x-retry-topic", Value: s.RetryTopic},
	}
	if s.DeadLetter != "" {
		details = append(details, jsonobj.Member{Name: "x-dead-letter-topic", Value: s.DeadLetter})
	}
	return details
}
