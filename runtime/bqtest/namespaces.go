package bqtest

import (
	"errors"
	"fmt"
	"strings"
)

// A Namespace is how an administrator sets a namespace up.
type Namespace struct {
	NoTopics        bool // topics do not come to be on first use: see CreateTopic
	NoSubscriptions bool // nor do durable subscriptions: see CreateSubscription
}

const defaultNamespace = "public/default"

// errTopicNotFound is what the client returns for a topic that cannot be looked up.
var errTopicNotFound = errors.New("TopicNotFound")

// SetNamespace makes a namespace, written tenant/namespace, or sets it up anew. A broker has public/default from the
// start; in any other namespace that was not made, making producers and consumers fails. It panics if name is not the
// name of a namespace.
func (b *Broker) SetNamespace(name string, n Namespace) {
	if tenant, rest, _ := strings.Cut(name, "/"); tenant == "" || rest == "" {
		panic(fmt.Sprintf("bqtest: SetNamespace: %q is not a namespace: want tenant/namespace", name))
	}
	b.lock()
	defer b.unlock()
	b.namespaces[name] = n
}

// CreateTopic makes a topic without partitions, as an administrator would where topics do not come to be on first use.
// It is an error if the namespace does not exist. A topic that exists is left as it is.
func (b *Broker) CreateTopic(name string) error {
	tn, err := parseTopic(name)
	if err != nil {
		return err
	}
	b.lock()
	defer b.unlock()
	if _, exists := b.namespaces[tn.namespace]; !exists {
		return fmt.Errorf("create topic %q: there is no namespace %s", name, tn.namespace)
	}
	b.topic(tn)
	return nil
}

// lookup returns the topics that a name stands for, and makes them if need be and they may come to be.
func (b *Broker) lookup(tn topicName) ([]*topic, error) {
	n, exists := b.namespaces[tn.namespace]
	if !exists {
		return nil, errTopicNotFound
	}
	var topics []*topic
	for _, name := range b.topicNames(tn) {
		if n.NoTopics && b.topics[name.full] == nil {
			return nil, errTopicNotFound
		}
		topics = append(topics, b.topic(name))
	}
	return topics, nil
}
