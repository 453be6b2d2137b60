package bq

import (
	"errors"
	"fmt"
	"strings"

	"github.com/babelqueue/bqgen/internal/topic"
)

// defaultMaxAttempts is how often a message is delivered when nobody says otherwise (MAX-1).
const defaultMaxAttempts = 3

// A Queue is a Pulsar topic that messages travel on, and what becomes of those that cannot be handled.
type Queue struct {
	Name  string // for people and logs
	Topic string // such as persistent://public/default/orders
	// MaxAttempts is how often a message is delivered in all, the first time included (MAX-1). 0 means 3.
	MaxAttempts int
	// DeadLetterTopic takes what could not be handled, by convention Topic + ".dlq" (DLQ-1). When it is empty such
	// messages are dropped, with a warning in the log.
	DeadLetterTopic string
}

// check returns what is wrong with the queue.
func (q Queue) check() error {
	switch {
	case q.Topic == "":
		return errors.New("the queue has no topic")
	case q.DeadLetterTopic != "" && sameTopic(q.Topic, q.DeadLetterTopic):
		return errors.New("the queue's topic is its own dead-letter topic")
	}
	for _, name := range []string{q.Topic, q.DeadLetterTopic} {
		if strings.Contains(topic.LastSegment(name), "-partition-") {
			return fmt.Errorf("%s is or looks like one partition of a topic: retries and dead letters would go elsewhere; "+
				"name the topic without -partition- (RET-5)", name)
		}
	}
	return nil
}

// queueOf returns a topic's queue as it stands in an envelope: its last path segment (ENV-5, DLQ-5).
func queueOf(name string) string { return topic.LastSegment(topic.WithoutPartition(name)) }
