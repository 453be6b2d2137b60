package acceptance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/testenv"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// A batchLog records the orders of each batch that a handler gets.
type batchLog struct {
	mu  sync.Mutex
	all [][]int64
	got chan []int64
}

func newBatchLog() *batchLog { return &batchLog{got: make(chan []int64, 10_000)} }

// handling returns a batch handler that records and then returns what decide says of the number of the call and the
// orders.
func (l *batchLog) handling(decide func(call int, ids []int64) error) bq.BatchFunc[order] {
	return func(_ context.Context, batch []*bq.Message[order]) error {
		ids := make([]int64, len(batch))
		for i, m := range batch {
			ids[i] = m.Data.ID
		}
		l.mu.Lock()
		l.all = append(l.all, ids)
		call := len(l.all)
		l.mu.Unlock()
		l.got <- ids
		return decide(call, ids)
	}
}

func handled(int, []int64) error { return nil }

// runs returns the batches so far.
func (l *batchLog) runs() [][]int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

func (l *batchLog) want(t *testing.T, want ...[]int64) {
	t.Helper()
	if got := l.runs(); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("the batches are %v, want %v", got, want)
	}
}

// serveBatches is serve for a batch handler.
func (b *backend) serveBatches(
	t *testing.T, q bq.Queue, fn bq.BatchFunc[order], size bq.Batch, opts ...bq.ConsumerOption,
) *service {
	t.Helper()
	return b.serveRoutes(t, q, bq.Routes(bq.HandleBatch(orders(q), fn, size)), opts...)
}

// settlements returns the next n settlements by order.
func (s *service) settlements(n int) (all []bq.Settlement) {
	s.t.Helper()
	for range n {
		all = append(all, s.next())
	}
	return all
}

// count returns how many settlements have an action.
func count(all []bq.Settlement, action bq.Action) (n int) {
	for _, x := range all {
		if x.Action == action {
			n++
		}
	}
	return n
}

// span returns the numbers from first to last.
func span(first, last int64) (ids []int64) {
	for id := first; id <= last; id++ {
		ids = append(ids, id)
	}
	return ids
}

// prepare publishes so many orders for a consumer that comes later.
func (b *backend) prepare(t *testing.T, q bq.Queue, n int64, opts ...bq.PublishOption) {
	t.Helper()
	b.subscribe(t, q.Topic, "babelqueue").Close()
	for id := range n {
		b.publish(t, q, order{ID: id + 1}, opts...)
	}
}

func TestAMessageThatIsLargerThanABatch(t *testing.T) { // L10
	b, q := memory(t), newQueue()
	b.subscribe(t, q.Topic, "babelqueue").Close()
	for id := int64(1); id <= 7; id++ {
		o := order{ID: id}
		if id == 4 {
			o.Note = strings.Repeat("x", 1<<20)
		}
		b.publish(t, q, o)
	}
	l := newBatchLog()
	s := b.serveBatches(t, q, l.handling(handled), bq.Batch{Size: 10, Bytes: 64 << 10, Wait: 50 * time.Millisecond})
	if n := count(s.settlements(7), bq.Acknowledged); n != 7 {
		t.Errorf("%d are acknowledged, want 7", n)
	}
	l.want(t, span(1, 3), span(4, 4), span(5, 7))
}

func TestFullBatchesDoNotWait(t *testing.T) { // L11
	b, q := memory(t), newQueue()
	b.prepare(t, q, 1000)
	l := newBatchLog()
	s := b.serveBatches(t, q, l.handling(handled), bq.Batch{Size: 100, Wait: time.Hour})
	if n := count(s.settlements(1000), bq.Acknowledged); n != 1000 {
		t.Errorf("%d are acknowledged, want 1000", n)
	}
	for i, ids := range l.runs() {
		if !slices.Equal(ids, span(int64(100*i+1), int64(100*i+100))) {
			t.Errorf("batch %d is %v", i, ids)
		}
	}
	_, err := bq.NewConsumer(b.client, q, bq.Routes(bq.HandleBatch(orders(q), l.handling(handled), bq.Batch{Size: 100})),
		bq.WithMaxUnsettled(bq.Limit{Messages: 50}))
	if text := fmt.Sprint(err); !strings.Contains(text, "100") || !strings.Contains(text, "50") ||
		!strings.Contains(text, "Batch") || !strings.Contains(text, "WithMaxUnsettled") {
		t.Errorf("a batch larger than the limit: %v", err)
	}
}

