package bench

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"
	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/payments"
)

var (
	pairs    = flag.Int("bench.pairs", 0, "how many pairs of runs are measured; 0 leaves the benchmark out")
	messages = flag.Int("bench.messages", 300_000, "how many messages a run consumes")
	only     = flag.String("bench.only", "", "measure rows whose name contains this")
	soak     = flag.Int("soak.messages", 0, "how many messages the soak sends through one consumer; 0 leaves it out")
)

const (
	patience  = 5 * time.Minute
	queueSize = 1000 // on both sides
	slots     = 8
	keys      = 1000
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// needPulsar leaves the test out unless it was asked for and there is a broker.
func needPulsar(t *testing.T, asked bool) string {
	t.Helper()
	if !asked {
		t.Skip("left out: run make bench or make soak")
	}
	url := os.Getenv("BQ_PULSAR_URL")
	if url == "" {
		t.Fatal("no real Pulsar to measure: BQ_PULSAR_URL is not set")
	}
	return url
}

func newClient(t *testing.T, url string) pulsar.Client {
	t.Helper()
	client, err := pulsar.NewClient(pulsar.ClientOptions{URL: url, Logger: log.NewLoggerWithSlog(quiet)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

type payment = payments.Payment

const paymentURN = payments.URN

func paymentsOf(q bq.Queue) bq.Definition[payment] {
	return bq.Definition[payment]{URN: paymentURN, Queue: q, Codec: payments.Codec}
}

// fill publishes the messages of the benchmark to a new topic, where a subscription keeps them.
func fill(t *testing.T, client pulsar.Client, n int, batched bool) bq.Queue {
	t.Helper()
	q := bq.Queue{Name: "payments", Topic: "persistent://public/default/payments-" + uuid.NewString()}
	keeper, err := client.Subscribe(pulsar.ConsumerOptions{Topic: q.Topic, SubscriptionName: "keeper"})
	if err != nil {
		t.Fatal(err)
	}
	keeper.Close()
	fillTopic(t, client, q, 0, n, batched)
	return q
}

// fillTopic publishes payments with the numbers from first to n.
func fillTopic(t *testing.T, client pulsar.Client, q bq.Queue, first, n int, batched bool) {
	t.Helper()
	producer, err := client.CreateProducer(pulsar.ProducerOptions{
		Topic: q.Topic, DisableBatching: !batched, MaxPendingMessages: 5000,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	codec := paymentsOf(q).Codec
	var failed atomic.Pointer[error]
	for i := first; i < n; i++ {
		header, err := envelope.NewHeader(paymentURN, "", q.Name, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		body, err := envelope.Append(nil, header, func(dst []byte) ([]byte, error) {
			p := aPayment(i)
			return codec.Append(dst, &p)
		})
		if err != nil {
			t.Fatal(err)
		}
		producer.SendAsync(context.Background(), &pulsar.ProducerMessage{
			Payload: body, Properties: header.Properties(), Key: fmt.Sprint("customer-", i%keys),
		}, func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) {
			if err != nil {
				failed.Store(&err)
			}
		})
	}
	if err := producer.FlushWithCtx(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := failed.Load(); err != nil {
		t.Fatal(*err)
	}
}

// A run consumes all messages of a topic and returns how long that took and how much processor time.
type run func(t *testing.T, client pulsar.Client, q bq.Queue, n int) (took, cpu time.Duration)

// raw is the client alone: Receive, then acknowledgements in lists, confirmed. look is called with each message.
func raw(look func(pulsar.Message) error) run {
	return func(t *testing.T, client pulsar.Client, q bq.Queue, n int) (took, cpu time.Duration) {
		c, err := client.Subscribe(pulsar.ConsumerOptions{
			Topic: q.Topic, SubscriptionName: uuid.NewString(), Type: pulsar.Shared, AckWithResponse: true,
			SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest, ReceiverQueueSize: queueSize,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Unsubscribe(); c.Close() }()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		began, before := time.Now(), processorTime()
		lists, confirmed := make(chan []pulsar.MessageID, 2), make(chan error, 1)
		go func() {
			var failed error
			for ids := range lists {
				if err := c.AckIDList(ids); err != nil {
					failed = err
				}
			}
			confirmed <- failed
		}()
		ids := make([]pulsar.MessageID, 0, 1000)
		for i := range n {
			m, err := c.Receive(ctx)
			if err != nil {
				t.Fatalf("message %d: %v", i, err)
			}
			if look != nil {
				if err := look(m); err != nil {
					t.Fatal(err)
				}
			}
			if ids = append(ids, m.ID()); len(ids) == cap(ids) || i == n-1 {
				lists <- ids
				ids = make([]pulsar.MessageID, 0, 1000)
			}
		}
		close(lists)
		if err := <-confirmed; err != nil {
			t.Fatal(err)
		}
		return time.Since(began), processorTime() - before
	}
}

// A handling is how a consumer handles a queue's messages. It calls handled with each.
type handling func(q bq.Queue, handled func()) (bq.RouteSet, bq.ConsumerOption)

// consume is a consumer of the runtime.
func consume(handle handling, opts ...bq.ConsumerOption) run {
	return func(t *testing.T, client pulsar.Client, q bq.Queue, n int) (took, cpu time.Duration) {
		all := make(chan struct{})
		var handled atomic.Int64
		routes, how := handle(q, func() {
			if handled.Add(1) == int64(n) {
				close(all)
			}
		})
		opts := append([]bq.ConsumerOption{
			how, bq.WithSubscription(uuid.NewString()), bq.WithConcurrency(slots), bq.WithLogger(quiet),
		}, opts...)
		c, err := bq.NewConsumer(client, q, routes, opts...)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		ended := make(chan error, 1)
		go func() { ended <- c.Run(ctx) }()
		<-c.Ready() // as the raw loop begins when it has subscribed
		began, before := time.Now(), processorTime()
		select {
		case <-all:
		case err := <-ended:
			t.Fatalf("%d of %d messages are handled: %v", handled.Load(), n, err)
		}
		for c.Status().Unsettled > 0 { // until all acknowledgements are confirmed
			time.Sleep(100 * time.Microsecond)
		}
		took, cpu = time.Since(began), processorTime()-before
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		return took, cpu
	}
}

func typed(q bq.Queue, handled func()) (bq.RouteSet, bq.ConsumerOption) {
	return bq.Routes(bq.Handle(paymentsOf(q), func(context.Context, *bq.Message[payment]) error {
		handled()
		return nil
	})), bq.WithConcurrency(slots)
}

// inBatches is typed with a batch handler.
func inBatches(q bq.Queue, handled func()) (bq.RouteSet, bq.ConsumerOption) {
	return bq.Routes(bq.HandleBatch(paymentsOf(q), func(_ context.Context, batch []*bq.Message[payment]) error {
		for range batch {
			handled()
		}
		return nil
	}, bq.Batch{Size: 100, Wait: 10 * time.Millisecond})), bq.WithConcurrency(slots)
}

// untyped gets the payload as it came.
func untyped(q bq.Queue, handled func()) (bq.RouteSet, bq.ConsumerOption) {
	other := bq.Definition[payment]{URN: "urn:babel:payments:refunded", Queue: q, Codec: payments.Codec}
	routes := bq.Routes(bq.Handle(other, func(context.Context, *bq.Message[payment]) error { return nil }))
	return routes, bq.WithUnknownURN(func(_ context.Context, d *bq.Delivery) error {
		if len(d.Data()) > 0 {
			handled()
		}
		return nil
	})
}

// decode is what a raw loop does that looks at its messages.
func decode(m pulsar.Message) error {
	e, err := envelope.Parse(m.Payload())
	if err != nil {
		return err
	}
	var p payment
	codec := paymentsOf(bq.Queue{}).Codec
	return codec.Read(e.Data, &p)
}

// A row is a line of the table.
type row struct {
	name      string
	base, our run
	batched   bool
	delay     time.Duration
	aim       string
	part      int // one of so many messages is enough; 0 means all
}

func TestBench(t *testing.T) {
	url := needPulsar(t, *pairs > 0)
	sameQueue := bq.WithReceiverQueueSize(queueSize)
	var rows []row
	for _, batched := range []bool{true, false} {
		for _, delay := range []time.Duration{0, 2 * time.Millisecond} {
			what := map[bool]string{true: "batched", false: "unbatched"}[batched]
			where := map[bool]string{true: "near", false: "2 ms away"}[delay == 0]
			rows = append(rows,
				row{fmt.Sprintf("raw data, %s, %s", what, where), raw(nil), consume(untyped, sameQueue), batched, delay, "0.90", 0},
				row{fmt.Sprintf("typed, %s, %s, against a raw loop that decodes", what, where),
					raw(decode), consume(typed, sameQueue), batched, delay, "0.90", 0},
				row{fmt.Sprintf("typed, %s, %s, against a raw loop that does not look", what, where),
					raw(nil), consume(typed, sameQueue), batched, delay, "0.85", 0})
		}
	}
	rows = append(rows, row{"typed, batched, near, the default receive queue, against the same with 1000",
		consume(typed, sameQueue), consume(typed), true, 0, "-", 0},
		row{"a batch handler, batched, near, against a handler of single messages",
			consume(typed, sameQueue), consume(inBatches, sameQueue), true, 0, "1.00", 0})
	fmt.Printf("%d processors, %d pairs of %d messages, concurrency %d, receive queue %d\n\n",
		runtime.GOMAXPROCS(0), *pairs, *messages, slots, queueSize)
	fmt.Println("| what | base/s | ours/s | ratio | spread | CPU more | aim |\n|---|---|---|---|---|---|---|")
	queues := map[bool]bq.Queue{}
	for _, r := range rows {
		if !strings.Contains(r.name, *only) {
			continue
		}
		if _, ok := queues[r.batched]; !ok {
			queues[r.batched] = fill(t, newClient(t, url), *messages, r.batched)
		}
		r.measure(t, url, queues[r.batched])
	}
}

// measure measures pairs and prints the row: the median of the pairs' ratios, and how far apart the middle half of them
// lies.
func (r row) measure(t *testing.T, url string, q bq.Queue) {
	if r.delay > 0 {
		url = newHop(t, url, r.delay)
	}
	client := newClient(t, url)
	n := *messages / max(r.part, 1)
	var ratios, base, our, more []float64
	for i := range *pairs {
		order := []run{r.base, r.our}
		if i%2 == 1 {
			slices.Reverse(order)
		}
		var took, cpu [2]time.Duration
		for j, run := range order {
			runtime.GC()
			took[j], cpu[j] = run(t, client, q, n)
		}
		if i%2 == 1 {
			took[0], took[1], cpu[0], cpu[1] = took[1], took[0], cpu[1], cpu[0]
		}
		ratios = append(ratios, took[0].Seconds()/took[1].Seconds())
		base = append(base, float64(n)/took[0].Seconds())
		our = append(our, float64(n)/took[1].Seconds())
		more = append(more, float64((cpu[1]-cpu[0]).Microseconds())/float64(n))
	}
	low, ratio, high := quartiles(ratios)
	fmt.Printf("| %s | %.0f | %.0f | %.2f | %.0f %% | %.1f us | %s |\n",
		r.name, median(base), median(our), ratio, 100*(high-low)/ratio, median(more), r.aim)
}

func median(values []float64) float64 { _, m, _ := quartiles(values); return m }

func quartiles(values []float64) (low, middle, high float64) {
	slices.Sort(values)
	n := len(values)
	return values[n/4], values[n/2], values[n-1-n/4]
}
