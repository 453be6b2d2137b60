package bqtest_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// TestSameAsPulsar runs scenarios on the in-memory broker and, when BQ_PULSAR_URL and BQ_PULSAR_ADMIN_URL name one, on
// a real broker as well. What a scenario notes down has to be the same on both.
func TestSameAsPulsar(t *testing.T) {
	for _, s := range slices.Concat(deliveryScenarios, clientScenarios, entryScenarios, policyScenarios, topicScenarios,
		encryptionScenarios) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			t.Run("in memory", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // where the delays take no time
					broker := bqtest.NewBroker(&recorder{T: t})
					check(t, s, &notes{T: t, connect: broker.Client, topic: "parity-memory", operator: &memory{T: t, broker: broker}})
				})
			})
			t.Run("real", func(t *testing.T) {
				url, adminURL := os.Getenv("BQ_PULSAR_URL"), os.Getenv("BQ_PULSAR_ADMIN_URL")
				if url == "" || adminURL == "" {
					t.Skip("BQ_PULSAR_URL and BQ_PULSAR_ADMIN_URL name no broker")
				}
				connect := func() pulsar.Client {
					client, err := pulsar.NewClient(pulsar.ClientOptions{URL: url, Logger: log.DefaultNopLogger()})
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(client.Close)
					return client
				}
				topic := fmt.Sprintf("parity-%d-%d", time.Now().UnixNano(), topicNumber.Add(1))
				check(t, s, &notes{T: t, connect: connect, topic: topic, operator: admin{t, adminURL}})
			})
		})
	}
}

var topicNumber atomic.Int64

func check(t *testing.T, s scenario, n *notes) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Logf("noted:\n%s", strings.Join(n.lines, "\n"))
		}
	}()
	n.client = n.connect()
	s.run(n)
	want := strings.ReplaceAll(strings.TrimSpace(s.want), "\\\n", "")
	if diff := cmp.Diff(want, strings.Join(n.lines, "\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

type scenario struct {
	name string
	run  func(*notes)
	want string // what it notes; a backslash at the end of a line continues it
}

// notes is what a scenario works with and writes to.
type notes struct {
	*testing.T
	operator
	connect func() pulsar.Client // makes a client with a connection of its own
	client  pulsar.Client
	topic   string
	lines   []string
}

func (n *notes) note(format string, args ...any) {
	line := strings.ReplaceAll(fmt.Sprintf(format, args...), n.topic, "TOPIC")
	n.lines = append(n.lines, line)
}

func (n *notes) subscribe(opts pulsar.ConsumerOptions) pulsar.Consumer {
	n.Helper()
	if opts.Topic == "" && opts.Topics == nil && opts.TopicsPattern == "" {
		opts.Topic = n.topic
	}
	return subscribe(n.T, n.client, opts)
}

func (n *notes) produce(opts pulsar.ProducerOptions) pulsar.Producer {
	n.Helper()
	if opts.Topic == "" {
		opts.Topic = n.topic
	}
	opts.DisableBatching = true // each message its own entry, as in memory
	return produce(n.T, n.client, opts)
}

// batching returns a producer that batches until it is told to flush.
func (n *notes) batching(opts pulsar.ProducerOptions) pulsar.Producer {
	n.Helper()
	opts.Topic, opts.BatchingMaxPublishDelay = n.topic, time.Hour
	return produce(n.T, n.client, opts)
}

// batchingOn is batching on another topic.
func (n *notes) batchingOn(topic string) pulsar.Producer {
	n.Helper()
	return produce(n.T, n.client, pulsar.ProducerOptions{Topic: topic, BatchingMaxPublishDelay: time.Hour})
}

func contextWithin(n *notes, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(n.Context(), d)
}

// sendBatch sends payloads as one entry.
func (n *notes) sendBatch(opts pulsar.ProducerOptions, payloads ...string) {
	n.Helper()
	p := n.batching(opts)
	defer p.Close()
	for _, s := range payloads {
		p.SendAsync(n.Context(), &pulsar.ProducerMessage{Payload: []byte(s)}, nil)
	}
	if err := p.FlushWithCtx(deadline(n.T)); err != nil {
		n.Fatal(err)
	}
}

// first returns the first of the consumers to receive something, and what it received.
func first(n *notes, consumers ...pulsar.Consumer) (pulsar.Consumer, pulsar.Message) {
	n.Helper()
	for {
		for _, c := range consumers {
			ctx, cancel := context.WithTimeout(n.Context(), 50*time.Millisecond)
			m, err := c.Receive(ctx)
			cancel()
			if err == nil {
				return c, m
			}
		}
	}
}

// anyOrder sorts what is noted by f.
func (n *notes) anyOrder(f func()) {
	from := len(n.lines)
	f()
	sort.Strings(n.lines[from:])
}

// quiet notes that nothing arrives.
func (n *notes) quiet(c pulsar.Consumer) {
	n.Helper()
	ctx, cancel := context.WithTimeout(n.Context(), 300*time.Millisecond)
	defer cancel()
	if m, err := c.Receive(ctx); err == nil {
		n.note("%s where nothing was expected", text(m))
		return
	}
	n.note("nothing more")
}

func (n *notes) receive(c pulsar.Consumer, count int) []pulsar.Message {
	n.Helper()
	var ms []pulsar.Message
	for range count {
		m := receive(n.T, c)
		n.note("%s", text(m))
		ms = append(ms, m)
	}
	return ms
}

var (
	shared    = pulsar.Shared
	keyShared = pulsar.KeyShared
)

// shortly is a delay that is long for everything that happens at once.
const shortly = 1500 * time.Millisecond
