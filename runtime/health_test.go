package bq_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// A frozenClient is a client whose broker can be frozen: its consumers' questions then hang.
type frozenClient struct {
	pulsar.Client
	frozen    atomic.Bool
	questions atomic.Int64
}

func (c *frozenClient) Subscribe(o pulsar.ConsumerOptions) (pulsar.Consumer, error) {
	consumer, err := c.Client.Subscribe(o)
	if err != nil {
		return nil, err
	}
	return &frozenConsumer{consumer, c}, nil
}

type frozenConsumer struct {
	pulsar.Consumer
	client *frozenClient
}

func (c *frozenConsumer) GetLastMessageIDs() ([]pulsar.TopicMessageID, error) {
	c.client.questions.Add(1)
	for c.client.frozen.Load() {
		time.Sleep(100 * time.Millisecond)
	}
	return c.Consumer.GetLastMessageIDs()
}

func probe(h http.Handler, method, path string) (int, string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w.Code, w.Body.String()
}

// runConsumer runs a consumer of orders with a handler until stop is called.
func runConsumer(
	t *testing.T, client pulsar.Client, fn func(context.Context) error, opts ...bq.ConsumerOption,
) (c *bq.Consumer, stop func() error) {
	t.Helper()
	c, err := bq.NewConsumer(client, orderevents.OrdersQueue(), bq.Routes(orderevents.OnOrderCancelled(
		func(ctx context.Context, _ *bq.Message[orderevents.OrderCancelled]) error { return fn(ctx) })), opts...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	return c, func() error { cancel(); return <-ended }
}

// TestIdleIsHealthyFrozenIsNot is O40 (i), (ii), (iii) and (viii), with a clock that the test turns.
func TestIdleIsHealthyFrozenIsNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broker := bqtest.New()
		client := &frozenClient{Client: broker.Client()}
		c, stop := runConsumer(t, client, func(context.Context) error { return nil })
		<-c.Ready()
		h := bq.Health(c)
		want := func(when string, code int, path string) {
			t.Helper()
			if got, body := probe(h, http.MethodGet, path); got != code {
				t.Errorf("%s: %s is %d, want %d: %s", when, path, got, code, body)
			}
		}
		time.Sleep(time.Hour)
		want("idle for an hour", 200, "/readyz")
		want("idle for an hour", 200, "/livez")
		client.frozen.Store(true)
		red := 0
		for second := range 30 {
			time.Sleep(time.Second)
			start := time.Now()
			code, _ := probe(h, http.MethodGet, "/readyz")
			if took := time.Since(start); took > time.Second {
				t.Errorf("a probe took %s", took)
			}
			if code != 200 && red == 0 {
				red = second + 1
			}
			want("frozen", 200, "/livez")
		}
		if red == 0 || red > 10 {
			t.Errorf("red after %d s, want at most 10", red)
		}
		client.frozen.Store(false)
		green := 0
		for second := range 10 {
			time.Sleep(time.Second)
			if code, _ := probe(h, http.MethodGet, "/readyz"); code == 200 && green == 0 {
				green = second + 1
			}
		}
		if green == 0 {
			t.Error("not green within 10 s")
		}
		c.Pause()
		want("paused", 200, "/readyz")
		want("paused", 200, "/livez")
		if err := stop(); err != nil {
			t.Error(err)
		}
		want("stopped", 503, "/readyz")
		want("stopped", 200, "/livez")
	})
}

// TestEndedAndStuckConsumers is O40 (iv), (vi) and (vii).
func TestEndedAndStuckConsumers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := bqtest.New().Client()
		idle, err := bq.NewConsumer(client, orderevents.OrdersQueue(), bq.Routes(orderevents.OnOrderCancelled(
			func(context.Context, *bq.Message[orderevents.OrderCancelled]) error { return nil })))
		if err != nil {
			t.Fatal(err)
		}
		if code, body := probe(bq.Health(idle), http.MethodGet, "/readyz"); code != 503 ||
			!strings.Contains(body, "orders: it does not run") {
			t.Errorf("not started: %d %s", code, body)
		}
		hold := make(chan bool)
		stuck, stop := runConsumer(t, client, func(context.Context) error { <-hold; return nil })
		<-stuck.Ready()
		publishers := orderevents.NewPublishers(client)
		if _, err := publishers.OrderCancelled.Publish(context.Background(), orderevents.OrderCancelled{
			OrderID: 1, CustomerID: "c", Reason: orderevents.OrderCancelledReasonFraud}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Minute)
		if code, _ := probe(bq.Health(stuck), http.MethodGet, "/livez"); code != 200 {
			t.Error("a slow handler is a reason to restart, unless somebody says so")
		}
		code, body := probe(bq.Health(stuck).StuckAfter(5*time.Minute), http.MethodGet, "/livez")
		if code != 503 || !strings.Contains(body, "a message has been in hand since") {
			t.Errorf("stuck: %d %s", code, body)
		}
		close(hold)
		if err := stop(); err != nil {
			t.Error(err)
		}
		failing := &failingClient{client}
		broken, stop := runConsumer(t, failing, func(context.Context) error { return nil })
		time.Sleep(time.Minute)
		if err := stop(); err == nil {
			t.Fatal("it did not fail")
		}
		for path, want := range map[string]int{"/livez": 503, "/readyz": 503} {
			if code, body := probe(bq.Health(broken), http.MethodGet, path); code != want ||
				!strings.Contains(body, "it ended at") || strings.Contains(body, "\x1b") {
				t.Errorf("ended: %s is %d: %s", path, code, body)
			}
		}
		publishers.Close(context.Background())
	})
}

type failingClient struct{ pulsar.Client }

func (failingClient) Subscribe(pulsar.ConsumerOptions) (pulsar.Consumer, error) {
	return nil, errors.New("no \x1b[2J access")
}

// TestWhatAProbeCosts is O41.
func TestWhatAProbeCosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := &frozenClient{Client: bqtest.New().Client()}
		c, stop := runConsumer(t, client, func(context.Context) error { return nil })
		<-c.Ready()
		before := client.questions.Load()
		h := bq.Health(c, c)
		for range 60 * 50 {
			time.Sleep(20 * time.Millisecond)
			probe(h, http.MethodGet, "/readyz?verbose=1")
		}
		if n := client.questions.Load() - before; n > 13 {
			t.Errorf("%d questions to the broker in a minute", n)
		}
		for method, want := range map[string]int{http.MethodHead: 200, http.MethodPost: 405} {
			if code, body := probe(h, method, "/readyz"); code != want || method == http.MethodHead && body != "" {
				t.Errorf("%s: %d %q", method, code, body)
			}
		}
		for path, want := range map[string]int{"/livez": 200, "/readyz": 503} {
			for _, none := range []*bq.HealthHandler{bq.Health(), bq.Health(nil)} {
				if code, _ := probe(none, http.MethodGet, path); code != want {
					t.Errorf("no consumer: %s is %d", path, code)
				}
			}
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}
