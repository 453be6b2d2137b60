package services

import (
	"context"
	"errors"
	"net/http"
	"testing"

	bq "github.com/babelqueue/bqgen/runtime"
)

// failOnce fails the first delivery of each message.
func failOnce(_ context.Context, m *bq.Message[note]) error {
	if m.Attempts == 0 {
		return errors.New("not yet")
	}
	return nil
}

// FS21: where the broker creates topics, a retry topic that is deleted while the service runs comes back with its
// subscription, and the service goes on.
func TestADeletedRetryTopicComesBack(t *testing.T) {
	p := onPulsar(t)
	p.declare()
	billing := p.start("billing", failOnce)
	p.publish(urnB, 0, 5)
	p.expect("before", count{Runs: 10, Retried: 5, Acknowledged: 5}, billing)
	p.drained("billing")
	retry := p.service("billing").RetryTopic
	p.must(http.MethodDelete, path(retry)+"?force=true", "")
	p.until("the subscription to be back", func() bool { return p.backlog(retry, "billing") == 0 })
	p.publish(urnB, 5, 10)
	p.expect("after", count{Runs: 20, Retried: 10, Acknowledged: 10}, billing)
	p.drained("billing")
	select {
	case <-billing.ended:
		t.Errorf("Run has ended: %v", billing.err)
	default:
	}
}
