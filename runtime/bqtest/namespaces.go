package bqtest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// A Namespace contains the settings that an administrator makes for a namespace.
type Namespace struct {
	NoTopics        bool // topics are not created on first use: see CreateTopic
	NoSubscriptions bool // durable subscriptions are not created on first use: see CreateSubscription
	SchemaRequired  bool // producers without a schema are refused on topics that have one (schemaValidationEnforced)
	AnySchema       bool // schemas of a topic need not be compatible (ALWAYS_COMPATIBLE)
}

const defaultNamespace = "public/default"

// errTopicNotFound is what the client returns for a topic that cannot be looked up.
var errTopicNotFound = errors.New("TopicNotFound")

// SetNamespace creates a namespace, written tenant/namespace, or changes its settings. A new broker has only
// public/default; creating producers and consumers in a namespace that does not exist fails. SetNamespace panics if
// name is not the name of a namespace.
func (b *Broker) SetNamespace(name string, n Namespace) {
	if tenant, rest, _ := strings.Cut(name, "/"); tenant == "" || rest == "" {
		panic(fmt.Sprintf("bqtest: SetNamespace: %q is not a namespace: want tenant/namespace", name))
	}
	b.lock()
	defer b.unlock()
	b.namespaces[name] = n
}

// CreateTopic creates a topic without partitions, as an administrator would where topics are not created on first use.
// It returns an error if the namespace does not exist. It does nothing if the topic exists.
func (b *Broker) CreateTopic(name string) error {
	tn, err := wire.ParseTopic(name)
	if err != nil {
		return err
	}
	b.lock()
	defer b.unlock()
	if _, exists := b.namespaces[tn.Namespace]; !exists {
		return fmt.Errorf("create topic %q: there is no namespace %s", name, tn.Namespace)
	}
	b.topic(tn)
	return nil
}

// CreateSubscription creates a durable subscription of an existing topic, or of all its partitions, at the end of the
// topic or at its earliest message. It does nothing if the subscription exists.
func (b *Broker) CreateSubscription(topic, name string, earliest bool) error {
	b.lock()
	defer b.unlock()
	topics := b.find(topic)
	if len(topics) == 0 {
		return fmt.Errorf("create subscription %q: there is no topic %q", name, topic)
	}
	for _, t := range topics {
		if t.subs[name] != nil {
			continue
		}
		start := t.end()
		if earliest {
			start = t.first
		}
		t.subs[name] = newSubscription(t, name, pulsar.Exclusive, true, start)
	}
	b.notify()
	return nil
}

// lookup returns the topics that a name stands for, and creates those that may be created on first use.
func (b *Broker) lookup(tn wire.Topic) ([]*topic, error) {
	n, exists := b.namespaces[tn.Namespace]
	if !exists {
		return nil, errTopicNotFound
	}
	var topics []*topic
	for _, name := range b.topicNames(tn) {
		if n.NoTopics && b.topics[name.Full] == nil {
			return nil, errTopicNotFound
		}
		topics = append(topics, b.topic(name))
	}
	return topics, nil
}