func TestTheWaitOfABatchRunsFromItsFirstMessage(t *testing.T) { // L12
	b, q := memory(t), newQueue()
	l := newBatchLog()
	const wait = 200 * time.Millisecond
	var mu sync.Mutex
	late := map[int64]time.Duration{} // by the first order of a batch
	s := b.serveBatches(t, q, func(ctx context.Context, batch []*bq.Message[order]) error {
		mu.Lock()
		late[batch[0].Data.ID] = time.Since(batch[0].PublishTime)
		mu.Unlock()
		return l.handling(handled)(ctx, batch)
	}, bq.Batch{Size: 100, Wait: wait})
	const n = 12
	for id := range int64(n) { // each arrives long before the wait of the one before is over
		b.publish(t, q, order{ID: id + 1})
		pause(t, wait/4)
	}
	s.settlements(n)
	got := l.runs()
	if len(got) < 2 {
		t.Errorf("%d orders within %s came in one batch: each arrival puts it off", n, n*wait/4)
	}
	if all := slices.Concat(got...); !slices.Equal(all, span(1, n)) {
		t.Errorf("batches %v", got)
	}
	for first, d := range late {
		if d < wait-10*time.Millisecond {
			t.Errorf("the batch that begins with order %d was handed over after %s", first, d)
		}
	}
	select {
	case ids := <-s.settled:
		t.Errorf("%v is handed over in the silence", ids)
	case <-time.After(2 * wait):
	}
}

func TestTheFailingIndexMoves(t *testing.T) { // L13
	b, q := memory(t), newQueue()
	b.prepare(t, q, 10)
	l := newBatchLog()
	oops := errors.New("oops")
	s := b.serveBatches(t, q, l.handling(func(call int, ids []int64) error {
		switch call {
		case 1:
			return bq.FailedAt(2, oops)
		case 2, 3:
			return bq.FailedAt(slices.Index(ids, 5), oops)
		}
		return nil
	}), bq.Batch{Size: 10, Wait: time.Hour}, bq.WithRetryInPlace(2, bq.NoBackoff))
	for _, x := range s.settlements(10) {
		if x.Action != bq.Acknowledged || x.Delivery.Attempts != 0 {
			t.Errorf("%+v", x)
		}
	}
	l.want(t, span(1, 10), span(3, 10), span(5, 10), span(5, 10))
}

func TestFailedAtTheLastThenTheProcessDies(t *testing.T) { // L14
	broker := bqtest.NewBroker(t)
	b, q := &backend{client: broker.Client(), memory: broker}, newQueue()
	b.prepare(t, q, 10)
	oops := errors.New("oops")
	broker.Fail(bqtest.OnSend(q.Topic).Hang())
	doomed := &backend{client: broker.Client(), memory: broker}
	doomed.serveBatches(t, q, newBatchLog().handling(func(int, []int64) error { return bq.FailedAt(9, oops) }),
		bq.Batch{Size: 10, Wait: time.Hour}, bq.WithShutdownTimeout(time.Second))
	eventually(t, "nine acknowledgements", func() bool { return broker.Acked(q.Topic, "babelqueue") == 9 })
	doomed.client.Close()
	l := newBatchLog()
	b.serveBatches(t, q, l.handling(handled), bq.Batch{Size: 10, Wait: 20 * time.Millisecond})
	if ids := await(t, l.got, "a batch"); !slices.Equal(ids, []int64{10}) {
		t.Errorf("what comes again is %v, want order 10", ids)
	}
}

