package send

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A Config is what a Pool is told by package bq.
type Config struct {
	Create   func(pulsar.ProducerOptions) (pulsar.Producer, error)
	Options  func(topic string) (pulsar.ProducerOptions, error) // of the topic's producers; asked once for each lane
	Forgets  func(pulsar.Producer) bool                         // it keeps nothing of a message that it has confirmed
	Timeout  time.Duration                                      // from a message's acceptance to its result
	Most     int                                                // producers that are kept when they are not in use
	Protect  func(func() error) error                           // turns panics into errors
	Panicked func(value any) error                              // turns what was recovered into an error
	Report   func(what string, err error)                       // of what no caller is told
	Closed   error                                              // the error after Close
}

// A Pool publishes messages to any topic.
type Pool struct {
	config Config
	uses   atomic.Int64
	over   atomic.Bool // there may be more lanes than are kept

	mu      sync.RWMutex
	lanes   map[string]*lane
	closed  bool
	closing map[*producer]struct{} // producers that are being closed
	ended   chan struct{}          // closed when the first Close is done
}

// NewPool returns a Pool. It does nothing before a message is published.
func NewPool(c Config) *Pool {
	return &Pool{config: c, lanes: make(map[string]*lane), closing: make(map[*producer]struct{}),
		ended: make(chan struct{})}
}

// errEvicted says that a lane has left the pool: the topic has another one by now, or none.
var errEvicted = errors.New("the lane has left the pool")

// Start accepts a message that somebody waits for. It waits for room until ctx ends.
func (p *Pool) Start(ctx context.Context, topic string, it *Item, urgent bool) error {
	it.done, it.urgent = make(chan struct{}), urgent
	return p.accept(ctx, topic, it)
}

// Wait returns the result of a message that Start has accepted. If ctx ends first, the message is not sent any more if
// it has not been passed to the client; otherwise it may be stored.
func (it *Item) Wait(ctx context.Context) (pulsar.MessageID, error) {
	select {
	case <-it.done:
	case <-ctx.Done():
		if err := it.lane.withdraw(it, context.Cause(ctx)); err != nil {
			return nil, err
		}
	}
	return it.id, it.err
}

// Nudge sends what waits in batches for a topic.
func (p *Pool) Nudge(topic string) {
	p.mu.RLock()
	l := p.lanes[topic]
	p.mu.RUnlock()
	if l != nil {
		l.mu.Lock()
		l.flush()
		l.mu.Unlock()
	}
}

// Async accepts a message and has done called with its result, exactly once, on a goroutine of the pool's, also if the
// message is not accepted.
func (p *Pool) Async(ctx context.Context, topic string, it *Item, done Callback) {
	it.callback = done
	if err := p.accept(ctx, topic, it); err != nil {
		p.Fail(topic, done, err)
	}
}

// Fail has done called with an error as if a message for the topic had failed.
func (p *Pool) Fail(topic string, done Callback, err error) {
	it := &Item{callback: done, finished: true, err: err}
	p.mu.RLock()
	l := p.lanes[topic]
	p.mu.RUnlock()
	if l != nil && l.fail(it) {
		return
	}
	go p.invoke(it)
}

func (p *Pool) accept(ctx context.Context, topic string, it *Item) error {
	for {
		l, err := p.lane(topic)
		if err != nil {
			return err
		}
		if err := l.accept(ctx, it); !errors.Is(err, errEvicted) {
			return err
		}
	}
}

// lane returns the lane of a topic.
func (p *Pool) lane(topic string) (*lane, error) {
	p.mu.RLock()
	l, closed := p.lanes[topic], p.closed
	p.mu.RUnlock()
	if closed {
		return nil, p.config.Closed
	}
	if l != nil {
		l.used.Store(p.uses.Add(1))
		return l, nil
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, p.config.Closed
	}
	l = p.lanes[topic]
	if l == nil {
		l = newLane(p, topic)
		p.lanes[topic] = l
	}
	l.used.Store(p.uses.Add(1))
	evicted := p.evict(l)
	p.mu.Unlock()
	for _, producer := range evicted {
		go p.end(producer)
	}
	return l, nil
}

