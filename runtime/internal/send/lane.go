package send

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A lane publishes to one topic.
type lane struct {
	pool    *Pool
	topic   string
	used    atomic.Int64
	hanging atomic.Int64  // attempts to create a producer
	stopped chan struct{} // closed by Close when the lane has no messages any more

	// These are set before ready is closed.
	ready    chan struct{}
	err      error // the options are no good
	options  pulsar.ProducerOptions
	guard    guard
	limit    int
	failFast bool // no room is an error at once
	batches  bool
	slow     bool // a batch waits long for more messages
	direct   bool // passing a message to the client runs no user code

	mu       sync.Mutex
	closed   error
	evicted  bool
	producer *producer
	waiting  []*Item // accepted, to be passed to the client, in order
	spare    []*Item
	pending  queue // accepted; the first has no result
	open     int   // accepted without a result
	waiters  []*waiter
	sending  bool // somebody passes messages to the client
	flushing bool // somebody flushes the producer
	again    bool // and shall do so again
	hastened bool // hasten will be called
	timed    bool // expire will be called
	timer    *time.Timer
	unknown  int // messages whose result was not known when the lane was closed

	results  []*Item // with callbacks to be called
	calls    []*Item // that are being called; the first called of them were
	called   int
	uncalled int
	calling  bool // somebody calls callbacks
}

// A waiter waits for room.
type waiter struct {
	it      *Item
	granted bool
	err     error
	wake    chan struct{}
}

const defaultPending = 1000

func newLane(p *Pool, topic string) *lane {
	l := &lane{pool: p, topic: topic, ready: make(chan struct{}), stopped: make(chan struct{})}
	go func() { // it runs the user's functions
		defer close(l.ready)
		l.err = fmt.Errorf("the options of the producer for %s: a function ended its goroutine", topic)
		l.err = l.prepare()
	}()
	return l
}

// prepare finds out how messages are sent to the topic.
func (l *lane) prepare() error {
	options, err := l.pool.config.Options(l.topic)
	if err != nil {
		return fmt.Errorf("create a producer for %s: %w", l.topic, err)
	}
	l.limit = options.MaxPendingMessages
	if l.limit <= 0 {
		l.limit = defaultPending
	}
	l.failFast = options.DisableBlockIfQueueFull
	options.DisableBlockIfQueueFull = true // the lane waits
	l.batches = !options.DisableBatching
	l.slow = options.BatchingMaxPublishDelay > longestStay
	l.guard.interceptors, options.Interceptors = options.Interceptors, nil
	if options.MessageRouter != nil {
		l.guard.routes = true
		options.MessageRouter = l.guard.router(options.MessageRouter)
	}
	l.direct = !l.guard.active() && options.Schema == nil && options.Encryption == nil
	l.options = options
	return nil
}

// fits reports whether there is room for an item. A message with a callback also needs room among the callbacks that
// wait to be called, unless it is published by a callback, which would wait for itself. The caller holds the lock.
func (l *lane) fits(it *Item) bool {
	if it.callback == nil || l.open >= l.limit || l.uncalled < l.limit {
		return l.open < l.limit
	}
	it.nested = insideCallback()
	return it.nested
}

// accept puts an item into the lane, as soon as there is room.
func (l *lane) accept(ctx context.Context, it *Item) error {
	if err := l.awaitReady(ctx); err != nil {
		return err
	}
	if l.err != nil {
		return l.err
	}
	it.lane = l
	l.mu.Lock()
	if err := l.shut(); err != nil {
		l.mu.Unlock()
		return err
	}
	if ctx.Err() != nil {
		l.mu.Unlock()
		return context.Cause(ctx)
	}
	switch {
	case l.fits(it):
		l.open++
	case l.failFast:
		l.mu.Unlock()
		return pulsar.ErrSendQueueIsFull
	default:
		if err := l.wait(ctx, it); err != nil {
			l.mu.Unlock()
			return err
		}
	}
	it.deadline = time.Now().Add(l.pool.config.Timeout)
	it.uses = 2
	if len(l.waiting) > 2*l.limit {
		l.waiting = unfinished(l.waiting)
	}
	l.waiting = append(l.waiting, it)
	l.pending.add(it)
	if !l.timed {
		l.timed = true
		if l.timer == nil {
			l.timer = time.AfterFunc(l.pool.config.Timeout, l.expire)
		} else {
			l.timer.Reset(l.pool.config.Timeout)
		}
	}
	switch {
	case l.sending:
		l.mu.Unlock()
	case l.direct && l.producer != nil:
		l.sending = true
		l.pass(true)
	default:
		l.sending = true
		l.mu.Unlock()
		go l.passOn()
	}
	return nil
}

