package bq

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"

	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
	"github.com/babelqueue/bqgen/runtime/payload"
)

var (
	walkDeliveries = flag.Int("walk.deliveries", 5000, "how many deliveries the random walk goes through")
	walkSeed       = flag.Uint64("walk.seed", 0, "the seed of the random walk; 0 draws one")
	walkFirst      = flag.Int("walk.first", 0, "the episode that the random walk begins with")
)

// A walk consumes messages while everything that can go wrong does, drawn at random, and holds a consumer to what it
// promises: no message is lost, none is run twice at a time or after it was settled, each delivery is reported once,
// and the limit holds.
type walk struct {
	seed uint64

	mu          sync.Mutex
	faults      map[string]int // and what handlers do
	transitions map[string]int
	deliveries  int
}

func (w *walk) count(fault string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults[fault]++
}

// TestRandomWalk is short here; make walk makes it long.
func TestRandomWalk(t *testing.T) {
	seed := *walkSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	w := &walk{seed: seed, faults: map[string]int{}, transitions: map[string]int{}}
	for _, row := range flow.Transitions() {
		w.transitions[transition(row.State, row.Event, row.Becomes)] = 0
	}
	for _, name := range slices.Concat(harms, otherFaults, actNames()) {
		w.faults[name] = 0
	}
	walked, number := 0, *walkFirst
	for ; (w.deliveries < *walkDeliveries || w.seldom()) && !t.Failed(); number++ {
		walked = w.deliveries
		t.Run(fmt.Sprint("episode", number), func(t *testing.T) { newEpisode(t, w, uint64(number)).run() })
	}
	t.Logf("to walk again: go test ./runtime -run RandomWalk -walk.deliveries=%d -walk.seed=%d", *walkDeliveries, seed)
	if t.Failed() {
		t.Logf("from the last episode on, which began after %d deliveries: -walk.first=%d", walked, number-1)
	}
	w.summary(t)
}

// longWalk is how many deliveries make a walk that has to meet everything often.
const longWalk = 200_000

// often is how often a long walk has to meet each fault and each transition.
const often = 50

// never are the transitions that only guard the table: a walk that meets one of them has found a mistake.
var never = map[string]string{
	"waiting, grace over: released":  "what waits is released when receiving stops",
	"waiting, abandoned: released":   "what waits is released when receiving stops",
	"in place, grace over: released": "what waits in place is released when receiving stops",
	"in place, abandoned: released":  "what waits in place is released when receiving stops",
	"held, grace over: released":     "when receiving stops, what is held is settled or given back",
	"held, abandoned: released":      "when receiving stops, what is held is settled or given back",
	"running, abandoned: released":   "what runs is released when the grace period is over",
	"waiting, acknowledge: acking":   "only messages of other services are skipped without a slot, and there are none",
}