func TestFailedAtTheFirstUntilNothingIsLeftToTry(t *testing.T) { // L15
	b, q := memory(t), newQueue()
	l := newBatchLog()
	oops := errors.New("oops")
	s := b.serveBatches(t, q, l.handling(func(_ int, ids []int64) error {
		if ids[0] == 1 {
			return bq.FailedAt(0, oops)
		}
		return nil
	}), bq.Batch{Size: 5, Wait: 100 * time.Millisecond}, bq.WithMaxAttempts(1), bq.WithRetryInPlace(2, bq.NoBackoff))
	b.publish(t, q, order{ID: 1})
	if x := s.next(); x.Action != bq.DeadLettered {
		t.Errorf("%+v", x)
	}
	b.publish(t, q, order{ID: 2})
	if x := s.next(); x.Action != bq.Acknowledged {
		t.Errorf("%+v", x)
	}
	l.want(t, []int64{1}, []int64{1}, []int64{1}, []int64{2})
	s.consumer.Pause()
	for id := range int64(5) {
		b.publish(t, q, order{ID: id + 1})
	}
	s.consumer.Resume()
	all := s.settlements(5)
	if count(all, bq.DeadLettered) != 1 || count(all, bq.Acknowledged) != 4 {
		t.Errorf("%+v", all)
	}
	first := []int64{1, 2, 3, 4, 5}
	if got := l.runs()[4:]; !slices.EqualFunc(got, [][]int64{first, first, first, {2, 3, 4, 5}}, slices.Equal) {
		t.Errorf("the batches are %v", got)
	}
}

func TestIndexesThatCannotBe(t *testing.T) { // L16
	oops := errors.New("oops")
	twice := fmt.Errorf("b: %w", fmt.Errorf("a: %w", bq.FailedAt(2, oops)))
	for what, c := range map[string]struct {
		err  error
		done int // orders that are acknowledged first
		text string
	}{
		"below":         {bq.FailedAt(-1, oops), 0, "index -1 of 5"},
		"above":         {bq.FailedAt(5, oops), 0, "index 5 of 5"},
		"far above":     {bq.FailedAt(1<<40, oops), 0, "index 1099511627776 of 5"},
		"joined":        {errors.Join(bq.FailedAt(3, oops), bq.FailedAt(1, oops)), 1, "oops"},
		"wrapped twice": {twice, 2, "oops"},
		"no cause":      {bq.FailedAt(2, nil), 2, "without an error"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			b, q := memory(t), newQueue()
			b.prepare(t, q, 5)
			l := newBatchLog()
			s := b.serveBatches(t, q, l.handling(func(call int, _ []int64) error {
				if call == 1 {
					return c.err
				}
				return nil
			}), bq.Batch{Size: 5, Wait: 20 * time.Millisecond}, bq.WithRetryBackoff(bq.NoBackoff))
			retried := 1
			if c.done == 0 {
				retried = 5
			}
			all := s.settlements(5 + retried)
			if n := count(all, bq.Acknowledged); n != 5 {
				t.Errorf("%d are acknowledged, want 5", n)
			}
			n := 0
			for _, x := range all {
				if x.Action == bq.Retried {
					n++
					if x.Delivery.Attempts != 0 || !strings.Contains(x.Err.Error(), c.text) {
						t.Errorf("%+v", x)
					}
				}
			}
			if n != retried {
				t.Errorf("%d are retried, want %d", n, retried)
			}
		})
	}
	t.Run("one by one", func(t *testing.T) {
		b, q := memory(t), newQueue()
		s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return bq.FailedAt(0, oops) },
			bq.WithMaxAttempts(1))
		b.publish(t, q, order{ID: 1})
		if x := s.next(); x.Action != bq.DeadLettered || !errors.Is(x.Err, oops) {
			t.Errorf("%+v", x)
		}
	})
}

type errorThatPanics struct{}

func (errorThatPanics) Error() string { panic("oops") }

func TestResultsOfAllKindsInOneBatch(t *testing.T) { // L17
	synctest.Test(t, resultsOfAllKindsInOneBatch) // where all six are there before the wait is over
}

