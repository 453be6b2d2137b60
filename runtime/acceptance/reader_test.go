package acceptance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/backoff"

	"github.com/babelqueue/bqgen/internal/testenv"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// ordersPayload is the interface that generated code has for each queue.
type ordersPayload interface{ isOrdersPayload() }

func (*order) isOrdersPayload() {}

func decodeOrders(q bq.Queue) bq.DecodingSet[ordersPayload] {
	return bq.Decodings(bq.Decode(orders(q), func(v *order) ordersPayload { return v }))
}

// read reads a queue to the end. It returns the orders that came, and the errors.
func (b *backend) read(t *testing.T, q bq.Queue, opts ...bq.ReaderOption) (ids []int64, errs []error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for m, err := range bq.Read(ctx, b.client, q, decodeOrders(q), opts...) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		ids = append(ids, m.Data.(*order).ID)
		if err := m.Ack(); !errors.Is(err, bq.ErrNotManual) { // there is nothing to settle
			t.Errorf("Ack of a reader's message: %v", err)
		}
	}
	return ids, errs
}

// reads fails the test unless reading to the end yields the orders from first to last, in order.
func (b *backend) reads(t *testing.T, what string, q bq.Queue, first, last int64, opts ...bq.ReaderOption) {
	t.Helper()
	var want []int64
	for id := first; id <= last; id++ {
		want = append(want, id)
	}
	got, errs := b.read(t, q, opts...)
	if len(errs) > 0 || !slices.Equal(got, want) {
		t.Errorf("%s: orders %v and errors %v, want orders %v", what, got, errs, want)
	}
}

// idsOf returns the message ids on a queue.
func (b *backend) idsOf(t *testing.T, q bq.Queue) (ids []pulsar.MessageID) {
	t.Helper()
	for m, err := range bq.Read(t.Context(), b.client, q, decodeOrders(q)) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, m.MessageID)
	}
	return ids
}

func TestReadingStartsInTheMiddleOfAnEntry(t *testing.T) { // L45
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		b.keep(t, q.Topic)
		b.publishEntry(t, q, 1, 10)
		b.publishEntry(t, q, 11, 10)
		ids := b.idsOf(t, q)
		if len(ids) != 20 {
			t.Fatalf("%d messages, want 20", len(ids))
		}
		copied, err := pulsar.DeserializeMessageID(ids[3].Serialize())
		if err != nil {
			t.Fatal(err)
		}
		b.reads(t, "from the fourth", q, 4, 20, bq.FromID(ids[3]))
		b.reads(t, "after the fourth", q, 5, 20, bq.AfterID(ids[3]))
		b.reads(t, "from a copy of the fourth's id", q, 4, 20, bq.FromID(copied))
		b.reads(t, "after a copy of the fourth's id", q, 5, 20, bq.AfterID(copied))
		b.reads(t, "from the last", q, 20, 20, bq.FromID(ids[19]))
		b.reads(t, "after the last", q, 1, 0, bq.AfterID(ids[19]))
		b.reads(t, "from the oldest", q, 1, 20)
		b.reads(t, "from the latest", q, 1, 0, bq.FromLatest())
		if got, errs := b.read(t, q, bq.FromLast()); len(errs) > 0 || !slices.Contains(got, 20) {
			t.Errorf("from the last one: %v, %v", got, errs)
		}

		other := newQueue()
		b.keep(t, other.Topic)
		b.publish(t, other, order{ID: 1})
		got, _ := b.read(t, q, bq.FromID(b.idsOf(t, other)[0]))
		if slices.Sort(got); len(slices.Compact(got)) != len(got) {
			t.Errorf("from an id of another topic: %v, one comes twice", got)
		}
		if b.memory != nil {
			if subs := b.memory.Subscriptions(q.Topic); !slices.Equal(subs, []string{"kept"}) {
				t.Errorf("subscriptions are left: %v", subs)
			}
		}
	})
}

