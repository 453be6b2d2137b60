package bq

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// A QueueService is one of several services of a queue, each of which receives every message that names it.
type QueueService struct {
	Name            string   // also the name of its subscriptions (FAN-1)
	RetryTopic      string   // the queue's topic + ".NAME.retry" (FAN-2)
	DeadLetterTopic string   // the queue's topic + ".NAME.dlq" (FAN-3); "" drops what cannot be handled
	URNs            []string // that it receives
}

// The reasons of [Skipped], besides envelope.UnknownURN. They are not on the wire.
const (
	// ForeignRetry: another consumer retries the message (FAN-5). Err says where that is told.
	ForeignRetry = flow.ForeignRetry
	// OtherService: the message is for other services of the queue (FAN-6).
	OtherService = flow.OtherService
)

// serviceConfig is what a consumer is told about the services of its queue.
type serviceConfig struct {
	name         string
	takesForeign bool // retries of other consumers
	skipsUnknown bool

	service *QueueService // of the queue, with the topics to use
	warned  *warnedURNs
}

// WithService consumes a queue as one of its services: from its topic, under a subscription with the name of the
// service, the messages whose URNs the service receives (FAN-1). All other URNs of the queue are acknowledged unseen
// and reported as [Skipped] (FAN-6). Generated constructors such as NewBillingOrdersConsumer set it.
//
// Retries and dead letters go to topics of the service's own, so no other service sees them (FAN-2, FAN-3). Retries are
// received from there in parallel to the queue's topic, with the same handlers, keys and limits. Their delays are kept
// by Pulsar, whatever the type of the subscription is (FAN-10). A message that is retried goes behind later messages of
// its key; [WithRetryInPlace] keeps the order.
func WithService(name string) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		c.refuse(c.service.name != "", "WithService is given twice: %q and %q", c.service.name, name)
		c.service.name = name
	})
}

// HandleForeignRetries makes a service handle messages on the queue's topic that another consumer has published there
// as retries. By default they are [Skipped], because the service has received the original, too (FAN-5). It is needed
// while a queue is moved from one group of consumers to services, until its old retries are gone.
func HandleForeignRetries() ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.service.takesForeign = true })
}

// SkipUnknownURNs makes a service acknowledge messages whose URN its catalog does not know, with one warning for each
// URN. By default they are retried and dead-lettered as unknown_urn, so that they can be handled once the service is
// updated (FAN-7).
func SkipUnknownURNs() ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.service.skipsUnknown = true })
}

// serviceOf returns the queue as the consumer's service sees it: with its dead-letter topic.
func (c *consumerConfig) serviceOf(q Queue) Queue {
	s := &c.service
	if s.name == "" {
		c.refuse(len(q.Services) > 0, "the queue has services: give WithService, or use the constructor of one of %s",
			serviceNames(q))
		c.refuse(s.takesForeign, "HandleForeignRetries needs WithService")
		c.refuse(s.skipsUnknown, "SkipUnknownURNs needs WithService")
		return q
	}
	for _, known := range q.Services {
		if known.Name == s.name {
			s.service = &known
		}
	}
	if s.service == nil {
		c.refuse(true, "WithService: the queue has no service %q; it has %s",
			text.Shorten(s.name, maxLogValue), serviceNames(q))
		return q
	}
	c.refuse(slices.Contains(c.subscribing, "WithSubscription"),
		"WithSubscription and WithService exclude each other: the subscription is named after the service")
	c.refuse(c.own.deadLetterNamed, "WithDeadLetterSubscription and WithService exclude each other: "+
		"the subscription of the dead letters is named after the service (FAN-3)")
	c.refuse(c.own.consumer != nil, "WithPulsarConsumer and WithService exclude each other: "+
		"a service receives from two topics, with consumers that it makes")
	c.subscription = s.name
	c.service.warned = &warnedURNs{seen: map[string]bool{}}
	q.DeadLetterTopic = s.service.DeadLetterTopic
	return q
}

