package acceptance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// A runs record follows which runs there are and which overlap.
type runs struct {
	mu      sync.Mutex
	order   map[string][]int64 // by key
	now     map[string]int
	inside  int
	most    int
	overlap []string
	all     int
}

func newRuns() *runs { return &runs{order: map[string][]int64{}, now: map[string]int{}} }

// enter notes that a run of a key begins; the function that it returns, that it ends.
func (r *runs) enter(key string, id int64) (leave func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all++
	r.order[key] = append(r.order[key], id)
	if r.now[key]++; r.now[key] > 1 {
		r.overlap = append(r.overlap, fmt.Sprintf("%s %d", key, id))
	}
	r.inside++
	r.most = max(r.most, r.inside)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.now[key]--
		r.inside--
	}
}

func (r *runs) of(key string) []int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.order[key])
}

// publishAll publishes many orders with one producer.
func (b *backend) publishAll(t *testing.T, q bq.Queue, n int, key func(i int) string) {
	t.Helper()
	producers := bq.NewProducers(b.client, bq.WithLogger(quiet))
	defer producers.Close(context.Background())
	publisher := bq.NewPublisher(producers, orders(q))
	for i := range n {
		if _, err := publisher.Publish(context.Background(), order{ID: int64(i)}, bq.WithKey(key(i))); err != nil {
			t.Fatal(err)
		}
	}
}

func keyless(int) string { return "" }

// settle waits for so many settlements and returns how many there were of each action.
func (s *service) settle(n int) map[bq.Action]int {
	s.t.Helper()
	actions := map[bq.Action]int{}
	for range n {
		actions[s.next().Action]++
	}
	return actions
}

func TestOneStuckHandlerDoesNotHoldUpOthersOnExclusive(t *testing.T) { // L1
	onBothBackends(t, func(t *testing.T, b *backend) {
		const n, messages = 8, 40
		q := newQueue()
		b.backlog(t, q, pulsar.Exclusive) // makes the subscription
		b.publishAll(t, q, messages, keyless)
		r, finish := newRuns(), make(chan struct{})
		t.Cleanup(func() { close(finish) })
		var gate sync.WaitGroup // opens when all handlers are inside
		gate.Add(n)
		var inside atomic.Int64
		own := b.ownClient(t)
		s := own.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			defer r.enter(fmt.Sprint(m.Data.ID), m.Data.ID)()
			if inside.Add(1) <= n {
				gate.Done()
			}
			if m.Data.ID == 0 {
				<-finish
				return errors.New("too late")
			}
			gate.Wait()
			return nil
		}, bq.WithConcurrency(n), bq.WithSubscriptionType(pulsar.Exclusive), bq.WithGracePeriod(0))
		if got := s.settle(messages - 1); got[bq.Acknowledged] != messages-1 {
			t.Errorf("L1: got %v", got)
		}
		if r.most != n {
			t.Errorf("L1: %d handlers at a time, want %d", r.most, n)
		}
		own.client.Close() // without a drain
		s.cancel()
		attempts := make(chan int64, messages)
		again := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			attempts <- m.Data.ID
			attempts <- m.Attempts
			return nil
		}, bq.WithSubscriptionType(pulsar.Exclusive))
		again.next()
		if err := again.stop(); err != nil {
			t.Error(err)
		}
		if id, n := <-attempts, <-attempts; id != 0 || n != 0 || len(attempts) > 0 {
			t.Errorf("L1: the second consumer got message %d with attempts %d and %d more, want message 0 alone", id, n,
				len(attempts)/2)
		}
	})
}

