package bqtest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func reader(t *testing.T, client pulsar.Client, opts pulsar.ReaderOptions) pulsar.Reader {
	t.Helper()
	opts.Topic = "orders"
	if opts.StartMessageID == nil {
		opts.StartMessageID = pulsar.EarliestMessageID()
	}
	r, err := client.CreateReader(opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func readAll(t *testing.T, r pulsar.Reader) []string {
	t.Helper()
	var texts []string
	for r.HasNext() {
		m, err := r.Next(deadline(t))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text(m))
	}
	return texts
}

func TestAReaderGoesOnWithinABatch(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	r := reader(t, client, pulsar.ReaderOptions{})
	p := produce(t, client, pulsar.ProducerOptions{BatchingMaxPublishDelay: time.Hour})
	for _, s := range []string{"a", "b", "c"} {
		p.SendAsync(t.Context(), &pulsar.ProducerMessage{Payload: []byte(s)}, nil)
	}
	if err := p.FlushWithCtx(deadline(t)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a", "b", "c"} {
		m, err := r.Next(deadline(t))
		if err != nil || text(m) != want {
			t.Fatalf("read %v, %v, want %s", m, err, want)
		}
		broker.Unload("orders")
	}
	if r.HasNext() {
		t.Error("the reader has more to read")
	}
}

func TestAReaderSeesEveryPartition(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	if err := broker.CreatePartitioned("orders", 3); err != nil {
		t.Fatal(err)
	}
	client := broker.Client()
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b", "c", "d")
	r := reader(t, client, pulsar.ReaderOptions{})
	got := readAll(t, r)
	slices.Sort(got)
	if diff := cmp.Diff([]string{"a", "b", "c", "d"}, got); diff != "" {
		t.Error(diff)
	}
	if _, err := r.GetLastMessageID(); err == nil {
		t.Error("GetLastMessageID over partitions: no error")
	}
}

func TestAReaderSeeks(t *testing.T) {
	client := bqtest.NewBroker(t, bqtest.WithRetention()).Client()
	p := produce(t, client, pulsar.ProducerOptions{})
	sendTexts(t, p, "a")
	id := send(t, p, pulsar.ProducerMessage{Payload: []byte("b")})
	sendTexts(t, p, "c")
	for _, inclusive := range []bool{false, true} {
		r := reader(t, client, pulsar.ReaderOptions{StartMessageIDInclusive: inclusive})
		readAll(t, r)
		if err := r.Seek(id); err != nil {
			t.Fatal(err)
		}
		want := []string{"c"}
		if inclusive {
			want = []string{"b", "c"}
		}
		if diff := cmp.Diff(want, readAll(t, r)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestReadersDisturbNoSubscription(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{})
	one, two := reader(t, client, pulsar.ReaderOptions{}), reader(t, client, pulsar.ReaderOptions{})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
	for _, r := range []pulsar.Reader{one, two} {
		if diff := cmp.Diff([]string{"a"}, readAll(t, r)); diff != "" {
			t.Error(diff)
		}
	}
	one.Close()
	two.Close()
	if diff := cmp.Diff([]string{"a"}, ready(t, c)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"sub"}, broker.Subscriptions("orders")); diff != "" {
		t.Error(diff)
	}
}
