package crash

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"

	"github.com/babelqueue/bqgen/dev/pulsar/standalone"
	bq "github.com/babelqueue/bqgen/runtime"
)

// frozenBroker starts a broker of the test's own, which the test may freeze.
func frozenBroker(t *testing.T) *standalone.Broker {
	t.Helper()
	needRealPulsar(t)
	ctx := context.Background()
	broker, err := standalone.Start(ctx, standalone.Options{Log: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(broker.Thaw(), broker.Stop(ctx)); err != nil {
			t.Error(err)
		}
	})
	return broker
}

// frozenIsNotReady is O40 (ii) with a real broker: while it is frozen, readiness is red, and liveness never is; when it
// goes on, so does readiness. No probe takes long.
func frozenIsNotReady(t *testing.T, broker *standalone.Broker) {
	t.Helper()
	client, err := newClient(broker.ServiceURL(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	topic := "persistent://public/default/health-" + uuid.NewString()
	q := bq.Queue{Name: "tasks", Topic: topic, DeadLetterTopic: topic + ".dlq"}
	handle := func(context.Context, *bq.Message[task]) error { return nil }
	c, err := bq.NewConsumer(client, q, bq.Routes(bq.Handle(tasks(q), handle)),
		bq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	<-c.Ready()
	h := bq.Health(c)
	probe := func(path string) int {
		w := httptest.NewRecorder()
		start := time.Now()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("O40: a probe took %s", took)
		}
		return w.Code
	}
	until := func(when string, want int) {
		start := time.Now()
		for probe("/readyz") != want {
			if live := probe("/livez"); live != http.StatusOK {
				t.Errorf("O40: %s liveness is %d", when, live)
			}
			if time.Since(start) > patience {
				t.Fatalf("O40: %s readiness does not become %d", when, want)
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Logf("%s readiness was %d after %.1f s", when, want, time.Since(start).Seconds())
	}
	until("before", http.StatusOK)
	if err := broker.Freeze(); err != nil {
		t.Fatal(err)
	}
	until("frozen", http.StatusServiceUnavailable)
	if err := broker.Thaw(); err != nil {
		t.Fatal(err)
	}
	until("thawed", http.StatusOK)
}

// TestTheShutdownBoundHoldsWithAFrozenBroker: F14, and O40 (ii). A broker that is stopped with SIGSTOP answers nothing:
// not to acknowledgements, not to retries, not to closing, not to probes.
func TestTheShutdownBoundHoldsWithAFrozenBroker(t *testing.T) {
	broker := frozenBroker(t)
	frozenIsNotReady(t, broker)
	// The client's own timeouts, 30 s each, are what a run without a bound takes at least. A slow machine may take some
	// more than the bound.
	const bound, limit = 4 * time.Second, 20 * time.Second
	type ended struct {
		name string
		took time.Duration
		err  error
	}
	all := make(chan ended, 10)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	started, frozen := make(chan struct{}, 1000), make(chan struct{})
	var stopped time.Time
	for name, subscription := range map[string]pulsar.SubscriptionType{
		"Shared": pulsar.Shared, "Key_Shared": pulsar.KeyShared, "Exclusive": pulsar.Exclusive, "Failover": pulsar.Failover,
	} {
		client, err := newClient(broker.ServiceURL(), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { go client.Close() }) // which hangs, too
		topic := "persistent://public/default/tasks-" + uuid.NewString()
		q := bq.Queue{Name: "tasks", Topic: topic, DeadLetterTopic: topic + ".dlq"}
		handle := func(ctx context.Context, m *bq.Message[task]) error {
			started <- struct{}{}
			<-frozen
			switch m.Data.N % 3 {
			case 0:
				return nil // an acknowledgement that nobody answers
			case 1:
				return bq.Permanent(errFailed) // a dead letter that nobody takes
			}
			<-ctx.Done()
			return ctx.Err()
		}
		c, err := bq.NewConsumer(client, q, bq.Routes(bq.Handle(tasks(q), handle)), bq.WithConcurrency(6),
			bq.WithSubscriptionType(subscription), bq.WithShutdownTimeout(bound),
			bq.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))))
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			err := c.Run(ctx)
			all <- ended{name, time.Since(stopped), err}
		}()
		select {
		case <-c.Ready():
		case <-time.After(patience):
			t.Fatal("the consumer does not get ready")
		}
		producers := bq.NewProducers(client)
		for n := range 6 {
			// Each its own key: they run side by side.
			_, err := bq.NewPublisher(producers, tasks(q)).Publish(ctx, task{int64(n)}, bq.WithKey(fmt.Sprint(n)))
			if err != nil {
				t.Fatal(err)
			}
		}
		for range 6 {
			select {
			case <-started:
			case <-time.After(patience):
				t.Fatal("the handlers do not start")
			}
		}
	}
	if err := broker.Freeze(); err != nil {
		t.Fatal(err)
	}
	close(frozen)
	stopped = time.Now()
	cancel()
	for range 4 {
		select {
		case e := <-all:
			t.Logf("%s: Run returned after %.1f s: %v", e.name, e.took.Seconds(), e.err)
			if e.took > limit {
				t.Errorf("F14: %s: Run returned after %s, the bound is %s", e.name, e.took, bound)
			}
		case <-time.After(patience):
			t.Fatal("F14: Run does not return")
		}
	}
}