func TestOneStuckKeyAmongTenThousand(t *testing.T) { // L2
	const others = 10_000
	b := inMemory(t)
	q := newQueue()
	started, finish := make(chan int64, 10), make(chan struct{})
	t.Cleanup(func() { close(finish) })
	settled := make(chan bq.Settlement, others+10)
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		if m.Key == "K" {
			started <- m.Data.ID
			<-finish
		}
		return nil
	}, bq.WithConcurrency(8), bq.WithMaxUnsettled(bq.Limit{Messages: 12_000}), bq.WithGracePeriod(time.Second),
		bq.WithObserver(bq.Observer{Settled: func(x bq.Settlement) { settled <- x }}))
	before := runtime.NumGoroutine()
	b.publishAll(t, q, others+5, func(i int) string {
		if i < 5 {
			return "K"
		}
		return fmt.Sprint("key-", i)
	})
	most := 0
	for range others {
		await(t, settled, "the others")
		most = max(most, runtime.NumGoroutine())
	}
	if most > before+8+20 {
		t.Errorf("L2: %d goroutines, %d before", most, before)
	}
	if n := len(started); n != 1 {
		t.Errorf("L2: %d messages of the stuck key have started, want 1", n)
	}
	if lanes := s.consumer.Status().Lanes; lanes != 1 {
		t.Errorf("L2: the lane table holds %d keys, want 1", lanes)
	}
	began := time.Now()
	var stuck *bq.StuckError
	if err := s.stop(); !errors.As(err, &stuck) || len(stuck.Deliveries) != 1 || stuck.Deliveries[0].Key != "K" {
		t.Errorf("L2: got %v", err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("L2: Run returned after %s", took)
	}
	var got []int64
	again := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		got = append(got, m.Data.ID, m.Attempts)
		return nil
	})
	again.settle(5)
	if !slices.Equal(got, []int64{0, 0, 1, 0, 2, 0, 3, 0, 4, 0}) {
		t.Errorf("L2: a new consumer got %v", got)
	}
}

func TestASlowKeyFillsTheLimitAndTheStatusSaysSo(t *testing.T) { // L3
	b := inMemory(t)
	q := newQueue()
	const limit = 20
	finish := make(chan struct{})
	r := newRuns()
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		defer r.enter(m.Key, m.Data.ID)()
		if m.Data.ID == 10 {
			<-finish
		}
		if m.Attempts != 0 {
			t.Errorf("L3: an attempt is counted")
		}
		return nil
	}, bq.WithConcurrency(4), bq.WithMaxUnsettled(bq.Limit{Messages: limit}))
	b.publishAll(t, q, 120, func(i int) string {
		if i >= 10 && i < 110 {
			return "A"
		}
		return fmt.Sprint("key-", i)
	})
	if got := s.settle(10); got[bq.Acknowledged] != 10 {
		t.Errorf("L3: got %v", got)
	}
	full := func() bool { return s.consumer.Status().HeldBack == "limit" }
	eventually(t, "the limit to be reached", full)
	status := s.consumer.Status()
	if status.Unsettled != limit || status.Handling != 1 || status.Oldest == nil || status.Since.IsZero() {
		t.Errorf("L3: got %+v", status)
	}
	close(finish)
	for range 110 {
		if x := s.next(); x.Action != bq.Acknowledged {
			t.Errorf("L3: got %s", x.Action)
		}
		if n := s.consumer.Status().Unsettled; n > limit {
			t.Errorf("L3: %d are unsettled", n)
		}
	}
	if got := r.of("A"); !slices.IsSorted(got) || len(got) != 100 {
		t.Errorf("L3: key A ran in the order %v", got)
	}
}

// eventually waits for something that nobody tells.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited %s for %s", patience, what)
		}
	}
}

func TestMessagesThatWaitForARetryDoNotStarveTheHealthy(t *testing.T) { // L4
	for _, subscription := range []pulsar.SubscriptionType{pulsar.Shared, pulsar.Failover} {
		t.Run(fmt.Sprint(subscription), func(t *testing.T) {
			t.Parallel()
			const bad, good, attempts = 64, 1000, 5
			b := inMemory(t)
			q := newQueue()
			b.backlog(t, q, subscription)
			b.publishAll(t, q, bad+good, keyless)
			r := newRuns()
			limit := 16
			s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
				if m.Data.ID >= bad {
					return nil
				}
				defer r.enter(fmt.Sprint(m.Data.ID), m.Attempts)()
				return errors.New("no stock")
			}, bq.WithConcurrency(4), bq.WithMaxUnsettled(bq.Limit{Messages: limit}), bq.WithMaxAttempts(attempts),
				bq.WithRetryBackoff(func(int64) time.Duration { return 200 * time.Millisecond }),
				bq.WithSubscriptionType(subscription))
			got := map[bq.Action]int{}
			last := time.Now()
			for range bad*attempts + good {
				x := s.next()
				if pause := time.Since(last); pause > 2*time.Second {
					t.Errorf("L4: nothing was settled for %s", pause)
				}
				last = time.Now()
				got[x.Action]++
				if n := s.consumer.Status().Unsettled; n > limit {
					t.Errorf("L4: %d are unsettled", n)
				}
			}
			want := map[bq.Action]int{bq.Acknowledged: good, bq.DeadLettered: bad, bq.Retried: bad * (attempts - 1)}
			if fmt.Sprint(got) != fmt.Sprint(want) || r.all != bad*attempts {
				t.Errorf("L4: got %v and %d runs of failing handlers, want %v and %d", got, r.all, want, bad*attempts)
			}
		})
	}
}

