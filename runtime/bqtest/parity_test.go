package bqtest_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
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

// TestSameAsPulsar runs scenarios on the in-memory broker and, when
// BQ_PULSAR_URL and BQ_PULSAR_ADMIN_URL name one, on a real broker as well.
// What a scenario notes down has to be the same on both.
func TestSameAsPulsar(t *testing.T) {
	for _, s := range slices.Concat(deliveryScenarios, clientScenarios) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			t.Run("in memory", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // where the delays take no time
					broker := bqtest.NewBroker(&recorder{T: t})
					n := &notes{T: t, client: broker.Client(), topic: "parity-memory"}
					n.partition = func(topic string, parts int) {
						if err := broker.CreatePartitioned(topic, parts); err != nil {
							t.Fatal(err)
						}
					}
					check(t, s, n)
				})
			})
			t.Run("real", func(t *testing.T) {
				url, admin := os.Getenv("BQ_PULSAR_URL"), os.Getenv("BQ_PULSAR_ADMIN_URL")
				if url == "" || admin == "" {
					t.Skip("BQ_PULSAR_URL and BQ_PULSAR_ADMIN_URL name no broker")
				}
				client, err := pulsar.NewClient(pulsar.ClientOptions{URL: url, Logger: log.DefaultNopLogger()})
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				topic := fmt.Sprintf("parity-%d-%d", time.Now().UnixNano(), topicNumber.Add(1))
				n := &notes{T: t, client: client, topic: topic}
				n.partition = func(topic string, parts int) {
					createPartitioned(t, admin, topic, parts)
				}
				check(t, s, n)
			})
		})
	}
}

var topicNumber atomic.Int64

func check(t *testing.T, s scenario, n *notes) {
	t.Helper()
	s.run(n)
	if diff := cmp.Diff(strings.TrimSpace(s.want), strings.Join(n.lines, "\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func createPartitioned(t *testing.T, admin, topic string, parts int) {
	t.Helper()
	url := fmt.Sprintf("%s/admin/v2/persistent/public/default/%s/partitions", admin, topic)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, bytes.NewBufferString(fmt.Sprint(parts)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		t.Fatalf("PUT %s: %s", url, resp.Status)
	}
}

type scenario struct {
	name string
	run  func(*notes)
	want string
}

// notes is what a scenario works with and writes to.
type notes struct {
	*testing.T
	client    pulsar.Client
	topic     string
	partition func(topic string, parts int)
	lines     []string
}

func (n *notes) note(format string, args ...any) {
	line := strings.ReplaceAll(fmt.Sprintf(format, args...), n.topic, "TOPIC")
	n.lines = append(n.lines, line)
}

func (n *notes) subscribe(opts pulsar.ConsumerOptions) pulsar.Consumer {
	n.Helper()
	if opts.Topic == "" && opts.Topics == nil {
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

// first gives the one of some consumers that receives something, and what.
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
