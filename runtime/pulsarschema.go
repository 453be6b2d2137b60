package bq

import (
	"fmt"
	"strings"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/text"
)

// withSchema adds the name of the schema to an error of creating a producer with it. Without one, it says what to do
// where the topic wants one.
func withSchema(err error, schema pulsar.Schema) error {
	switch {
	case err != nil && schema == nil && isIncompatible(err):
		return fmt.Errorf("the topic wants producers with a schema, set the Schema by WithProducerOptions: %w", err)
	case err == nil || schema == nil:
		return err
	}
	name := "none"
	_ = protect(func() error { // it may be the user's
		if info := schema.GetSchemaInfo(); info != nil {
			name = info.Name
		}
		return nil
	})
	return fmt.Errorf("with the schema %s: %w", text.Shorten(name, maxLogValue), err)
}

// isIncompatible reports whether err says that a topic has another schema. The client gives the broker's word for it as
// text only.
func isIncompatible(err error) bool {
	return err != nil && strings.Contains(err.Error(), "IncompatibleSchema")
}

// isDeadLetterTopic reports whether dead letters of the consumer are published to a topic.
func (c *consumerConfig) isDeadLetterTopic(topic string) bool {
	for _, q := range c.queues {
		if q.DeadLetterTopic != "" && sameTopic(q.DeadLetterTopic, topic) {
			return true
		}
	}
	return false
}