// seldom reports whether a long walk has not met something often enough yet, and may go on for that.
func (w *walk) seldom() bool {
	if *walkDeliveries < longWalk || w.deliveries > *walkDeliveries*3/2 {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, counts := range []map[string]int{w.faults, w.transitions} {
		for name, n := range counts {
			if n < often && never[name] == "" {
				return true
			}
		}
	}
	return false
}

func (w *walk) summary(t *testing.T) {
	w.mu.Lock() // handlers that nobody waits for may go on
	defer w.mu.Unlock()
	long := *walkDeliveries >= longWalk && !t.Failed()
	for _, counts := range []map[string]int{w.faults, w.transitions} {
		names := make([]string, 0, len(counts))
		for name := range counts {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			t.Logf("%7d %s", counts[name], name)
			switch why := never[name]; {
			case why != "" && counts[name] > 0:
				t.Errorf("%s occurred, but %s", name, why)
			case why == "" && long && counts[name] < often:
				t.Errorf("%s occurred %d times, want at least %d", name, counts[name], often)
			}
		}
	}
	t.Logf("%d deliveries", w.deliveries)
}

// An episode is a broker and a queue of its own, consumed in one way, which follows from the seed and its number. What
// goes wrong is drawn from there, too, but when it does is up to the scheduler.
type episode struct {
	*walk
	t         *testing.T
	broker    *bqtest.Broker
	client    pulsar.Client
	queue     Queue
	options   []ConsumerOption
	byNack    bool
	replicas  int
	batched   bool
	batches   int // the most messages that are handed over at a time; 0: one by one
	limit     int
	published int
	name      string // says how it is consumed

	drawing sync.Mutex
	rng     *rand.Rand

	mu       sync.Mutex
	over     bool // faults have ended
	running  map[*Consumer]bool
	ended    map[string]bool // by number: handled, dead-lettered or dropped
	stopping sync.WaitGroup
}

func (e *episode) draw(n int) int {
	e.drawing.Lock()
	defer e.drawing.Unlock()
	return e.rng.IntN(n)
}

func newEpisode(t *testing.T, w *walk, number uint64) *episode {
	e := &episode{
		walk: w, t: t, broker: bqtest.NewBroker(t), ended: map[string]bool{}, replicas: 1,
		running: map[*Consumer]bool{},
		rng:     rand.New(rand.NewPCG(w.seed, number)),
	}
	e.limit = 4 + e.draw(60)
	e.client = e.broker.Client()
	topic := "persistent://public/default/walk-" + uuid.NewString()
	e.queue = Queue{Name: "walk", Topic: topic, DeadLetterTopic: topic + ".dlq"}
	if e.draw(4) == 0 {
		e.queue.DeadLetterTopic = ""
	}
	if e.draw(2) == 0 {
		if err := e.broker.CreatePartitioned(topic, 2); err != nil {
			t.Fatal(err)
		}
	}
	types := []pulsar.SubscriptionType{pulsar.Shared, pulsar.KeyShared, pulsar.Exclusive, pulsar.Failover}
	subscription := types[e.draw(len(types))]
	switch subscription {
	case pulsar.Exclusive:
	case pulsar.Failover:
		e.replicas = 2
	default:
		e.replicas += e.draw(2)
	}
	e.batched = e.draw(2) == 0 && subscription != pulsar.KeyShared
	concurrency := 1 + e.draw(8)
	e.options = []ConsumerOption{
		WithSubscriptionType(subscription), WithConcurrency(concurrency),
		WithMaxUnsettled(Limit{Messages: e.limit}), WithReceiverQueueSize(16 + e.draw(100)),
		WithSendTimeout(time.Duration(20*(1+e.draw(3))) * time.Millisecond),
		WithRetryBackoff(ExponentialBackoff(time.Millisecond, 4*time.Millisecond)),
		WithSettleTries(1 + e.draw(4)), WithShutdownTimeout(time.Duration(2+e.draw(40)) * time.Millisecond),
		WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))),
	}
	shares := subscription == pulsar.Shared || subscription == pulsar.KeyShared
	if e.byNack = shares && e.draw(2) == 0; e.byNack {
		e.options = append(e.options, WithRetryByNack())
	}
	if e.draw(2) == 0 {
		e.options = append(e.options, WithHandlerTimeout(8*time.Millisecond))
	}
	if e.draw(3) == 0 {
		e.options = append(e.options, WithRetryInPlace(2, ExponentialBackoff(time.Millisecond, 4*time.Millisecond)))
	}
	if e.draw(3) == 0 {
		e.options = append(e.options, WithUnordered())
	}
	if e.draw(4) == 0 {
		e.batches = 1 + e.draw(min(10, e.limit))
	}
	e.name = fmt.Sprintf("subscription type %v, batched %v, handled in batches of %d, concurrency %d, limit %d, "+
		"by nack %v", subscription, e.batched, e.batches, concurrency, e.limit, e.byNack)
	return e
}

// run publishes, consumes under faults, ends the faults, and checks what has become of every message.
func (e *episode) run() {
	ctx, cancel := context.WithCancel(e.t.Context())
	var all sync.WaitGroup
	for range e.replicas {
		all.Go(func() { e.keepConsuming(ctx) })
	}
	chaos, end := context.WithCancel(ctx)
	var faults sync.WaitGroup
	faults.Go(func() { e.harm(chaos) })
	n, patience := 400+e.draw(400), 3*time.Second
	if *walkDeliveries >= 50_000 {
		n, patience = 5*n, 5*patience
	}
	e.publish(n)
	e.progress(chaos, e.published*9/10, patience)
	end()
	faults.Wait()
	e.mu.Lock()
	e.over = true
	e.mu.Unlock()
	e.drain(ctx)
	cancel()
	all.Wait()
	e.stopping.Wait()
	e.audit()
}

