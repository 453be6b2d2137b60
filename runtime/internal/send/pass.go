package send

import (
	"context"
	"time"
)

// The client has no room when its memory limit, which all its producers share, is reached, or with messages in chunks.
const (
	shortestWait = 2 * time.Millisecond
	longestWait  = 200 * time.Millisecond
)

// passOn is pass on a goroutine of its own.
func (l *lane) passOn() {
	l.mu.Lock()
	l.pass(false)
}

// pass passes what waits to the client, in order. Once lets another goroutine go on after the first time: it is
// somebody who wants to publish one message. The caller holds the lock, which pass lets go of.
func (l *lane) pass(once bool) {
	wait := shortestWait
	for first := true; len(l.waiting) > 0; first = false {
		p := l.producer
		if once && (!first || p == nil) {
			l.mu.Unlock()
			go l.passOn()
			return
		}
		if p == nil {
			l.mu.Unlock()
			if _, err := l.obtain(); err != nil {
				l.failWaiting(err)
			}
			l.mu.Lock()
			continue
		}
		items := l.waiting
		l.waiting, l.spare = l.spare[:0], nil
		for _, it := range items {
			it.producer = p
		}
		l.mu.Unlock()
		n, urgent := l.passAll(p, items)
		l.mu.Lock()
		if n < len(items) {
			rest := unfinished(items[n:])
			for _, it := range rest {
				it.producer = nil
			}
			l.waiting = append(rest, l.waiting...)
		}
		if urgent || marked(items[:n]) {
			l.flush()
		}
		for _, it := range items[:n] {
			l.drop(it)
		}
		clear(items)
		l.spare = items[:0]
		if n == len(items) || l.producer != p {
			wait = shortestWait
			continue
		}
		l.mu.Unlock()
		if once {
			go l.passOn()
			return
		}
		time.Sleep(wait)
		wait = min(2*wait, longestWait)
		l.mu.Lock()
	}
	l.sending = false
	l.after()
}

// marked reports whether somebody waits for one of the items.
func marked(items []*Item) bool {
	for _, it := range items {
		if len(it.marks) > 0 {
			return true
		}
	}
	return false
}

// passAll passes items to a producer and returns how many: all, unless the client has no room or the producer was
// replaced. It also reports whether one of them is urgent.
func (l *lane) passAll(p *producer, items []*Item) (n int, urgent bool) {
	for i, it := range items {
		if p.gone.Load() {
			return i, urgent
		}
		if !it.stage.CompareAndSwap(accepted, passed) {
			continue
		}
		err := l.guard.before(l, p, it)
		if err == nil {
			err = l.send(p, it)
		}
		if err != nil {
			l.finish(it, nil, err)
		}
		if it.full.Load() {
			it.full.Store(false)
			it.stage.CompareAndSwap(passed, accepted)
			return i, urgent
		}
		urgent = urgent || it.urgent
	}
	return len(items), urgent
}

// send passes an item to the client and returns what its router refused.
func (l *lane) send(p *producer, it *Item) (err error) {
	defer func() {
		if value := recover(); value != nil {
			if refused, ok := value.(refusal); ok {
				err = refused.err
				return
			}
			err = l.pool.config.Panicked(value)
		}
	}()
	l.guard.current = it
	if it.told == nil {
		it.told = it.confirmed
	}
	p.SendAsync(context.Background(), &it.Message, it.told)
	return nil
}

// failWaiting fails what waits for a producer.
func (l *lane) failWaiting(err error) {
	l.mu.Lock()
	for _, it := range l.waiting {
		if !it.finished {
			l.settle(it, nil, err)
		}
	}
	clear(l.waiting)
	l.waiting = l.waiting[:0]
	l.after()
}

// flush has the producer send what waits in its batch. One flush is under way at a time, so what comes meanwhile is a
// batch of its own. The caller holds the lock.
func (l *lane) flush() {
	switch {
	case !l.batches || l.producer == nil:
	case l.flushing:
		l.again = true
	default:
		l.flushing = true
		go l.flushAll(l.producer)
	}
}

func (l *lane) flushAll(p *producer) {
	for p != nil {
		_ = l.pool.config.Protect(func() error { return p.flush(l.pool.config.Timeout) })
		l.mu.Lock()
		p = l.producer
		if !l.again {
			p = nil
		}
		l.again = false
		if p == nil {
			l.flushing = false
		}
		l.mu.Unlock()
	}
	l.pool.idle()
}