func resultsOfAllKindsInOneBatch(t *testing.T) {
	b, q := memory(t), newQueue()
	b.prepare(t, q, 6)
	broken := b.memory.Fail(bqtest.OnSend(q.Topic).Times(1).Err(errors.New("refused")))
	oops := errors.New("oops")
	l := newBatchLog()
	s := b.serveBatches(t, q, l.handling(func(call int, ids []int64) error {
		if call > 1 {
			return nil
		}
		return bq.Results([]error{nil, oops, bq.Permanent(oops), bq.RetryAfter(time.Hour, oops), nil, errorThatPanics{}})
	}), bq.Batch{Size: 6, Wait: 20 * time.Millisecond}, bq.WithRetryBackoff(bq.NoBackoff))
	actions := map[bq.Action]int{}
	for range 6 + 2 { // and the two retries
		x := s.next()
		actions[x.Action]++
		if x.Action == bq.DeadLettered && x.Delivery.Attempts != 0 {
			t.Errorf("%+v", x)
		}
	}
	if want := map[bq.Action]int{bq.Acknowledged: 4, bq.Retried: 3, bq.DeadLettered: 1}; fmt.Sprint(actions) !=
		fmt.Sprint(want) {
		t.Errorf("%v, want %v", actions, want)
	}
	if broken.Hits() != 1 {
		t.Errorf("%d sends were refused, want 1", broken.Hits())
	}
	for _, ids := range l.runs()[1:] {
		for _, id := range ids {
			if id != 2 && id != 6 {
				t.Errorf("order %d comes again", id)
			}
		}
	}
}

func TestResultsThatDoNotFitTheBatch(t *testing.T) { // L18
	for what, n := range map[string]int{"four": 4, "six": 6, "none": 0} {
		b, q := memory(t), newQueue()
		b.prepare(t, q, 5)
		s := b.serveBatches(t, q, newBatchLog().handling(func(int, []int64) error {
			return bq.Results(make([]error, n))
		}), bq.Batch{Size: 5, Wait: time.Hour}, bq.WithMaxAttempts(1))
		for _, x := range s.settlements(5) {
			if x.Action != bq.DeadLettered || !strings.Contains(x.Err.Error(), fmt.Sprintf("%d results for 5 messages", n)) {
				t.Errorf("%s: %+v", what, x)
			}
		}
	}
	b, q := memory(t), newQueue()
	b.prepare(t, q, 5)
	s := b.serveBatches(t, q, newBatchLog().handling(func(int, []int64) error {
		errs := make([]error, 5)
		r := bq.Results(errs)
		go func() { errs[0] = errors.New("later") }()
		return r
	}), bq.Batch{Size: 5, Wait: time.Hour})
	if n := count(s.settlements(5), bq.Acknowledged); n != 5 {
		t.Errorf("changed after the return: %d are acknowledged, want 5", n)
	}
}

func TestAnErrorOfTheWholeBatchAndItsInnocentMembers(t *testing.T) { // L19
	b, q := memory(t), newQueue()
	b.prepare(t, q, 20)
	const bad = 7
	l := newBatchLog()
	s := b.serveBatches(t, q, l.handling(func(_ int, ids []int64) error {
		if slices.Contains(ids, bad) {
			return errors.New("one of them is bad")
		}
		return nil
	}), bq.Batch{Size: 5, Wait: 20 * time.Millisecond}, bq.WithConcurrency(2), bq.WithMaxAttempts(3),
		bq.WithRetryBackoff(bq.NoBackoff))
	acked, dead := 0, 0
	for acked+dead < 20 {
		switch x := s.next(); x.Action {
		case bq.Acknowledged:
			acked++
		case bq.DeadLettered:
			dead++
			if x.Delivery.Attempt() != 3 {
				t.Errorf("%+v", x)
			}
		}
	}
	if acked != 19 || dead != 1 {
		t.Errorf("%d are acknowledged and %d dead-lettered, want 19 and 1", acked, dead)
	}
	if m := b.deadLetter(t, q); !strings.Contains(string(m.Payload()), `"order_id":7`) {
		t.Errorf("the dead letter is %s", m.Payload())
	}
}