func TestReadingStartsAtATime(t *testing.T) { // L46
	onBothBackends(t, func(t *testing.T, b *backend) {
		for _, partitions := range []int{1, 3} {
			t.Run(fmt.Sprint(partitions), func(t *testing.T) {
				q := newQueue()
				if partitions > 1 {
					b.partition(t, q.Topic, partitions)
				}
				b.keep(t, q.Topic)
				for id := range int64(30) {
					b.publish(t, q, order{ID: id + 1}, bq.WithKey(fmt.Sprint(id)))
					pause(t, 3*time.Millisecond) // for times that differ
				}
				var times []time.Time
				for m, err := range bq.Read(t.Context(), b.client, q, decodeOrders(q)) {
					if err != nil {
						t.Fatal(err)
					}
					times = append(times, m.PublishTime)
				}
				slices.SortFunc(times, time.Time.Compare)
				middle := times[14]
				for what, c := range map[string]struct {
					start time.Time
					want  int
				}{
					"the 15th":         {middle, 16},
					"1 ms after it":    {middle.Add(time.Millisecond), 15},
					"before the first": {times[0].Add(-time.Hour), 30},
					"after the last":   {times[29].Add(time.Millisecond), 0},
					"the future":       {time.Now().Add(time.Hour), 0},
				} {
					ids, errs := b.read(t, q, bq.FromTime(c.start))
					if len(errs) > 0 || len(ids) != c.want {
						t.Errorf("from %s: %v, %v, want %d", what, ids, errs, c.want)
					}
				}
				if _, errs := b.read(t, q, bq.FromTime(time.Time{})); len(errs) != 1 ||
					!strings.Contains(errs[0].Error(), "zero time") {
					t.Errorf("the zero time: %v", errs)
				}
			})
		}
	})
}

// pause waits: for time to go on where it is the broker's or the machine's.
func pause(t *testing.T, d time.Duration) {
	t.Helper()
	select {
	case <-time.After(d):
	case <-t.Context().Done():
	}
}

func TestFollowingGetsWhatIsPublishedLater(t *testing.T) { // L46
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		b.keep(t, q.Topic)
		b.publish(t, q, order{ID: 1})
		for start, opt := range map[string]bq.ReaderOption{
			"latest": bq.FromLatest(), "a time": bq.FromTime(time.Now().Add(-time.Hour)),
		} {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			got := make(chan int64)
			go func() {
				defer close(got)
				for m, err := range bq.Read(ctx, b.client, q, decodeOrders(q), opt, bq.Follow()) {
					if err != nil {
						return
					}
					got <- m.Data.(*order).ID
				}
			}()
			if start == "a time" {
				if id := await(t, got, "the first order"); id != 1 {
					t.Errorf("from %s: order %d, want 1", start, id)
				}
			}
			stop := make(chan struct{})
			go func() { // where it starts depends on when it is ready
				defer close(stop)
				for id := int64(2); ctx.Err() == nil; id++ {
					b.publish(t, q, order{ID: id})
					pause(t, 20*time.Millisecond)
				}
			}()
			first := await(t, got, "an order")
			if next := await(t, got, "the next order"); first < 2 || next != first+1 {
				t.Errorf("from %s: orders %d and %d", start, first, next)
			}
			cancel()
			for range got {
			}
			await(t, stop, "the publisher")
		}
	})
}

func TestFollowingANonPersistentTopicMissesNothing(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		q.Topic, q.DeadLetterTopic = strings.Replace(q.Topic, "persistent", "non-persistent", 1), ""
		b.reads(t, "what is kept", q, 1, 0)
		b.reads(t, "the last one that is kept", q, 1, 0, bq.FromLast())
		b.reads(t, "what is kept since a time", q, 1, 0, bq.FromTime(time.Now().Add(-time.Hour)))
		const n = 20
		following := map[string]chan int64{}
		for start, opt := range map[string]bq.ReaderOption{
			"the oldest": bq.WithReadTimeout(patience), "the last": bq.FromLast(), "the latest": bq.FromLatest(),
			"a time": bq.FromTime(time.Now().Add(-time.Hour)),
		} {
			got := make(chan int64, 10_000)
			following[start] = got
			go func() {
				for m, err := range bq.Read(t.Context(), b.client, q, decodeOrders(q), opt, bq.Follow()) {
					if err != nil {
						close(got)
						return
					}
					got <- m.Data.(*order).ID
				}
			}()
		}
		for start, got := range following {
			for ready := false; !ready; { // nobody tells when it listens
				b.publish(t, q, order{})
				select {
				case _, ready = <-got:
					if !ready {
						t.Fatalf("from %s: it does not follow", start)
					}
				case <-time.After(5 * time.Millisecond):
				}
			}
		}
		for id := range int64(n) {
			b.publish(t, q, order{ID: id + 1})
		}
		for start, got := range following {
			for want := int64(1); want <= n; {
				switch id := await(t, got, "an order from "+start); id {
				case 0:
				case want:
					want++
				default:
					t.Fatalf("from %s: order %d comes, want %d", start, id, want)
				}
			}
		}
	})
}