// drain waits until the topic is empty, as long as anything goes on: on a loaded machine publishing times out and is
// tried again, which stores messages twice, so the backlog alone may grow while all is well.
func (e *episode) drain(ctx context.Context) {
	const name = "babelqueue"
	backlog := func() int { return e.broker.Backlog(e.queue.Topic, name) }
	acked := func() int { return e.broker.Acked(e.queue.Topic, name) }
	for backlog() > 0 {
		waiting, stop := context.WithTimeout(ctx, 30*time.Second)
		before := acked()
		err := e.broker.WaitUntil(waiting, func() bool { return acked() > before || backlog() == 0 })
		stop()
		if err == nil {
			continue
		}
		e.mu.Lock()
		e.t.Errorf("nothing goes on, %d messages are left, %d of them with consumers, %d of %d have ended: %s",
			backlog(), e.broker.Unacked(e.queue.Topic, name), len(e.ended), e.published, e.name)
		for c := range e.running {
			e.t.Logf("%+v", c.Status())
		}
		e.mu.Unlock()
		return
	}
}

// progress waits until so many messages have ended, or for a while.
func (e *episode) progress(ctx context.Context, n int, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_ = e.broker.WaitUntil(ctx, func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return len(e.ended) >= n
	})
}

func (e *episode) publish(n int) {
	keeper, err := e.client.Subscribe(pulsar.ConsumerOptions{
		Topic: e.queue.Topic, SubscriptionName: "babelqueue-keeper",
		SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
	})
	if err != nil {
		e.t.Fatal(err)
	}
	keeper.Close()
	p, err := e.client.CreateProducer(pulsar.ProducerOptions{
		Topic: e.queue.Topic, Name: "walker", DisableBatching: !e.batched, BatchingMaxMessages: 7,
		BatchingMaxPublishDelay: time.Millisecond,
	})
	if err != nil {
		e.t.Fatal(err)
	}
	defer p.Close()
	for i := range n {
		m := &pulsar.ProducerMessage{Payload: fmt.Appendf(nil,
			`{"job":"urn:walk","trace_id":"t","data":{"n":"%d"},"meta":{"id":"%d","schema_version":1}}`, i, i)}
		if key := e.draw(12); key > 0 {
			m.Key = fmt.Sprint("k-", key)
		}
		p.SendAsync(e.t.Context(), m, func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) {
			if err != nil {
				e.t.Errorf("publish: %v", err)
			}
		})
	}
	if err := p.FlushWithCtx(e.t.Context()); err != nil {
		e.t.Fatal(err)
	}
	e.published = n
}

// end notes what has become of a message for good.
func (e *episode) end(n string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended[n] = true
}

// note notes that a consumer runs, or that it does not any more.
func (e *episode) note(c *Consumer, runs bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if delete(e.running, c); runs {
		e.running[c] = true
	}
}

// audit checks that no message is lost.
func (e *episode) audit() {
	letters := map[string]bool{}
	if e.queue.DeadLetterTopic != "" {
		for _, r := range e.broker.Messages(e.queue.DeadLetterTopic) {
			_, rest, _ := strings.Cut(string(r.Payload), `"data":{"n":"`)
			n, _, _ := strings.Cut(rest, `"`)
			letters[n] = true
		}
	}
	for i := range e.published {
		if n := strconv.Itoa(i); !e.ended[n] && !letters[n] {
			e.t.Errorf("message %s is lost", n)
		}
	}
}

// keepConsuming runs one consumer after the other until ctx ends.
func (e *episode) keepConsuming(ctx context.Context) {
	for ctx.Err() == nil {
		life, cancel := context.WithCancel(ctx)
		e.mu.Lock()
		over := e.over
		e.mu.Unlock()
		if !over {
			time.AfterFunc(time.Duration(15+e.draw(150))*time.Millisecond, func() {
				e.mu.Lock()
				defer e.mu.Unlock()
				if !e.over {
					cancel()
				}
			})
		}
		newWalked(e).live(life)
		cancel()
		e.count("shutdown")
		// On a loaded machine more consumers would be made than are closed, each of them making the broker slower.
		_ = e.broker.WaitUntil(ctx, func() bool { return e.broker.Consumers(e.queue.Topic, "babelqueue") < closingMost })
	}
}

// closingMost is how many consumers there may be of an episode, most of them closing.
const closingMost = 8

// A walked is one consumer of an episode.
type walked struct {
	*episode

	mu       sync.Mutex
	inside   map[string]int
	finished map[string]finish
	live_    int // by the transitions
	received int
	reports  int
}

// A finish is when and how a message was settled.
type finish struct {
	Settlement
	at time.Time
}

func newWalked(e *episode) *walked {
	return &walked{episode: e, inside: map[string]int{}, finished: map[string]finish{}}
}

type step struct{ N string }