// awaitReady waits for the options, which are the user's functions' work.
func (l *lane) awaitReady(ctx context.Context) error {
	select {
	case <-l.ready:
		return nil
	default:
	}
	timer := time.NewTimer(l.pool.config.Timeout)
	defer timer.Stop()
	select {
	case <-l.ready:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-l.stopped:
		return l.pool.config.Closed
	case <-timer.C:
		return fmt.Errorf("the functions that set the options of the producer for %s have not returned within %s",
			l.topic, l.pool.config.Timeout)
	}
}

// shut returns why nothing is accepted, or nil. The caller holds the lock.
func (l *lane) shut() error {
	if l.evicted {
		return errEvicted
	}
	return l.closed
}

// wait waits for room. The caller holds the lock, which is let go meanwhile.
func (l *lane) wait(ctx context.Context, it *Item) error {
	w := &waiter{it: it, wake: make(chan struct{})}
	l.waiters = append(l.waiters, w)
	l.hastenSoon()
	l.mu.Unlock()
	select {
	case <-w.wake:
	case <-ctx.Done():
	}
	l.mu.Lock()
	if w.err != nil || w.granted {
		return w.err
	}
	for i, other := range l.waiters {
		if other == w {
			l.waiters = append(l.waiters[:i], l.waiters[i+1:]...)
			break
		}
	}
	return context.Cause(ctx)
}

// longestStay is how long a batch may wait for more messages, also the client's default, when others wait for its room.
// A batch that left at once would be small, since results come many at a time.
const longestStay = 10 * time.Millisecond

// hastenSoon has hasten called if the client does not send its batch by then. The caller holds the lock.
func (l *lane) hastenSoon() {
	if l.batches && l.slow && !l.hastened {
		l.hastened = true
		time.AfterFunc(longestStay, l.hasten)
	}
}

// hasten sends a batch that keeps its room from those who wait.
func (l *lane) hasten() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hastened = false
	if len(l.waiters) > 0 {
		l.flush()
		l.hastenSoon()
	}
}

// release lets those in who wait for room that there is now. The caller holds the lock.
func (l *lane) release() {
	if len(l.waiters) == 0 {
		return
	}
	kept := l.waiters[:0]
	for _, w := range l.waiters {
		it := w.it
		if l.open < l.limit && (it.callback == nil || it.nested || l.uncalled < l.limit) {
			l.open++
			w.granted = true
			close(w.wake)
		} else {
			kept = append(kept, w)
		}
	}
	clear(l.waiters[len(kept):])
	l.waiters = kept
}

// withdraw takes back an item that nobody waits for any more, and returns cause. If its result is known, withdraw
// returns nil.
func (l *lane) withdraw(it *Item, cause error) error {
	l.mu.Lock()
	if it.finished {
		l.mu.Unlock()
		return nil
	}
	if !it.withdraw() {
		l.mu.Unlock()
		return fmt.Errorf("not confirmed yet: %w", cause)
	}
	l.settle(it, nil, cause)
	l.after()
	return fmt.Errorf("not sent: %w", cause)
}

// finish takes in the result of an item.
func (l *lane) finish(it *Item, id pulsar.MessageID, err error) {
	l.mu.Lock()
	if it.finished {
		l.mu.Unlock()
		return
	}
	l.settle(it, id, err)
	var gone *producer
	if p := it.producer; err != nil && p != nil && p == l.producer && !isHarmless(err) {
		gone = p
		l.retire(p)
	}
	l.after()
	if gone != nil {
		l.pool.discard(gone)
	}
}

