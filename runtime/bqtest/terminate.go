package bqtest

import (
	"errors"

	"github.com/apache/pulsar-client-go/pulsar"
)

var errTerminated = serverError("TopicTerminatedError",
	"org.apache.pulsar.broker.service.BrokerServiceException$TopicTerminatedException: Topic was already terminated")

// Terminate ends a topic: what it keeps is delivered, and nothing can be sent to it any more. Producers are closed by
// the client, and what they had not been answered fails with pulsar.ErrTopicTerminated. A partitioned topic's name
// stands for all its partitions. A topic that does not exist is not made.
func (b *Broker) Terminate(topic string) {
	b.lock()
	defer b.unlock()
	for _, t := range b.find(topic) {
		t.terminated = true
		for name, pp := range t.producers {
			pp.close(errors.Join(pulsar.ErrTopicTerminated, errTerminated))
			delete(t.producers, name)
		}
	}
	b.notify()
}