func TestWhatIsNotForTheHandlerIsNotInTheBatch(t *testing.T) { // L20
	b, q := memory(t), newQueue()
	b.subscribe(t, q.Topic, "babelqueue").Close()
	bodies := []string{
		"poison",
		strings.Replace(foreign, orderURN, "urn:babel:orders:else", 1),
		fmt.Sprintf(`{"job":%q,"trace_id":"t","data":{"order_id":"x"},"meta":{"schema_version":1}}`, orderURN),
		"",
	}
	for id := range int64(7) {
		b.publish(t, q, order{ID: id + 1})
		if int(id) < len(bodies) {
			b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(bodies[id])})
		}
	}
	b.send(t, q.Topic, &pulsar.ProducerMessage{
		Payload: []byte(foreign), Properties: foreignProperties(map[string]string{"bq-schema-version": "2"}),
	})
	b.memory.Fail(bqtest.OnSend(q.DeadLetterTopic).Times(1).Hang())
	l := newBatchLog()
	s := b.serveBatches(t, q, l.handling(handled), bq.Batch{Size: 10, Wait: 100 * time.Millisecond},
		bq.WithConcurrency(4), bq.WithMaxAttempts(1))
	acked := 0
	for acked < 7 {
		if s.next().Action == bq.Acknowledged {
			acked++
		}
	}
	var got []int64
	for _, ids := range l.runs() {
		if len(ids) == 0 {
			t.Error("a batch is empty")
		}
		got = append(got, ids...)
	}
	if slices.Sort(got); !slices.Equal(got, span(1, 7)) {
		t.Errorf("the handler gets %v", l.runs())
	}
}

func TestBatchesKeysAndAFailure(t *testing.T) { // L21
	b, q := memory(t), newQueue()
	b.subscribe(t, q.Topic, "babelqueue").Close()
	for id := int64(1); id <= 18; id++ {
		key := fmt.Sprint(id)
		if id%3 == 0 { // 3, 6, ... 18
			key = "k"
		}
		b.publish(t, q, order{ID: id}, bq.WithKey(key))
	}
	l := newBatchLog()
	failed := false
	var mu sync.Mutex
	busy := 0
	s := b.serveBatches(t, q, func(ctx context.Context, batch []*bq.Message[order]) error {
		ids := []int64{}
		for _, m := range batch {
			if m.Key == "k" {
				ids = append(ids, m.Data.ID)
			}
		}
		mu.Lock()
		if len(ids) > 0 {
			if busy++; busy > 1 {
				t.Error("two batches with the same key overlap")
			}
		}
		fail := false
		if at := slices.IndexFunc(batch, func(m *bq.Message[order]) bool { return m.Data.ID == 6 }); at >= 0 && !failed {
			failed, fail = true, true
		}
		mu.Unlock()
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			if len(ids) > 0 {
				busy--
			}
		}()
		if !slices.IsSorted(ids) {
			t.Errorf("the key's orders stand as %v", ids)
		}
		return l.handling(func(int, []int64) error {
			if fail {
				return bq.FailedAt(slices.IndexFunc(batch, func(m *bq.Message[order]) bool { return m.Data.ID == 6 }),
					errors.New("oops"))
			}
			return nil
		})(ctx, batch)
	}, bq.Batch{Size: 6, Wait: 50 * time.Millisecond}, bq.WithConcurrency(4), bq.WithRetryInPlace(2, bq.NoBackoff))
	if n := count(s.settlements(18), bq.Acknowledged); n != 18 {
		t.Errorf("%d are acknowledged, want 18", n)
	}
	done := false
	for _, ids := range l.runs() {
		for _, id := range ids {
			if id == 6 {
				done = true
			}
			if id > 6 && id%3 == 0 && !done {
				t.Errorf("order %d is handed over before order 6: %v", id, l.runs())
			}
		}
	}
}

func TestAHalfFullBatchIsReleasedOnShutdown(t *testing.T) { // L22
	b, q := memory(t), newQueue()
	b.prepare(t, q, 3)
	l := newBatchLog()
	s := b.serveBatches(t, q, l.handling(handled), bq.Batch{Size: 10, Wait: time.Hour})
	eventually(t, "three messages to be received", func() bool { return s.consumer.Status().Unsettled == 3 })
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if len(l.runs()) != 0 {
		t.Errorf("batches %v", l.runs())
	}
	block := make(chan struct{})
	defer close(block)
	entered := make(chan struct{})
	s = b.serveBatches(t, q, func(_ context.Context, batch []*bq.Message[order]) error {
		for _, m := range batch {
			if m.Attempts != 0 {
				t.Errorf("order %d has attempts %d", m.Data.ID, m.Attempts)
			}
		}
		close(entered)
		<-block
		return nil
	}, bq.Batch{Size: 3, Wait: time.Hour}, bq.WithGracePeriod(10*time.Millisecond), bq.WithShutdownTimeout(time.Second))
	await(t, entered, "the batch")
	var stuck *bq.StuckError
	if err := s.stop(); !errors.As(err, &stuck) || len(stuck.Deliveries) != 3 {
		t.Errorf("Run returned %v, want the three messages", err)
	}
}

