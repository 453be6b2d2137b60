package crash

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"
)

var (
	kills    = flag.Int("crash.kills", 3, "how often consumers are killed, for each variant")
	restarts = flag.Int("crash.restarts", 1, "how often the broker is killed and restarted")
	ackRate  = flag.String("crash.ackrate", "0", "how often a second the broker stores acknowledgements; 0: each at once")
	outage   = flag.Duration("crash.outage", 0, "how long the broker stays away before it is restarted")
)

// patience is how long anything may take before a test gives up on it. After an outage the client may take as long: it
// waits up to 72 seconds between two attempts to connect again, and the first may come when the broker is not quite
// there.
const patience = 4 * time.Minute

// TestMain runs the tests, or acts as a process that they have started.
func TestMain(m *testing.M) {
	if text := os.Getenv(jobVariable); text != "" {
		os.Exit(work(text))
	}
	os.Exit(m.Run())
}

// work runs a job and returns the exit code.
func work(text string) int {
	err := func() error {
		var j job
		if err := json.Unmarshal([]byte(text), &j); err != nil {
			return err
		}
		client, err := newClient(j.URL, os.Stderr)
		if err != nil {
			return err
		}
		defer client.Close()
		if j.Role == publisher {
			return publish(client, j)
		}
		return consume(client, j)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitFailed
	}
	return exitOK
}

// needRealPulsar skips the test when no broker is available. In CI it fails the test.
func needRealPulsar(t *testing.T) (url string) {
	t.Helper()
	url = os.Getenv("BQ_PULSAR_URL")
	if url == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("no real Pulsar to test on: BQ_PULSAR_URL is not set")
		}
		t.Skip("left out, there is no real Pulsar: run make test or make crash")
	}
	return url
}

// newClient returns a client with default options, like that of a service.
func newClient(url string, logTo io.Writer) (pulsar.Client, error) {
	logger := slog.New(slog.NewTextHandler(logTo, &slog.HandlerOptions{Level: slog.LevelWarn}))
	return pulsar.NewClient(pulsar.ClientOptions{URL: url, Logger: log.NewLoggerWithSlog(logger)})
}
