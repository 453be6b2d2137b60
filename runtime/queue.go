package bq

import (
	"errors"
	"fmt"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/topic"
)

// defaultMaxAttempts is how often a message is delivered if neither an option nor the catalog says so (MAX-1).
const defaultMaxAttempts = contract.DefaultMaxAttempts

// A Queue is a Pulsar topic and what happens to messages on it that cannot be handled. Generated code contains a Queue
// for each queue of the catalog.
type Queue struct {
	Name  string // for errors and logs
	Topic string // such as persistent://public/default/orders
	// MaxAttempts is how often a message is delivered, the first time included (MAX-1). 0 means 3.
	MaxAttempts int
	// DeadLetterTopic receives the messages that could not be handled, by convention Topic + ".dlq" (DLQ-1). If it is
	// empty, such messages are dropped, with a warning in the log.
	DeadLetterTopic string
	// URNs are those that the catalog puts on the queue.
	URNs []string
	// Services each receive every message that names them; see [WithService]. Without services, all consumers share the
	// messages.
	Services []QueueService
}

// check returns an error if the queue cannot be consumed.
func (q Queue) check() error {
	switch {
	case q.Topic == "":
		return errors.New("the queue has no topic")
	case q.DeadLetterTopic != "" && sameTopic(q.Topic, q.DeadLetterTopic):
		return errors.New("the queue's topic is its own dead-letter topic")
	}
	for _, name := range []string{q.Topic, q.DeadLetterTopic} {
		if topic.LooksLikePartition(name) {
			return fmt.Errorf("%s is or looks like one partition of a topic, and retries and dead letters would not go to it; "+
				"use a topic name without -partition- (RET-5)", name)
		}
	}
	return q.checkServices()
}

// queueOf returns the name of a topic's queue in an envelope: the last segment of the topic (ENV-5, DLQ-5).
func queueOf(name string) string { return topic.LastSegment(topic.WithoutPartition(name)) }
