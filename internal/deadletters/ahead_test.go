package deadletters

import (
	"context"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// A countingClient remembers how much its readers fetch ahead.
type countingClient struct {
	pulsar.Client
	ahead int
}

func (c *countingClient) CreateReader(o pulsar.ReaderOptions) (pulsar.Reader, error) {
	c.ahead = o.ReceiverQueueSize
	return c.Client.CreateReader(o)
}

// A sizedAPI knows how large entries are. It is asked once for each partition, not for each message.
type sizedAPI struct {
	API
	size  int64
	asked int
}

func (a *sizedAPI) Cursor(context.Context, string, string) (*admin.Cursor, error) {
	a.asked++
	return &admin.Cursor{MarkDelete: admin.Position{Ledger: -1, Entry: -1}, EntrySize: a.size}, nil
}

// TestSmallLettersAreFetchedFarAhead belongs to O10: ten thousand small letters take few round trips, and large ones
// little memory.
func TestSmallLettersAreFetchedFarAhead(t *testing.T) {
	places, g := group(t)
	client := &countingClient{Client: bqtest.NewBroker(t, bqtest.WithRetention()).Client()}
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: g.DeadLetters})
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	const letters = 100
	for range letters {
		producer.SendAsync(t.Context(), &pulsar.ProducerMessage{Payload: body("urn:a", `{"id":1}`, "")}, nil)
	}
	if err := producer.FlushWithCtx(t.Context()); err != nil {
		t.Fatal(err)
	}
	for size, want := range map[int64]int{0: 64, 500: 1000, 1 << 20: 16, 5 << 20: 4} {
		api := &sizedAPI{size: size}
		box, err := Open(client, api, places, g)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		if err := box.Each(t.Context(), func(*Letter) error { n++; return nil }); err != nil {
			t.Fatal(err)
		}
		if client.ahead != want || n != letters || api.asked != 1 {
			t.Errorf("of %d bytes each: %d are fetched ahead, want %d; %d letters, the API was asked %d times", size,
				client.ahead, want, n, api.asked)
		}
	}
}