// L32: of ten messages the fourth is given back twice, and only that one comes again: as ten entries, and as one entry
// of a producer's batch.
func TestManualBatches(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		for _, entry := range []bool{false, true} {
			q := newQueue()
			if entry {
				b.subscribe(t, q.Topic, "babelqueue").Close()
				b.publishEntry(t, q, 1, 10)
			} else {
				b.prepare(t, q, 10)
			}
			testManualBatches(t, b, q)
		}
	})
}

func testManualBatches(t *testing.T, b *backend, q bq.Queue) {
	handed := make(chan []*bq.Message[order], 10)
	s := b.serveBatches(t, q, func(_ context.Context, batch []*bq.Message[order]) error {
		handed <- batch
		return nil
	}, bq.Batch{Size: 10, Wait: 20 * time.Millisecond}, bq.WithAckMode(bq.AckManual), bq.WithUnordered())
	var fourth *bq.Message[order]
	for seen := 0; seen < 10; {
		for _, m := range await(t, handed, "a batch") {
			seen++
			if m.Data.ID == 4 {
				fourth = m
			} else if err := m.Ack(); err != nil {
				t.Error(err)
			}
		}
	}
	if n := count(s.settlements(9), bq.Acknowledged); n != 9 {
		t.Errorf("%d are acknowledged, want 9", n)
	}
	const delay = 200 * time.Millisecond
	for attempts := range int64(3) {
		if fourth.Attempts != attempts {
			t.Errorf("attempts is %d, want %d", fourth.Attempts, attempts)
		}
		given := time.Now()
		var err error
		switch attempts {
		case 0:
			err = fourth.Fail(bq.RetryAfter(-time.Second, nil)) // at once
		case 1:
			err = fourth.Fail(bq.RetryAfter(delay, nil))
		default:
			err = fourth.Ack()
		}
		if err != nil {
			t.Error(err)
		}
		s.next()
		if attempts == 2 {
			break
		}
		batch := await(t, handed, "the fourth again")
		if len(batch) != 1 || batch[0].Data.ID != 4 {
			t.Fatalf("%d messages come again", len(batch))
		}
		if waited := time.Since(given); attempts == 1 && waited < delay {
			t.Errorf("it came after %s, want at least %s", waited, delay)
		}
		fourth = batch[0]
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if left := b.backlog(t, q, pulsar.Shared); left != 0 {
		t.Errorf("%d messages are left", left)
	}
}

func TestSingleMessagesAndBatchesAreToldApartFromOutside(t *testing.T) { // L29
	for _, mode := range []string{"each", "together", "batches"} {
		b, q, batches := memory(t), newQueue(), mode == "batches"
		b.prepare(t, q, 5)
		entered, finish := make(chan struct{}), make(chan struct{})
		received := make(chan struct{})
		third := func(id int64) error {
			if mode == "together" {
				<-received
			}
			if id == 3 {
				close(entered)
				<-finish
				return bq.Permanent(errors.New("oops"))
			}
			return nil
		}
		var s *service
		if batches {
			s = b.serveBatches(t, q, func(_ context.Context, batch []*bq.Message[order]) error {
				results := make([]error, len(batch))
				for i, m := range batch {
					results[i] = third(m.Data.ID)
				}
				return bq.Results(results)
			}, bq.Batch{Size: 5, Wait: time.Hour})
		} else {
			opts := []bq.ConsumerOption{bq.WithAckMode(bq.AckEach)}
			if mode == "together" {
				opts = []bq.ConsumerOption{bq.WithAckMode(bq.AckBatch)}
			}
			s = b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error { return third(m.Data.ID) }, opts...)
		}
		eventually(t, "five messages", func() bool { return mode != "together" || s.consumer.Status().Unsettled == 5 })
		close(received)
		await(t, entered, "the third message")
		if mode == "each" {
			eventually(t, "two acknowledgements", func() bool { return b.memory.Acked(q.Topic, "babelqueue") == 2 })
		}
		if n := b.memory.Acked(q.Topic, "babelqueue"); mode != "each" && n != 0 {
			t.Errorf("%s: %d are acknowledged while others are being handled", mode, n)
		}
		close(finish)
		all := s.settlements(5)
		if count(all, bq.Acknowledged) != 4 || count(all, bq.DeadLettered) != 1 {
			t.Errorf("%+v", all)
		}
	}
	q := newQueue()
	route := bq.HandleBatch(orders(q), func(context.Context, []*bq.Message[order]) error { return nil }, bq.Batch{})
	_, err := bq.NewConsumer(memory(t).client, q, bq.Routes(route), bq.WithAckMode(bq.AckEach))
	if text := fmt.Sprint(err); !strings.Contains(text, "WithAckMode(AckEach)") || !strings.Contains(text, "HandleBatch") {
		t.Errorf("a batch handler with AckEach: %v", err)
	}
}