func serviceNames(q Queue) string {
	if len(q.Services) == 0 {
		return "none"
	}
	var names []string
	for _, s := range q.Services {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// checkServices returns an error if the services of the queue cannot be told apart (FAN-8).
func (q Queue) checkServices() error {
	used := map[string]string{}
	var errs []error
	use := func(name, what string) {
		if name == "" {
			return
		}
		full := fullTopic(name)
		if other, taken := used[full]; taken {
			errs = append(errs, fmt.Errorf("topic %s would be %s and %s", name, other, what))
		}
		used[full] = what
	}
	use(q.Topic, "that of the queue")
	for _, s := range q.Services {
		if err := contract.CheckService(s.Name); err != nil {
			errs = append(errs, fmt.Errorf("service %q: %w", text.Shorten(s.Name, maxLogValue), err))
		}
		if s.RetryTopic == "" {
			errs = append(errs, fmt.Errorf("service %s has no retry topic", s.Name))
		}
		use(s.RetryTopic, "that of the retries of service "+s.Name)
		use(s.DeadLetterTopic, "that of the dead letters of service "+s.Name)
	}
	return errors.Join(errs...)
}

// checkRoutes returns an error if the routes are not those of the service: one that is missing would dead-letter its
// messages, and one that is too many would never be called.
func (c *consumerConfig) checkRoutes(routes RouteSet) error {
	s := c.service.service
	if s == nil {
		return nil
	}
	var errs []error
	for _, urn := range slices.Sorted(maps.Keys(routes.byURN)) {
		if !slices.Contains(s.URNs, urn) {
			errs = append(errs, fmt.Errorf("service %s does not receive %s, for which there is a handler", s.Name, urn))
		}
	}
	for _, urn := range s.URNs {
		if _, handled := routes.byURN[envelope.Trim(urn)]; !handled && c.unknown == nil {
			errs = append(errs, fmt.Errorf("service %s receives %s, for which there is no handler", s.Name, urn))
		}
	}
	return errors.Join(errs...)
}

// warnOfSharing warns of what loses or repeats messages of a work queue: consumers that handle only a part of what they
// take, and a subscription of its own, since retries go back to the topic and so to every subscription.
func (c *consumerConfig) warnOfSharing(q Queue, routes RouteSet) {
	if c.service.name != "" {
		return
	}
	var missing []string
	for _, urn := range q.URNs {
		if _, handled := routes.byURN[envelope.Trim(urn)]; !handled && c.unknown == nil {
			missing = append(missing, urn)
		}
	}
	if len(missing) > 0 {
		c.logger.Warn("this consumer takes all messages of its queue, but has no handler for some of them: it retries "+
			"and dead-letters these; give the queue services if another service handles them",
			slog.String("queue", q.Name), slog.Any("without_handler", missing))
	}
	if c.subscription != defaultSubscription && !c.byNack {
		c.logger.Warn("this consumer has a subscription of its own, and its retries go back to the topic of the queue: "+
			"every other subscription receives them, too; give the queue services instead",
			slog.String("queue", q.Name), slog.String("subscription", c.subscription))
	}
}

// toFlow returns the service as the flow has it; nil for a work queue.
func (s *serviceConfig) toFlow(q Queue) *flow.Service {
	if s.service == nil {
		return nil
	}
	out := &flow.Service{Queue: q.Topic, URNs: make(map[string]bool), SkipUnknown: s.skipsUnknown}
	for _, urn := range q.URNs {
		out.URNs[envelope.Trim(urn)] = false
	}
	for _, other := range q.Services {
		for _, urn := range other.URNs {
			out.URNs[envelope.Trim(urn)] = false
		}
	}
	for _, urn := range s.service.URNs {
		out.URNs[envelope.Trim(urn)] = true
	}
	return out
}

// retries returns the subscription of the service's retry topic. It is shared, so that Pulsar keeps delays; on a
// Key_Shared queue it is Key_Shared with the same consumer name, which lets most keys go to the same replica on both
// topics.
func (c *consumerConfig) retries(main flow.Subscription) flow.Subscription {
	s := main
	s.Topic, s.Type, s.Position = c.service.service.RetryTopic, pulsar.Shared, pulsar.SubscriptionPositionEarliest
	if main.Type == pulsar.KeyShared {
		s.Type = pulsar.KeyShared
	}
	if main.Template != nil {
		o := *main.Template
		o.Topic, o.Type, o.SubscriptionInitialPosition = s.Topic, s.Type, s.Position
		s.Template = &o
	}
	return s
}

// deadLetterSubscription returns the name of the subscription that keeps dead letters.
func (c *consumerConfig) deadLetterSubscription() string {
	if c.service.service != nil {
		return c.service.name // FAN-3
	}
	return defaultSubscription
}

// warnedURNs are the URNs of which the log has warned.
type warnedURNs struct {
	mu   sync.Mutex
	seen map[string]bool
}

// maxWarnedURNs bounds the warnings: anybody may publish any URN.
const maxWarnedURNs = 100

// isNew reports whether a URN has not been warned of yet.
func (w *warnedURNs) isNew(urn string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen[urn] || len(w.seen) >= maxWarnedURNs {
		return false
	}
	w.seen[urn] = true
	return true
}
