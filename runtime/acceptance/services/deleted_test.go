package services

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

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

// FS21: where the broker does not create topics, a retry topic that is deleted ends Run, with its name.
func TestADeletedRetryTopicEndsRun(t *testing.T) {
	p := onPulsar(t)
	namespace := "public/n" + strings.ReplaceAll(uuid.NewString(), "-", "")
	p.must(http.MethodPut, "namespaces/"+namespace, "{}")
	p.must(http.MethodPost, "namespaces/"+namespace+"/autoTopicCreation", `{"allowAutoTopicCreation":false}`)
	p.queue = newQueue("persistent://" + namespace + "/orders")
	p.must(http.MethodPut, path(p.queue.Topic), "")
	for _, s := range p.queue.Services {
		p.must(http.MethodPut, path(s.RetryTopic), "")
		p.must(http.MethodPut, path(s.DeadLetterTopic), "")
	}
	p.declare()
	billing := p.start("billing", failOnce)
	p.publish(urnB, 0, 5)
	p.expect("before", count{Runs: 10, Retried: 5, Acknowledged: 5}, billing)
	retry := p.service("billing").RetryTopic
	p.must(http.MethodDelete, path(retry)+"?force=true", "")
	select {
	case <-billing.ended:
		if billing.err == nil || !strings.Contains(billing.err.Error(), retry) {
			t.Errorf("the error of Run lacks %s: %v", retry, billing.err)
		}
	case <-time.After(patience):
		t.Error("Run goes on without the retry topic")
	}
}