// settle notes the result of an item and has its callback called. The caller holds the lock.
func (l *lane) settle(it *Item, id pulsar.MessageID, err error) {
	it.finished, it.id, it.err = true, id, err
	l.open--
	if err != nil && l.closed != nil && it.stage.Load() == passed && !isHarmless(err) {
		l.unknown++
	}
	it.reach(false)
	if it.done != nil {
		close(it.done)
	}
	if it.callback != nil || len(l.guard.interceptors) > 0 && err == nil {
		l.queue(it)
	}
}

// after tidies up after results, tells those who wait, and lets go of the lock.
func (l *lane) after() {
	for it := l.pending.first(); it != nil && it.finished; it = l.pending.first() {
		l.pending.remove()
		l.drop(it)
	}
	if pending := l.pending.all(); len(pending) > 4*l.limit {
		l.pending = queue{items: unfinished(pending)}
	}
	l.release()
	idle := l.isIdleLocked()
	l.mu.Unlock()
	if idle {
		l.pool.idle()
	}
}

// drop notes that one use of an item is over, and frees it after the last one, if nothing else can know it: the client
// has confirmed it, keeps nothing, and ran no user code. The caller holds the lock.
func (l *lane) drop(it *Item) {
	it.uses--
	if it.uses == 0 && it.callback != nil && it.err == nil && l.direct && it.producer.forgets {
		it.callback.Free()
	}
}

// unfinished returns the items without a result, in a slice of their own.
func unfinished(items []*Item) []*Item {
	var kept []*Item
	for _, it := range items {
		if !it.finished {
			kept = append(kept, it)
		}
	}
	return kept
}

// expire fails the items whose time is up.
func (l *lane) expire() {
	l.mu.Lock()
	l.timed = false
	now := time.Now()
	var late []*Item
	for _, it := range l.pending.all() {
		if it.finished {
			continue
		}
		if left := it.deadline.Sub(now); left > 0 {
			l.timed = true
			l.timer.Reset(left)
			break
		}
		it.withdraw()
		it.uses++ // and never less: a late message is not used again
		late = append(late, it)
	}
	l.mu.Unlock()
	for _, it := range late {
		l.finish(it, nil, fmt.Errorf("no confirmation within %s: %w", l.pool.config.Timeout, context.DeadlineExceeded))
	}
}

func (l *lane) isIdle() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.isIdleLocked()
}

func (l *lane) isIdleLocked() bool {
	return l.open == 0 && l.uncalled == 0 && len(l.waiters) == 0 && !l.sending && !l.calling && !l.flushing
}

// leave makes a lane that is not in use accept nothing more, and returns its producer.
func (l *lane) leave() (*producer, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isIdleLocked() {
		return nil, false
	}
	l.evicted = true
	return l.abandon(), true
}

// mark has m wait for everything accepted so far.
func (l *lane) mark(m *mark) {
	l.mu.Lock()
	defer l.mu.Unlock()
	add := func(it *Item) {
		m.left.Add(1)
		it.marks = append(it.marks, m)
	}
	for _, it := range l.pending.all() {
		if !it.finished {
			add(it)
		}
	}
	if !m.atResult {
		for _, it := range l.calls[l.called:] {
			add(it)
		}
		for _, it := range l.results {
			add(it)
		}
	}
	l.flush()
}

// stop accepts nothing more: it is Close's.
func (l *lane) stop(closed error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = closed
	for _, w := range l.waiters {
		w.err = closed
		close(w.wake)
	}
	l.waiters = nil
}

// giveUp fails everything without a result with err and returns how many results are unknown.
func (l *lane) giveUp(err error) int {
	l.mu.Lock()
	for _, it := range l.pending.all() {
		if !it.finished {
			it.withdraw()
			l.settle(it, nil, err)
		}
	}
	unknown := l.unknown
	l.after()
	close(l.stopped)
	return unknown
}

// end returns the producer, which the lane has no more use for.
func (l *lane) end() *producer {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.abandon()
}

// abandon returns the producer, and stops the timer, which would keep the lane in memory. The caller holds the lock.
func (l *lane) abandon() *producer {
	if l.timer != nil {
		l.timer.Stop()
	}
	p := l.producer
	l.producer = nil
	return p
}