func TestAKeyKeepsItsOrderThroughRetriesInPlaceAndADeadLetter(t *testing.T) { // L5
	b := inMemory(t)
	q := newQueue()
	r := newRuns()
	var failures sync.Map
	fault := b.memory.Fail(bqtest.OnSend(q.DeadLetterTopic).Hang())
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		defer r.enter(m.Key, m.Data.ID)()
		if m.Key != "A" {
			return nil
		}
		n, _ := failures.LoadOrStore(m.Data.ID, new(int))
		*n.(*int)++
		switch {
		case m.Data.ID == 2 && *n.(*int) <= 2, m.Data.ID == 6:
			return errors.New("no stock")
		}
		return nil
	}, bq.WithConcurrency(8), bq.WithMaxAttempts(1),
		bq.WithRetryInPlace(3, func(int64) time.Duration { return 50 * time.Millisecond }))
	b.publishAll(t, q, 10, func(i int) string { return string(rune('A' + i%2)) })
	got := s.settle(8) // all of B, and a1 to a3
	eventually(t, "the dead letter to hang", func() bool { return fault.Held() == 1 })
	if got[bq.Acknowledged] != 8 {
		t.Errorf("L5: got %v", got)
	}
	if order := r.of("A"); slices.Contains(order, 8) {
		t.Errorf("L5: a5 started before the dead letter of a4 was confirmed: %v", order)
	}
	fault.Release()
	s.settle(2)
	if want := []int64{0, 2, 2, 2, 4, 6, 6, 6, 6, 8}; !slices.Equal(r.of("A"), want) {
		t.Errorf("L5: A ran in the order %v, want %v", r.of("A"), want)
	}
	if len(r.overlap) > 0 {
		t.Errorf("L5: runs of one key overlap: %v", r.overlap)
	}
	if msg := b.deadLetter(t, q); msg.Properties()["bq-attempts"] != "1" {
		t.Errorf("L5: the dead letter has %s attempts, want 1", msg.Properties()["bq-attempts"])
	}
}

// A hesitant producer confirms what it has sent after a while.
type hesitant struct {
	pulsar.Producer
	wait      time.Duration
	confirmed atomic.Int64
}

func (p *hesitant) Send(ctx context.Context, m *pulsar.ProducerMessage) (pulsar.MessageID, error) {
	id, err := p.Producer.Send(ctx, m)
	<-time.After(p.wait)
	p.confirmed.Add(1)
	return id, err
}

func TestARepublishedRetryDoesNotOverlapItsKey(t *testing.T) { // L6
	onBothBackends(t, func(t *testing.T, b *backend) {
		for _, c := range []struct {
			subscription pulsar.SubscriptionType
			replicas     int
		}{{pulsar.Shared, 1}, {pulsar.KeyShared, 2}} {
			q := newQueue()
			r := newRuns()
			b.backlog(t, q, c.subscription)
			publisher := bq.NewPublisher(b.producers(t), orders(q))
			for i := range int64(10) {
				if _, err := publisher.Publish(t.Context(), order{ID: i}, bq.WithKey("A"), bq.WithOrderingKey("a")); err != nil {
					t.Fatal(err)
				}
			}
			producer, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: q.Topic, DisableBatching: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(producer.Close)
			retries := &hesitant{Producer: producer, wait: 300 * time.Millisecond}
			settled := make(chan bq.Settlement, 20)
			for range c.replicas {
				b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
					defer r.enter(m.Key+m.OrderingKey(), m.Data.ID)()
					<-time.After(20 * time.Millisecond)
					if m.Attempts > 1 || m.Attempts == 1 && m.Data.ID != 0 {
						t.Errorf("L6: message %d has %d attempts", m.Data.ID, m.Attempts)
					}
					switch {
					case m.Data.ID == 0 && m.Attempts == 0:
						return errors.New("no stock")
					case m.Data.ID == 1 && retries.confirmed.Load() == 0:
						t.Error("L6: the second message was handled before the retry of the first was confirmed")
					}
					return nil
				}, bq.WithConcurrency(8), bq.WithSubscriptionType(c.subscription), bq.WithMaxAttempts(3),
					bq.WithRetryProducer(retries),
					bq.WithObserver(bq.Observer{Settled: func(x bq.Settlement) { settled <- x }}))
			}
			for range 11 {
				await(t, settled, "all to be settled")
			}
			want := []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0}
			if got := r.of("Aa"); !slices.Equal(got, want) || len(r.overlap) > 0 {
				t.Errorf("L6: %d replicas: ran in the order %v, want %v; overlapping: %v", c.replicas, got, want, r.overlap)
			}
		}
	})
}