func TestReadingEndsWhereThereIsNothingToWaitFor(t *testing.T) { // L47
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		b.reads(t, "a topic never written to", q, 1, 0)

		q = newQueue()
		b.keep(t, q.Topic)
		b.publish(t, q, order{ID: 1})
		b.send(t, q.Topic, &pulsar.ProducerMessage{Key: "k"}) // a tombstone
		ids, errs := b.read(t, q)
		var bad *bq.UnreadableError
		if !slices.Equal(ids, []int64{1}) || len(errs) != 1 || !errors.As(errs[0], &bad) || len(bad.Body) != 0 {
			t.Errorf("with a tombstone at the end: %v, %v", ids, errs)
		}

		q = newQueue()
		b.keep(t, q.Topic)
		producer, err := b.client.CreateProducer(pulsar.ProducerOptions{
			Topic: q.Topic, DisableBatching: true, EnableChunking: true, ChunkMaxMessageSize: 4096,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer producer.Close()
		if _, err := producer.Send(t.Context(), &pulsar.ProducerMessage{Payload: fmt.Appendf(nil,
			`{"job":%q,"trace_id":"t","data":{"order_id":1,"note":%q},"meta":{"schema_version":1}}`,
			orderURN, strings.Repeat("x", 20_000))}); err != nil {
			t.Fatal(err)
		}
		b.reads(t, "a message in chunks at the end", q, 1, 1)

		q = newQueue()
		consumer := b.subscribe(t, q.Topic, "all")
		b.publish(t, q, order{ID: 1})
		receive(t, consumer)
		if b.memory != nil { // it drops at once what is acknowledged; the end is of a message that is gone
			ids, errs = b.read(t, q, bq.WithReadTimeout(50*time.Millisecond))
			if len(ids) != 0 || len(errs) > 1 {
				t.Errorf("a topic whose messages are gone: %v, %v", ids, errs)
			}
		}
	})
}

func TestAnOutageIsNotTheEnd(t *testing.T) { // L48
	broker := bqtest.NewBroker(t)
	b := &backend{client: broker.Client(), memory: broker}
	q := newQueue()
	b.keep(t, q.Topic)
	for id := range int64(100) {
		b.publish(t, q, order{ID: id + 1})
	}
	read := func(after func(), opts ...bq.ReaderOption) (n int, errs []error) {
		opts = append(opts, bq.WithReaderOptions(func(o *pulsar.ReaderOptions) { o.ReceiverQueueSize = 1 }))
		for m, err := range bq.Read(t.Context(), b.client, q, decodeOrders(q), opts...) {
			if err != nil {
				errs = append(errs, err)
				continue
			}
			if n++; m.Data.(*order).ID != int64(n) {
				t.Errorf("order %d comes as number %d", m.Data.(*order).ID, n)
			}
			if n == 50 {
				broker.Down()
				after()
			}
		}
		return n, errs
	}
	back := func() { time.AfterFunc(100*time.Millisecond, broker.Up) }
	if n, errs := read(back); n != 100 || len(errs) > 0 {
		t.Errorf("with an outage: %d orders, %v", n, errs)
	}
	n, errs := read(func() {}, bq.WithReadTimeout(200*time.Millisecond))
	if n >= 100 || len(errs) != 1 || !errors.Is(errs[0], context.DeadlineExceeded) {
		t.Errorf("with an outage that does not end: %d orders, %v", n, errs)
	}
}

func TestReadingAPartitionedTopic(t *testing.T) { // L49
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		b.partition(t, q.Topic, 4)
		b.keep(t, q.Topic)
		b.readPartitioned(t, q, "empty", 0)
		const n = 60
		began := time.Now().Add(-time.Hour)
		for id := range int64(n) {
			b.publish(t, q, order{ID: id + 1}, bq.WithKey(fmt.Sprint(id%3))) // so that one partition may be empty
		}
		b.readPartitioned(t, q, "from the oldest", n)
		b.readPartitioned(t, q, "from a time", n, bq.FromTime(began))
		b.readPartitioned(t, q, "from the latest", 0, bq.FromLatest())
		ids := b.idsOf(t, q)
		if _, errs := b.read(t, q, bq.FromID(ids[0])); len(errs) != 1 || !strings.Contains(errs[0].Error(), "4 partitions") {
			t.Errorf("from one id: %v", errs)
		}
	})
}

