package acceptance

import (
	"io"
	"log/slog"
	"os"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// A backend is a Pulsar to run a test on.
type backend struct {
	client pulsar.Client
	memory *bqtest.Broker // nil on a real Pulsar
}

// ownClient returns the backend with another client, which the test closes to break a service off.
func (b *backend) ownClient(t *testing.T) *backend {
	t.Helper()
	if b.memory != nil {
		return &backend{client: b.memory.Client(), memory: b.memory}
	}
	client, err := pulsar.NewClient(pulsar.ClientOptions{
		URL: os.Getenv("BQ_PULSAR_URL"), Logger: log.NewLoggerWithSlog(quiet),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &backend{client: client}
}

// onBothBackends runs test on the in-memory Pulsar and on the real one, and beside other tests: most of them wait.
func onBothBackends(t *testing.T, test func(*testing.T, *backend)) {
	t.Helper()
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		broker := bqtest.NewBroker(t)
		test(t, &backend{client: broker.Client(), memory: broker})
	})
	t.Run("pulsar", func(t *testing.T) {
		t.Parallel()
		url := os.Getenv("BQ_PULSAR_URL")
		if url == "" {
			if os.Getenv("CI") == "true" {
				t.Fatal("no real Pulsar to test on: BQ_PULSAR_URL is not set")
			}
			t.Skip("left out, there is no real Pulsar: run make test, or set BQ_PULSAR_URL")
		}
		client, err := pulsar.NewClient(pulsar.ClientOptions{URL: url, Logger: log.NewLoggerWithSlog(quiet)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		test(t, &backend{client: client})
	})
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