func TestNoKeyIsNotAKey(t *testing.T) { // L7
	onBothBackends(t, func(t *testing.T, b *backend) {
		const slots, keyed = 8, 20
		q := newQueue()
		peek := b.subscribe(t, q.Topic, "peek")
		r := newRuns()
		var gate sync.WaitGroup // opens when eight are inside at once
		gate.Add(slots)
		var entered, keyless atomic.Int64
		var once sync.Map
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			if m.Key != "" {
				defer r.enter(m.Key, m.Data.ID)()
			}
			if entered.Add(1) <= slots {
				if m.Key == "" {
					keyless.Add(1)
				}
				gate.Done()
			}
			gate.Wait()
			if _, again := once.LoadOrStore(m.Data.ID, true); !again && m.Data.ID < 3 {
				return errors.New("no stock")
			}
			return nil
		}, bq.WithConcurrency(slots))
		// The key of the catalog is empty for one, and there is none for the others.
		producers := b.producers(t)
		plain, emptyKey := orders(q), orders(q)
		emptyKey.Key = func(*order) string { return "" }
		publisher := bq.NewPublisher(producers, plain)
		for id := range int64(102) {
			var err error
			switch {
			case id == 101:
				_, err = bq.NewPublisher(producers, emptyKey).Publish(t.Context(), order{ID: id})
			case id == 100:
				_, err = publisher.Publish(t.Context(), order{ID: id}, bq.WithKey("k"), bq.WithOrderingKey(""))
			case id >= slots-1 && id < slots-1+keyed: // the first of them is one of the eight
				_, err = publisher.Publish(t.Context(), order{ID: id}, bq.WithKey("x"))
			case id%2 == 0:
				_, err = publisher.Publish(t.Context(), order{ID: id}, bq.WithKey(""))
			default:
				_, err = publisher.Publish(t.Context(), order{ID: id})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := s.settle(105); got[bq.Acknowledged] != 102 || got[bq.Retried] != 3 {
			t.Errorf("L7: got %v", got)
		}
		if n := keyless.Load(); n < slots-1 {
			t.Errorf("L7: %d messages without a key were inside at once, want %d", n, slots-1)
		}
		if len(r.overlap) > 0 || !slices.IsSorted(r.of("x")) || len(r.of("x")) != keyed || len(r.of("k")) != 1 {
			t.Errorf("L7: key x ran in the order %v, overlapping %v", r.of("x"), r.overlap)
		}
		for range 105 {
			m := receive(t, peek)
			if m.Properties()["bq-attempts"] == "1" && (m.Key() != "" || m.OrderingKey() != "") {
				t.Errorf("L7: the retry of a keyless message has the key %q", m.Key())
			}
		}
	})
}

func TestReplicasShareMessagesWithoutAKey(t *testing.T) { // L7 on Key_Shared
	onBothBackends(t, func(t *testing.T, b *backend) {
		const messages = 80
		q := newQueue()
		var both sync.WaitGroup // until each replica has one
		both.Add(2)
		settled := make(chan bq.Settlement, messages)
		for range 2 {
			var once sync.Once
			b.serve(t, q, func(context.Context, *bq.Message[order]) error {
				once.Do(both.Done)
				both.Wait()
				return nil
			}, bq.WithConcurrency(2), bq.WithSubscriptionType(pulsar.KeyShared),
				bq.WithObserver(bq.Observer{Settled: func(x bq.Settlement) { settled <- x }}))
		}
		b.publishAll(t, q, messages, keyless)
		for range messages {
			if x := await(t, settled, "all to be settled"); x.Action != bq.Acknowledged {
				t.Errorf("L7: got %s", x.Action)
			}
		}
	})
}

// A lineCheck is a log that keeps only what should not be in it.
type lineCheck struct {
	mu  sync.Mutex
	bad []string
}