// readPartitioned reads to the end and fails the test unless so many orders came, each once, those of a partition in
// order.
func (b *backend) readPartitioned(t *testing.T, q bq.Queue, what string, want int, opts ...bq.ReaderOption) {
	t.Helper()
	last, seen := map[string]int64{}, map[int64]bool{}
	for m, err := range bq.Read(t.Context(), b.client, q, decodeOrders(q), opts...) {
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		id := m.Data.(*order).ID
		if id <= last[m.Topic] || seen[id] {
			t.Errorf("%s: order %d of %s comes after %d", what, id, m.Topic, last[m.Topic])
		}
		last[m.Topic], seen[id] = id, true
	}
	if len(seen) != want {
		t.Errorf("%s: %d orders, want %d", what, len(seen), want)
	}
}

// The client can lose the message that it was about to hand over when it reconnects, so its own readers miss one then.
func TestNothingIsMissedByASlowReaderWhoseTopicMoves(t *testing.T) { // L50
	onBothBackends(t, func(t *testing.T, b *backend) {
		if b.memory == nil {
			testenv.SkipUnderRace(t, "the client's reader has a data race of its own when it reconnects while it is read")
		}
		q := newQueue()
		b.keep(t, q.Topic)
		const n = 40
		for id := range int64(n) {
			b.publish(t, q, order{ID: id + 1})
		}
		published := time.Now()
		for what, opts := range map[string][]bq.ReaderOption{
			"to the end":  nil,
			"following":   {bq.Follow()},
			"from a time": {bq.FromTime(published.Add(-time.Hour))},
		} {
			resets := make(chan struct{}, 1)
			opts = append(opts, bq.WithReaderOptions(func(o *pulsar.ReaderOptions) {
				o.ReceiverQueueSize = 5
				o.BackoffPolicyFunc = func() backoff.Policy { return watchedPolicy{backoff.NewDefaultBackoff(), resets} }
			}))
			next := int64(1)
			for m, err := range bq.Read(t.Context(), b.client, q, decodeOrders(q), opts...) {
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				if got := m.Data.(*order).ID; got != next {
					t.Fatalf("%s: order %d comes instead of %d", what, got, next)
				}
				if next++; next > n {
					break
				}
				if next == 4 || next == 20 {
					b.fillsReceiverQueue(t, q.Topic)
					b.unload(t, q.Topic)
					await(t, resets, "the reader to reconnect")
				}
			}
			if next != n+1 {
				t.Errorf("%s: %d orders, want %d", what, next-1, n)
			}
		}
	})
}

// A watchedPolicy tells when the client has reconnected.
type watchedPolicy struct {
	backoff.Policy
	resets chan<- struct{}
}

func (w watchedPolicy) Reset() {
	w.Policy.Reset()
	select {
	case w.resets <- struct{}{}:
	default:
	}
}

func TestFollowingThroughUnloadsAndRetries(t *testing.T) { // L50
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		b.keep(t, q.Topic)
		b.backlog(t, q, pulsar.Shared)
		const n = 300
		failed := make(map[int64]bool) // the handler runs one at a time
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			if m.Data.ID%100 == 0 && !failed[m.Data.ID] {
				failed[m.Data.ID] = true
				return errors.New("no stock")
			}
			return nil
		})
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte("poison")})
		published := make(chan struct{})
		go func() {
			defer close(published)
			producers := bq.NewProducers(b.client, bq.WithLogger(quiet))
			defer producers.Close(context.Background())
			publisher := bq.NewPublisher(producers, orders(q)) // one, which lives through unloads
			for id := range int64(n) {
				if _, err := publisher.Publish(t.Context(), order{ID: id + 1}); err != nil {
					t.Errorf("order %d: %v", id+1, err)
				}
			}
		}()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		var seen []int64
		twice := map[string]bool{}
		retries, poison := 0, 0
		for m, err := range bq.Read(ctx, b.client, q, decodeOrders(q), bq.Follow(),
			bq.WithReaderOptions(func(o *pulsar.ReaderOptions) { o.Name, o.ReceiverQueueSize = "auditor", 10 }),
		) {
			var bad *bq.UnreadableError
			switch {
			case errors.As(err, &bad) && bad.Reason == envelope.Poison:
				if string(bad.Body) == "poison" {
					poison++
				}
			case err != nil:
				t.Fatalf("%v, after %d orders", err, len(seen))
			case m.Attempts > 0:
				retries++
			case twice[m.MessageID.String()]:
				t.Errorf("message %s comes twice", m.MessageID)
			case slices.Contains(seen, m.Data.(*order).ID):
				// The producer had no answer because of an unload, and sent it again: another message.
			default:
				twice[m.MessageID.String()] = true
				seen = append(seen, m.Data.(*order).ID)
				// The client's reader has a data race of its own when it connects again while it is being read.
				if len(seen)%80 == 0 && (b.memory != nil || !testenv.Race) {
					b.unload(t, q.Topic)
				}
			}
			if len(seen) == n && retries >= n/100 && poison == 1 {
				break
			}
		}
		for i, id := range seen {
			if id != int64(i+1) {
				t.Fatalf("order %d comes at place %d", id, i+1)
			}
		}
		await(t, published, "the publisher")
		for acked := 0; acked < n; {
			if s.next().Action == bq.Acknowledged {
				acked++
			}
		}
	})
}

