package bq

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// Declare creates the subscriptions of queues, since Pulsar keeps nothing for a subscription that does not exist
// (FAN-9). Call it before the first message is published, in every publisher: it may be called at any time, by several
// processes at once, and has no effect on what exists. For a queue with services it creates three subscriptions for
// each of them: on its dead letters, on its retries, and then on the queue's topic. For a queue without services it
// creates the subscription babelqueue on the topic and on the dead-letter topic.
//
// A new subscription starts with the earliest message that the broker still has, like that of a consumer and that of
// bqgen provision. Topics that do not exist are created with the broker's defaults, if the broker does so.
// [WithTopics] replaces topics here as it does for publishers and consumers, and [WithDeadLetterSubscription] names the
// subscription of dead letters as it does for consumers: all of them need the same options.
//
// Declare creates nothing if two queues would be on one topic, which WithTopics can make of a correct catalog.
//
// The error lists everything that could not be created. It is safe to publish all the same, but messages may not reach
// a service whose subscription is missing. Declare ends with ctx.
func Declare(ctx context.Context, client pulsar.Client, queues []Queue, opts ...DeclareOption) error {
	if client == nil {
		return errors.New("declare queues: there is no client")
	}
	c := declareConfig{deadLetters: defaultSubscription}
	var wrong []error
	for i, o := range opts {
		if o == nil {
			wrong = append(wrong, fmt.Errorf("option %d is nil", i+1))
			continue
		}
		o.applyToDeclare(&c)
	}
	resolved := make([]Queue, len(queues))
	for i, q := range queues {
		var err error
		if resolved[i], err = c.topics.resolve(ctx, q); err == nil {
			err = resolved[i].check()
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("queue %s: %w", q.Name, err))
		}
	}
	wrong = append(wrong, checkApart(resolved)...)
	if len(wrong) > 0 {
		return fmt.Errorf("declare queues: %w", errors.Join(wrong...))
	}
	keep, receive := declarations(resolved, c.deadLetters)
	// First what is published to when a message fails, then what makes messages come.
	if err := errors.Join(declareAll(ctx, client, keep), declareAll(ctx, client, receive)); err != nil {
		return fmt.Errorf("declare queues: %w", err)
	}
	return nil
}

// A DeclareOption changes what [Declare] creates.
type DeclareOption interface{ applyToDeclare(*declareConfig) }

type declareConfig struct {
	topics      topicMappings
	deadLetters string // the subscription of a work queue's dead letters; "" for none
}

// checkApart returns what is wrong with the topics of queues together. A topic is for one thing, except that work
// queues may share their dead-letter topic, and that a queue may be given twice.
func checkApart(queues []Queue) (wrong []error) {
	type use struct {
		queue, what string
		shares      bool
	}
	used := map[string]use{}
	for _, q := range queues {
		add := func(name, what string, shares bool) {
			if name == "" {
				return
			}
			other, taken := used[fullTopic(name)]
			if taken && other.queue != q.Name && !(shares && other.shares) {
				wrong = append(wrong, fmt.Errorf("topic %s would be %s of queue %s and %s of queue %s",
					shownTopic(name), other.what, other.queue, what, q.Name))
			}
			used[fullTopic(name)] = use{q.Name, what, shares}
		}
		add(q.Topic, "that", false)
		add(q.DeadLetterTopic, "that of the dead letters", true)
		for _, s := range q.Services {
			add(s.RetryTopic, "that of the retries of service "+s.Name, false)
			add(s.DeadLetterTopic, "that of the dead letters of service "+s.Name, false)
		}
	}
	return wrong
}

// A declaration is a subscription that has to exist.
type declaration struct{ topic, name string }

// declarations returns what queues need: for retries and dead letters, and for their own messages.
func declarations(queues []Queue, deadLetters string) (keep, receive []declaration) {
	add := func(list *[]declaration, topic, name string) {
		if topic != "" && name != "" {
			*list = append(*list, declaration{topic, name})
		}
	}
	for _, q := range queues {
		add(&keep, q.DeadLetterTopic, deadLetters)
		for _, s := range q.Services {
			add(&keep, s.DeadLetterTopic, s.Name)
			add(&keep, s.RetryTopic, s.Name)
			add(&receive, q.Topic, s.Name)
		}
		if len(q.Services) == 0 {
			add(&receive, q.Topic, defaultSubscription)
		}
	}
	return keep, receive
}

// declareMost is how many subscriptions are created at a time.
const declareMost = 8

func declareAll(ctx context.Context, client pulsar.Client, all []declaration) error {
	errs := make([]error, len(all))
	slots := make(chan struct{}, declareMost)
	var running sync.WaitGroup
	for i, d := range all {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			errs[i] = protect(func() error { return flow.Declare(ctx, client, d.topic, d.name) })
		})
	}
	running.Wait()
	return errors.Join(errs...)
}