func (w *walked) live(ctx context.Context) {
	definition := Definition[step]{URN: "urn:walk", Queue: w.queue, Codec: payload.Codec[step]{
		Encode: func(*step, *payload.Encoder) {},
		Decode: func(s *step, d *payload.Decoder) {
			for range d.Object {
				d.String(&s.N)
			}
		},
	}}
	options := append(slices.Clone(w.options), WithObserver(Observer{Settled: w.settled}),
		consumerOption(func(c *consumerConfig) { c.trace = w.trace }))
	route := Handle(definition, w.handle)
	if w.batches > 0 {
		route = HandleBatch(definition, w.handleBatch, Batch{Size: w.batches, Wait: 2 * time.Millisecond})
	}
	c, err := NewConsumer(w.client, w.queue, Routes(route), options...)
	if err != nil {
		w.episode.t.Fatal(err)
	}
	w.note(c, true)
	defer w.note(c, false)
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for paused := false; ; {
		select {
		case err = <-done:
			w.ended(err)
			return
		case <-ticker.C:
		}
		w.episode.mu.Lock()
		over := w.episode.over
		w.episode.mu.Unlock()
		switch {
		case paused:
			c.Resume()
			paused = false
		case !over && w.draw(20) == 0:
			c.Pause()
			paused = true
			w.count("pause")
		}
	}
}

// ended checks a consumer after its end: every delivery was reported once. Run does not wait for slow observers, but
// they are told all the same.
func (w *walked) ended(err error) {
	expected := errors.Is(err, context.Canceled) || // it was stopped before it had subscribed
		errors.As(err, new(*StuckError)) || errors.As(err, new(*flow.StopError))
	if err != nil && !expected && !strings.Contains(err.Error(), "ConsumerBusy") {
		w.episode.t.Errorf("Run: %v", err)
	}
	for deadline := time.Now().Add(time.Minute); !w.isTold() && time.Now().Before(deadline); {
		<-time.After(time.Millisecond)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.received != w.reports {
		w.episode.t.Errorf("%d deliveries and %d reports", w.received, w.reports)
	}
	w.walk.mu.Lock()
	w.walk.deliveries += w.received
	w.walk.mu.Unlock()
}

// isTold reports whether there is a report of every delivery.
func (w *walked) isTold() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reports >= w.received
}

func transition(state, event, becomes string) string { return state + ", " + event + ": " + becomes }

// trace is told of every transition.
func (w *walked) trace(state, event, becomes string) {
	w.mu.Lock()
	switch final := becomes == "done" || becomes == "nacked" || becomes == "released"; {
	case event == "received":
		w.received++
		w.live_++
	case final && event != "returned":
		w.live_--
	}
	if w.live_ > w.limit {
		w.episode.t.Errorf("%d messages are not settled, the limit is %d", w.live_, w.limit)
	}
	w.mu.Unlock()
	w.walk.mu.Lock()
	w.transitions[transition(state, event, becomes)]++
	w.walk.mu.Unlock()
}

func (w *walked) settled(s Settlement) {
	id := s.Delivery.Topic + s.Delivery.MessageID.String()
	w.mu.Lock()
	w.reports++
	switch s.Action {
	case Returned, Released:
	default:
		if s.Action != Retried || !w.byNack {
			w.finished[id] = finish{s, time.Now()}
		}
	}
	w.mu.Unlock()
	switch s.Action {
	case Acknowledged, Dropped, DeadLettered, Discarded:
		w.end(s.Delivery.ID)
	}
}

// begin checks that a message may be handled, and notes that it is until leave is called.
func (w *walked) begin(ctx context.Context, m *Message[step]) (leave func()) {
	id := m.Topic + m.MessageID.String()
	w.mu.Lock()
	w.inside[id]++
	if w.inside[id] > 1 {
		w.episode.t.Errorf("message %s is handled twice at a time", id)
	}
	if s, yes := w.finished[id]; yes && ctx.Err() == nil { // or else its time was up just as it began
		w.episode.t.Errorf("message %s is handled again %s after it was %s (%v): %s", id, time.Since(s.at), s.Action,
			s.SettleErr, w.name)
	}
	w.mu.Unlock()
	return func() {
		w.mu.Lock()
		w.inside[id]--
		w.mu.Unlock()
	}
}

func (w *walked) handle(ctx context.Context, m *Message[step]) error {
	defer w.begin(ctx, m)()
	return w.act(ctx)
}

