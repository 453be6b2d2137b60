package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
)

// TestMain runs the service instead of the tests when the test asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("BQ_RUN_SERVICE") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestTheDocumentShowsThisProgram compares docs/production.md with main.go.
func TestTheDocumentShowsThisProgram(t *testing.T) {
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/production.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(page, append([]byte("```go\n"), append(program, "```\n"...)...)) {
		t.Error("docs/production.md does not contain main.go as it is")
	}
}

// output is what the service has logged.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) contains(s string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.Contains(o.text.String(), s)
}

// TestTheServiceRuns runs the service against a real broker: it gets ready, handles a message, counts it, and ends in
// order.
func TestTheServiceRuns(t *testing.T) {
	url := os.Getenv("BQ_PULSAR_URL")
	if url == "" {
		t.Skip("left out, there is no real Pulsar: run make test, or set BQ_PULSAR_URL")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out output
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "BQ_RUN_SERVICE=1", "PULSAR_SERVICE_URL="+url, "HTTP_ADDRESS="+address)
	cmd.Stderr = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	get := func(path string) (int, string) {
		response, err := http.Get("http://" + address + path)
		if err != nil {
			return 0, err.Error()
		}
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		return response.StatusCode, string(body)
	}
	await := func(what string, done func() bool) {
		t.Helper()
		deadline := time.Now().Add(2 * time.Minute)
		for !done() {
			if time.Now().After(deadline) {
				t.Fatalf("%s did not happen:\n%s", what, out.text.String())
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	await("readiness", func() bool { code, _ := get("/readyz"); return code == http.StatusOK })
	client, err := pulsar.NewClient(pulsar.ClientOptions{URL: url, Logger: log.DefaultNopLogger()})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	publishers := orderevents.NewPublishers(client)
	defer publishers.Close(context.Background())
	result, err := publishers.OrderCancelled.Publish(context.Background(), orderevents.OrderCancelled{
		OrderID: 1042, CustomerID: "c-7", Reason: orderevents.OrderCancelledReasonFraud})
	if err != nil {
		t.Fatal(err)
	}
	await("the handler", func() bool { return out.contains(fmt.Sprintf(`"message_id":%q`, result.ID)) })
	await("the metric", func() bool {
		_, body := get("/metrics")
		return strings.Contains(body, `bq_deliveries_total{`) && strings.Contains(body, `outcome="acknowledged"`)
	})
	if code, body := get("/livez"); code != http.StatusOK {
		t.Errorf("liveness: %d %s", code, body)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the service ended with %v:\n%s", err, out.text.String())
	}
}
