package flow

import (
	"context"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns why a consumer was closed. Receive only says that it is; the client tells the cause to an interceptor.

// A closeWatch is an interceptor that waits for the end of its consumer.
type closeWatch chan error

func newCloseWatch() closeWatch { return make(closeWatch, 1) }

// BeforeConsume does nothing.
func (closeWatch) BeforeConsume(pulsar.ConsumerMessage) {}

// OnAcknowledge does nothing.
func (closeWatch) OnAcknowledge(pulsar.Consumer, pulsar.MessageID) {}

// OnNegativeAcksSend does nothing.
func (closeWatch) OnNegativeAcksSend(pulsar.Consumer, []pulsar.MessageID) {}

// OnConsumerClose is called by the client, once.
func (w closeWatch) OnConsumerClose(_ pulsar.Consumer, err error) {
	select {
	case w <- err:
	default:
	}
}

// causeWait is how long the cause may come after the consumer is closed.
const causeWait = time.Second

// whyClosed returns why a consumer is closed of which err says that it is.
func (s *source) whyClosed(ctx context.Context, err error) error {
	if s.own {
		return fmt.Errorf("receive: %w", err)
	}
	timer := time.NewTimer(causeWait)
	defer timer.Stop()
	select {
	case cause := <-s.closed:
		if cause != nil {
			return fmt.Errorf("the broker closed the consumer for good: %w", cause)
		}
	case <-timer.C:
	case <-ctx.Done():
	}
	return fmt.Errorf("the Pulsar client or its consumer was closed: %w", err)
}