// acts are what a handler does, with how often it does so of a thousand times. The rest of them it succeeds.
var acts = []struct {
	name  string
	often int
	do    func(e *episode, ctx context.Context) error
}{
	{"error", 130, func(*episode, context.Context) error { return errors.New("no") }},
	{"panic", 50, func(*episode, context.Context) error { panic("no") }},
	{"permanent", 30, func(*episode, context.Context) error { return Permanent(errors.New("no")) }},
	{"retry after", 50, func(e *episode, _ context.Context) error { return RetryAfter(e.aMoment(), errors.New("later")) }},
	{"snooze", 20, func(e *episode, _ context.Context) error { return Snooze(e.aMoment()) }},
	{"discard", 20, func(*episode, context.Context) error { return Discard(errors.New("of no use")) }},
	{"stop", 2, func(*episode, context.Context) error { return Stop(errors.New("enough")) }},
	{"goexit", 30, func(*episode, context.Context) error { goruntime.Goexit(); return nil }},
	{"slow", 40, func(e *episode, _ context.Context) error {
		<-time.After(time.Duration(1+e.draw(5)) * time.Millisecond)
		return nil
	}},
	{"waits for its context", 30, func(_ *episode, ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
			return nil
		}
	}},
	{"goes on beyond its time", 80, func(e *episode, _ context.Context) error {
		<-time.After(time.Duration(10+e.draw(120)) * time.Millisecond) // until its acknowledgement is late, too
		return errors.New("late")
	}},
}

func actNames() (names []string) {
	for _, a := range acts {
		names = append(names, a.name)
	}
	return names
}

// aMoment returns a short wait, which is often none.
func (e *episode) aMoment() time.Duration {
	return time.Duration(max(e.draw(8)-4, 0)) * time.Millisecond
}

// act does something at random.
func (e *episode) act(ctx context.Context) error {
	n := e.draw(1000)
	for _, a := range acts {
		if n -= a.often; n < 0 {
			e.count(a.name)
			return a.do(e, ctx)
		}
	}
	return nil
}

// handleBatch handles messages one after the other, up to the first that fails.
func (w *walked) handleBatch(ctx context.Context, batch []*Message[step]) error {
	for _, m := range batch {
		defer w.begin(ctx, m)()
	}
	for i := range batch {
		if err := w.act(ctx); err != nil {
			return FailedAt(i, err)
		}
	}
	return nil
}

// harms are what harm draws, and otherFaults what else goes wrong.
var (
	harms = []string{
		"acknowledgement fails", "acknowledgement is applied and lost", "acknowledgement hangs",
		"acknowledgement is applied and hangs", "send fails", "send is applied and lost", "send hangs", "no producer",
		"receive fails", "disconnect", "unload", "unload",
	}
	otherFaults = []string{"pause", "shutdown"}
)

// harm draws faults until ctx ends, and then takes them all back.
func (e *episode) harm(ctx context.Context) {
	var faults []*bqtest.Fault
	defer func() {
		for _, f := range faults {
			f.Release()
		}
	}()
	lost := errors.New("lost")
	for ctx.Err() == nil {
		select {
		case <-time.After(time.Duration(500+e.draw(3000)) * time.Microsecond):
		case <-ctx.Done():
			return
		}
		topics := []string{e.queue.Topic}
		if e.queue.DeadLetterTopic != "" {
			topics = append(topics, e.queue.DeadLetterTopic)
		}
		byConsumer := func(c bqtest.Call) bool { return c.Producer != "walker" }
		ack, send := bqtest.OnAck(e.queue.Topic), bqtest.OnSend(topics[e.draw(len(topics))]).When(byConsumer)
		var f *bqtest.Fault
		harm := harms[e.draw(len(harms))]
		switch harm {
		case "acknowledgement fails":
			f = ack.Err(lost)
		case "acknowledgement is applied and lost":
			f = ack.Applied().Err(lost)
		case "acknowledgement hangs":
			f = ack.Hang()
		case "acknowledgement is applied and hangs":
			f = ack.Applied().Hang()
		case "send fails":
			f = send.Err(lost)
		case "send is applied and lost":
			f = send.Applied().Err(lost)
		case "send hangs":
			f = send.Hang()
		case "no producer":
			f = bqtest.OnCreateProducer(topics[e.draw(len(topics))]).When(byConsumer).Err(lost)
		case "receive fails":
			f = bqtest.OnReceive(e.queue.Topic).Err(lost)
		case "disconnect":
			e.broker.Drop(e.queue.Topic, "babelqueue")
		case "unload":
			e.broker.Unload(e.queue.Topic)
		}
		e.count(harm)
		if f == nil {
			continue
		}
		faults = append(faults, e.broker.Fail(f.Times(1+e.draw(3))))
		if len(faults) > 6 {
			faults[0].Release()
			faults = faults[1:]
		}
	}
}
