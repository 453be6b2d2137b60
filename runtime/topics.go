package bq

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
)

// deadLetterSuffix makes a queue's default dead-letter topic of its topic (DLQ-1).
const deadLetterSuffix = ".dlq"

// Bounds of what a function given to WithTopics may do.
const (
	mappingTimeout = 5 * time.Second
	maxTopicLength = 1024 // bytes
	maxTopicShown  = 200  // characters
)

// WithTopics replaces the topics of the catalog: fn returns the topic to use for a topic of the catalog, so that one
// catalog serves several environments. It applies to publishers, consumers, readers, Declare, retries and dead letters.
// fn is called once for each topic of the catalog; what it returned the first time stays. A dead-letter topic that is
// its queue's topic with the suffix .dlq is not passed to fn: its name is the replaced topic with the suffix. Nor are
// the topics of services: their names are the replaced topic with their suffixes. Several calls add up: each function
// gets what the one before returned.
//
// fn must return NAME, TENANT/NAMESPACE/NAME, or the latter after persistent:// or non-persistent://, within 5 s. If it
// returns anything else, panics or blocks, NewConsumer, Publish and Declare fail. The queue's name in messages is the
// last segment of the replaced topic (ENV-5).
func WithTopics(fn func(topic string) string) TopicOption {
	return topicOption{&topicMapping{fn: fn, known: make(map[string]*mappedTopic)}}
}

// A TopicOption is for publishers, consumers, readers and Declare.
type TopicOption interface {
	Option
	ReaderOption
	DeclareOption
}

type topicOption struct{ m *topicMapping }

func (o topicOption) applyToPublisher(c *publisherConfig) { c.topics = append(c.topics, o.m) }
func (o topicOption) applyToConsumer(c *consumerConfig)   { c.topics = append(c.topics, o.m) }
func (o topicOption) applyToReader(c *readerConfig)       { c.topics = append(c.topics, o.m) }
func (o topicOption) applyToDeclare(c *declareConfig)     { c.topics = append(c.topics, o.m) }

// InNamespace returns a function for [WithTopics] that puts topics into a namespace, such as acme/staging. Only short
// names, such as orders, are put there; topics that the catalog writes with a namespace stay where they are.
func InNamespace(namespace string) func(topic string) string {
	return func(name string) string { return topic.InNamespace(namespace, name) }
}

// topicMappings are the functions given to WithTopics, in order.
type topicMappings []*topicMapping

// A topicMapping remembers what a function given to WithTopics has returned.
type topicMapping struct {
	fn    func(string) string
	mu    sync.Mutex
	known map[string]*mappedTopic
}

// A mappedTopic is the result for one topic, once done is closed.
type mappedTopic struct {
	done chan struct{}
	name string
	err  error
}

// of returns the topic for a topic of the catalog.
func (m *topicMapping) of(ctx context.Context, name string) (string, error) {
	m.mu.Lock()
	found := m.known[name]
	if found == nil {
		found = &mappedTopic{done: make(chan struct{})}
		m.known[name] = found
		go func() { // it is the user's function, which may block
			defer close(found.done)
			found.err = errors.New("the function called runtime.Goexit")
			found.name, found.err = m.ask(name)
		}()
	}
	m.mu.Unlock()
	timer := time.NewTimer(mappingTimeout)
	defer timer.Stop()
	select {
	case <-found.done:
		return found.name, found.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-timer.C:
		return "", fmt.Errorf("the function has not returned within %s", mappingTimeout)
	}
}

// ask calls the function and checks what it returns.
func (m *topicMapping) ask(name string) (string, error) {
	if m.fn == nil {
		return "", errors.New("the function is nil")
	}
	var mapped string
	if err := protect(func() error { mapped = m.fn(name); return nil }); err != nil {
		return "", err
	}
	if mapped == name {
		return name, nil
	}
	if err := checkMapped(mapped); err != nil {
		return "", fmt.Errorf("it returned %s for %s: %w", shownTopic(mapped), shownTopic(name), err)
	}
	return strings.Clone(mapped), nil
}

// checkMapped returns an error if name cannot be the name of a topic.
func checkMapped(name string) error {
	if len(name) > maxTopicLength {
		return fmt.Errorf("it is longer than %d bytes", maxTopicLength)
	}
	if !utf8.ValidString(name) {
		return errors.New("it is not UTF-8")
	}
	if err := topic.Check(name); err != nil {
		return err
	}
	_, local, full := strings.Cut(name, "://")
	if !full {
		local = name
	}
	parts := strings.Split(local, "/")
	if len(parts) > 3 {
		return errors.New("it has more parts than tenant, namespace and name")
	}
	for _, part := range parts {
		if part == "." || part == ".." {
			return errors.New("a part of it is only dots")
		}
	}
	return nil
}

// shownTopic returns a name as errors show it.
func shownTopic(name string) string {
	return text.Shorten(strconv.Quote(text.Shorten(name, maxTopicShown)), maxTopicShown-1)
}

// of returns the topic to use for a topic of the catalog.
func (t topicMappings) of(ctx context.Context, name string) (string, error) {
	for _, m := range t {
		mapped, err := m.of(ctx, name)
		if err != nil {
			return "", fmt.Errorf("WithTopics: %w", err)
		}
		name = mapped
	}
	return name, nil
}

// resolve returns the queue with the topics to use.
func (t topicMappings) resolve(ctx context.Context, q Queue) (Queue, error) {
	if q.Topic == "" || len(t) == 0 {
		return q, nil
	}
	mapped, err := t.of(ctx, q.Topic)
	if err != nil {
		return q, fmt.Errorf("the topic: %w", err)
	}
	letters := q.DeadLetterTopic
	switch {
	case letters == "":
	case letters == q.Topic+deadLetterSuffix:
		letters = mapped + deadLetterSuffix
	default:
		if letters, err = t.of(ctx, letters); err != nil {
			return q, fmt.Errorf("the dead-letter topic: %w", err)
		}
	}
	q.Services = slices.Clone(q.Services)
	for i := range q.Services {
		s := &q.Services[i]
		s.RetryTopic = contract.ServiceRetryTopic(mapped, s.Name)
		if s.DeadLetterTopic != "" {
			s.DeadLetterTopic = contract.ServiceDeadLetterTopic(mapped, s.Name)
		}
	}
	q.Topic, q.DeadLetterTopic = mapped, letters
	return q, nil
}