func (c *lineCheck) Write(line []byte) (int, error) {
	const most = 4 << 10
	controls := func(r rune) bool { return r < ' ' || r == '\x7f' }
	if len(line) > most || strings.ContainsFunc(strings.TrimSuffix(string(line), "\n"), controls) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.bad = append(c.bad, fmt.Sprintf("%d bytes: %.200q", len(line), line))
	}
	return len(line), nil
}

func (c *lineCheck) logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(c, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func TestHostileKeysAreKeysLikeOthers(t *testing.T) { // L8
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		var lines lineCheck
		long := strings.Repeat("k", 1<<20)
		keys := []string{long + "1", long + "2", "\x00", "\xff\xfe", "a\nb\x1b[2J"}
		note := strings.Repeat("x", 4_500_000)
		var both sync.WaitGroup
		both.Add(2)
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			if m.Key != keys[m.Data.ID] {
				t.Errorf("L8: message %d has the key %.20q", m.Data.ID, m.Key)
			}
			if m.Attempts == 0 && m.Data.ID < 2 {
				both.Done()
				both.Wait() // two lanes
			}
			if m.Data.ID == 0 {
				if m.Data.Note != note {
					t.Errorf("L8: delivery %d of the large message has %d bytes", m.Attempt(), len(m.Data.Note))
				}
				return errors.New(m.Key)
			}
			return nil
		}, bq.WithConcurrency(4), bq.WithMaxAttempts(2), bq.WithLogger(lines.logger()))
		publisher := bq.NewPublisher(b.producers(t, bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
			o.EnableChunking = true // key and body together are more than Pulsar takes at once
		})), orders(q))
		deliveries := 1 // the retry
		for id, key := range keys {
			o := order{ID: int64(id)}
			if id == 0 {
				o.Note = note
			}
			_, err := publisher.Publish(t.Context(), o, bq.WithKey(key))
			switch {
			case err == nil:
				deliveries++
			case id < 2:
				t.Fatalf("L8: a long key is refused: %.200v", err)
			case len(err.Error()) > 4<<10:
				t.Errorf("L8: an error of %d bytes", len(err.Error()))
			}
		}
		if got := s.settle(deliveries); got[bq.Retried] != 1 || got[bq.DeadLettered] != 1 {
			t.Errorf("L8: got %v", got)
		}
		letter := b.deadLetter(t, q)
		if letter.Key() != keys[0] || !strings.Contains(string(letter.Payload()), note) {
			t.Errorf("L8: the dead letter has a key of %d bytes and a body of %d", len(letter.Key()), len(letter.Payload()))
		}
		if lanes := s.consumer.Status().Lanes; lanes != 0 {
			t.Errorf("L8: %d lanes are left", lanes)
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		if len(lines.bad) > 0 {
			t.Errorf("L8: lines of the log: %q", lines.bad)
		}
	})
}

func TestManyKeysLeaveNothingBehind(t *testing.T) { // L8
	b := inMemory(t)
	keys := make([]string, 20_000)
	for i := range keys {
		keys[i] = strconv.FormatUint(rand.Uint64(), 36)
	}
	q := newQueue()
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		if m.Key != keys[m.Data.ID] {
			t.Errorf("L8: message %d has the key %q", m.Data.ID, m.Key)
		}
		return nil
	}, bq.WithConcurrency(4))
	publisher := bq.NewPublisher(b.producers(t), orders(q))
	before := heap()
	go func() {
		for i, key := range keys {
			publisher.PublishAsync(t.Context(), order{ID: int64(i)}, func(_ bq.PublishResult, err error) {
				if err != nil {
					t.Errorf("L8: %v", err)
				}
			}, bq.WithKey(key))
		}
	}()
	for n := range keys {
		if s.next(); n%100 == 0 {
			if status := s.consumer.Status(); status.Lanes > status.Unsettled {
				t.Errorf("L8: %d lanes for %d messages", status.Lanes, status.Unsettled)
			}
		}
	}
	b.waitFor(t, "all to be acknowledged", func() bool { return b.memory.Backlog(q.Topic, "babelqueue") == 0 })
	if lanes := s.consumer.Status().Lanes; lanes != 0 {
		t.Errorf("L8: %d lanes are left", lanes)
	}
	if grown := heap() - before; grown > 16<<20 {
		t.Errorf("L8: %d MiB more are in use", grown>>20)
	}
}