func TestMessagesInChunksInBatches(t *testing.T) { // L23
	onBothBackends(t, func(t *testing.T, b *backend) {
		chunk, size := uint(5<<20), 12_000_000
		if testenv.Race || b.memory != nil { // it needs ten times as long for each byte
			chunk, size = 64<<10, 150<<10
		}
		chunksInBatches(t, b, chunk, size)
	})
}

// L23 in memory, where the heap is also that of the broker. What a message takes is its body and its decoded text: so
// the heap would not stay below the bound if messages that are settled were kept.
func TestMessagesInChunksDoNotTakeTooMuchMemory(t *testing.T) {
	testenv.SkipUnderRace(t, "it needs ten times as long for each byte")
	const size = 12_000_000
	if grown := chunksInBatches(t, inMemory(t), 5<<20, size); grown > inChunks*size+64<<20 {
		t.Errorf("L23: the heap has grown by %d bytes", grown)
	}
}

const inChunks = 8 // messages of L23

// chunksInBatches returns by how many bytes the heap has grown at most when a batch was handled.
func chunksInBatches(t *testing.T, b *backend, chunk uint, size int) int64 {
	q, note := newQueue(), randomText(size)
	chunks := bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
		o.EnableChunking, o.ChunkMaxMessageSize = true, chunk
	})
	b.subscribe(t, q.Topic, "babelqueue").Close()
	var publishing sync.WaitGroup
	for first := range 2 { // at once, so that their chunks come in between each other
		publisher := bq.NewPublisher(b.producers(t, chunks), orders(q))
		publishing.Go(func() {
			for id := first; id < inChunks; id += 2 {
				if _, err := publisher.Publish(context.Background(), order{ID: int64(id), Note: note}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	publishing.Wait()
	before := heap()
	var failed atomic.Bool
	var largest, grown atomic.Int64
	s := b.serveBatches(t, q, func(_ context.Context, batch []*bq.Message[order]) error {
		for _, m := range batch {
			if m.Data.Note != note {
				t.Errorf("L23: message %d is not whole", m.Data.ID)
			}
		}
		grown.Store(max(grown.Load(), heap()-before))
		largest.Store(max(largest.Load(), int64(len(batch))))
		if len(batch) > 1 && !failed.Swap(true) {
			return bq.FailedAt(1, errors.New("no"))
		}
		return nil
	}, bq.Batch{Size: 4, Bytes: int64(5 * size / 2), Wait: 200 * time.Millisecond}, chunks,
		bq.WithMaxUnsettled(bq.Limit{Messages: inChunks}))
	if got := s.settle(inChunks + 1); got[bq.Acknowledged] != inChunks || got[bq.Retried] != 1 {
		t.Errorf("L23: %v", got)
	}
	if largest.Load() != 2 {
		t.Errorf("L23: the largest batch is of %d, want 2", largest.Load())
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if left := b.backlog(t, q, pulsar.Shared); left != 0 {
		t.Errorf("L23: %d messages are left", left)
	}
	return grown.Load()
}