func TestReadingGoesOnAfterWhatCannotBeRead(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		b.keep(t, q.Topic)
		gated := foreignProperties(map[string]string{"bq-schema-version": "2"})
		unknown := strings.Replace(foreign, orderURN, "urn:babel:orders:else", 1)
		invalid := fmt.Sprintf(`{"job":%q,"trace_id":"t","data":{"order_id":"x"},"meta":{"schema_version":1}}`, orderURN)
		b.publish(t, q, order{ID: 1})
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte("no envelope")})
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(foreign), Properties: gated})
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(unknown)})
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(invalid)})
		b.publish(t, q, order{ID: 2})
		ids, errs := b.read(t, q)
		if !slices.Equal(ids, []int64{1, 2}) {
			t.Errorf("orders %v, want 1 and 2", ids)
		}
		want := []struct {
			reason envelope.Reason
			body   string
		}{
			{envelope.Poison, "no envelope"}, {bq.Gated, foreign}, {envelope.UnknownURN, unknown}, {envelope.Failed, invalid},
		}
		if len(errs) != len(want) {
			t.Fatalf("errors %v", errs)
		}
		for i, w := range want {
			var bad *bq.UnreadableError
			if !errors.As(errs[i], &bad) || bad.Reason != w.reason || string(bad.Body) != w.body ||
				bad.Delivery.MessageID == nil {
				t.Errorf("error %d is %v, want reason %s and the message's body", i, errs[i], w.reason)
			}
		}
	})
}

func TestCustomizersOfReadersThatAreRefused(t *testing.T) { // L62
	broker := bqtest.NewBroker(t)
	b := &backend{client: broker.Client(), memory: broker}
	q := newQueue()
	for field, set := range map[string]func(*pulsar.ReaderOptions){
		"Topic":          func(o *pulsar.ReaderOptions) { o.Topic = "another" },
		"MessageChannel": func(o *pulsar.ReaderOptions) { o.MessageChannel = make(chan pulsar.ReaderMessage) },
		"StartMessageID": func(o *pulsar.ReaderOptions) { o.StartMessageID = pulsar.LatestMessageID() },
		"StartMessageIDInclusive": func(o *pulsar.ReaderOptions) {
			o.StartMessageIDInclusive = true
		},
		"SubscriptionName": func(o *pulsar.ReaderOptions) { o.SubscriptionName = "babelqueue" },
	} {
		_, errs := b.read(t, q, bq.WithReaderOptions(set))
		var refused *bq.CustomizerError
		if len(errs) != 1 || !errors.As(errs[0], &refused) ||
			!strings.Contains(errs[0].Error(), "WithReaderOptions must not set "+field+": ") {
			t.Errorf("%s: %v", field, errs)
		}
	}
	_, errs := b.read(t, q, bq.WithReaderOptions(func(o *pulsar.ReaderOptions) { o.Topic = "another" }),
		bq.WithReaderOptions(func(o *pulsar.ReaderOptions) { o.MessageChannel = make(chan pulsar.ReaderMessage) }))
	if text := fmt.Sprint(errs); !strings.Contains(text, "Topic") || !strings.Contains(text, "MessageChannel") {
		t.Errorf("two at once: %v", errs)
	}
	_, errs = b.read(t, q, bq.WithReaderOptions(func(*pulsar.ReaderOptions) { panic("oops") }))
	var panicked *bq.PanicError
	if len(errs) != 1 || !errors.As(errs[0], &panicked) {
		t.Errorf("a panic: %v", errs)
	}
	_, errs = b.read(t, q, bq.WithReaderOptions(nil))
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "WithReaderOptions: the function is nil") {
		t.Errorf("no function: %v", errs)
	}
	if topics := broker.Topics(); len(topics) > 0 {
		t.Errorf("topics were created: %v", topics)
	}
}