// evict takes lanes that are not in use out of the pool, the one that was not used for longest first, until there are
// no more than are kept, and returns their producers. The caller holds the lock.
func (p *Pool) evict(except *lane) []*producer {
	var evicted []*producer
	for len(p.lanes) > p.config.Most {
		var oldest *lane
		for _, l := range p.lanes {
			if l != except && (oldest == nil || l.used.Load() < oldest.used.Load()) && l.isIdle() {
				oldest = l
			}
		}
		if oldest == nil {
			break
		}
		producer, ok := oldest.leave()
		if !ok {
			continue
		}
		delete(p.lanes, oldest.topic)
		if producer != nil {
			p.closing[producer] = struct{}{}
			evicted = append(evicted, producer)
		}
	}
	p.over.Store(len(p.lanes) > p.config.Most)
	return evicted
}

// idle is called when a lane is not in use any more.
func (p *Pool) idle() {
	if !p.over.Load() {
		return
	}
	p.mu.Lock()
	evicted := p.evict(nil)
	p.mu.Unlock()
	for _, producer := range evicted {
		go p.end(producer)
	}
}

// end closes a producer. It is in p.closing meanwhile.
func (p *Pool) end(producer *producer) {
	_ = p.config.Protect(func() error { producer.end(); return nil })
	close(producer.ended)
	p.mu.Lock()
	delete(p.closing, producer)
	p.mu.Unlock()
}

// discard closes a producer in the background.
func (p *Pool) discard(producer *producer) {
	p.mu.Lock()
	p.closing[producer] = struct{}{}
	p.mu.Unlock()
	go p.end(producer)
}

func (p *Pool) all() []*lane {
	p.mu.RLock()
	defer p.mu.RUnlock()
	all := make([]*lane, 0, len(p.lanes))
	for _, l := range p.lanes {
		all = append(all, l)
	}
	return all
}

// Flush sends what waits in batches, and waits until the results of all messages accepted so far are known and their
// callbacks have returned. Inside a callback it does not wait for callbacks.
func (p *Pool) Flush(ctx context.Context) error {
	p.mu.RLock()
	closed := p.closed
	p.mu.RUnlock()
	if closed {
		return p.config.Closed
	}
	return p.wait(ctx)
}

func (p *Pool) wait(ctx context.Context) error {
	m := newMark(insideCallback())
	for _, l := range p.all() {
		l.mark(m)
	}
	m.reached()
	select {
	case <-m.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// closeMargin is the part of Close's time that is left for closing producers.
const closeMargin = time.Second

// Close accepts no more messages, waits for the results of all, and closes the producers, side by side, within limit
// and before ctx ends. What has no result then fails.
func (p *Pool) Close(ctx context.Context, limit time.Duration) error {
	late := fmt.Errorf("it took longer than %s: %w", limit, context.DeadlineExceeded)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, late)
	defer cancel()
	p.mu.Lock()
	first := !p.closed
	p.closed = true
	p.mu.Unlock()
	if !first {
		if insideCallback() {
			return nil
		}
		select {
		case <-p.ended:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	defer close(p.ended)
	lanes := p.all()
	for _, l := range lanes {
		l.stop(p.config.Closed)
	}
	left := time.Until(deadlineOf(ctx))
	results, stop := context.WithTimeoutCause(ctx, left-min(closeMargin, left/4), late)
	defer stop()
	unsettled := p.wait(results)
	unknown := 0
	for _, l := range lanes {
		unknown += l.giveUp(fmt.Errorf("the publishers were closed before it was confirmed: %w", p.config.Closed))
	}
	if unsettled != nil { // their callbacks are called now
		short, stop := context.WithTimeout(ctx, closeMargin/4)
		defer stop()
		_ = p.wait(short)
	}
	var errs []error
	if unknown > 0 {
		errs = append(errs, fmt.Errorf("%d messages were not confirmed; whether they are stored is unknown", unknown))
		var stop context.CancelFunc // the broker will hardly answer now
		ctx, stop = context.WithTimeout(ctx, closeMargin)
		defer stop()
	}
	if err := p.endAll(ctx, lanes); err != nil {
		errs = append(errs, fmt.Errorf("the client is still closing producers: %w", err))
	}
	return errors.Join(errs...)
}

func deadlineOf(ctx context.Context) time.Time {
	deadline, _ := ctx.Deadline()
	return deadline
}

// endAll closes all producers and waits for them.
func (p *Pool) endAll(ctx context.Context, lanes []*lane) error {
	for _, l := range lanes {
		if producer := l.end(); producer != nil {
			p.discard(producer)
		}
	}
	p.mu.RLock()
	var all []*producer
	for producer := range p.closing {
		all = append(all, producer)
	}
	p.mu.RUnlock()
	for _, producer := range all {
		select {
		case <-producer.ended:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