func TestACopyOfAMessageInHandIsNotHandled(t *testing.T) { // L9, F2
	onBothBackends(t, func(t *testing.T, b *backend) {
		for _, c := range []struct {
			subscription pulsar.SubscriptionType
			slots        int // at four, the handlers' own messages come again when they have ended
		}{{pulsar.Shared, 4}, {pulsar.KeyShared, 4}, {pulsar.Exclusive, 4}, {pulsar.Shared, 8}, {pulsar.Exclusive, 8}} {
			t.Run(fmt.Sprint(c), func(t *testing.T) {
				t.Parallel()
				const keys, each = 4, 10
				q := newQueue()
				r := newRuns()
				started, finish := make(chan struct{}, keys*each), make(chan struct{})
				s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
					defer r.enter(m.Key, m.Data.ID)()
					if m.Data.ID < keys {
						started <- struct{}{}
						<-finish
					}
					if m.Attempts != 0 {
						t.Errorf("L9: message %d has %d attempts", m.Data.ID, m.Attempts)
					}
					return nil
				}, bq.WithConcurrency(c.slots), bq.WithSubscriptionType(c.subscription))
				b.publishAll(t, q, keys*each, func(i int) string { return fmt.Sprint("c-", i%keys) })
				for range keys {
					await(t, started, "the first message of each key")
				}
				copies := s.consumer.Status().Copies
				for range 3 {
					b.cut(t, q.Topic)
					if c.slots > keys {
						eventually(t, "the messages to come again", func() bool { return s.consumer.Status().Copies > copies })
						copies = s.consumer.Status().Copies
					}
				}
				if n := s.consumer.Status().Unsettled; n > min(keys*each, 2*c.slots) && c.slots == keys || n > keys*each {
					t.Errorf("L9: %d messages are unsettled", n)
				}
				close(finish)
				if got := s.settle(keys * each); got[bq.Acknowledged] != keys*each {
					t.Errorf("L9: got %v", got)
				}
				if err := s.stop(); err != nil {
					t.Error(err)
				}
				for key := range keys {
					if got := r.of(fmt.Sprint("c-", key)); !slices.IsSorted(got) || len(got) != each {
						t.Errorf("L9: key %d ran in the order %v", key, got)
					}
				}
				if len(r.overlap) > 0 {
					t.Errorf("L9: runs of one key overlap: %v", r.overlap)
				}
				if left := b.backlog(t, q, c.subscription); left != 0 {
					t.Errorf("L9: %d messages are left", left)
				}
			})
		}
	})
}

func TestKeysKeepTheirOrderOnEverySubscriptionType(t *testing.T) { // F19
	for _, subscription := range []pulsar.SubscriptionType{pulsar.Exclusive, pulsar.Failover, pulsar.Shared,
		pulsar.KeyShared} {
		t.Run(fmt.Sprint(subscription), func(t *testing.T) {
			t.Parallel()
			b := inMemory(t)
			q := newQueue()
			r := newRuns()
			s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
				defer r.enter(m.Key, m.Data.ID)()
				runtime.Gosched()
				return nil
			}, bq.WithConcurrency(8), bq.WithSubscriptionType(subscription))
			b.publishAll(t, q, 300, func(i int) string { return fmt.Sprint("c-", i%5) })
			s.settle(300)
			for key := range 5 {
				if got := r.of(fmt.Sprint("c-", key)); !slices.IsSorted(got) || len(got) != 60 {
					t.Errorf("key %d ran in the order %v", key, got)
				}
			}
			if len(r.overlap) > 0 {
				t.Errorf("runs of one key overlap: %v", r.overlap)
			}
		})
	}
}

func TestUnorderedMessagesOfAKeyRunSideBySide(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	var gate sync.WaitGroup
	gate.Add(4)
	s := b.serve(t, q, func(context.Context, *bq.Message[order]) error {
		gate.Done()
		gate.Wait()
		return nil
	}, bq.WithConcurrency(4), bq.WithUnordered())
	b.publishAll(t, q, 4, func(int) string { return "A" })
	s.settle(4)
}

func TestTheOrderingKeyCountsBeforeTheKey(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	r := newRuns()
	s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
		defer r.enter("o", 0)()
		<-time.After(time.Millisecond)
		return nil
	}, bq.WithConcurrency(4))
	for i := range 8 {
		b.send(t, q.Topic, &pulsar.ProducerMessage{
			Payload: []byte(foreign), Properties: foreignProperties(nil), Key: fmt.Sprint(i), OrderingKey: "o",
		})
	}
	s.settle(8)
	if len(r.overlap) > 0 {
		t.Errorf("%d runs overlap", len(r.overlap))
	}
}
