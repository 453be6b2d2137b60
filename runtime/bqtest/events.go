package bqtest

import (
	"sync"

	"github.com/apache/pulsar-client-go/pulsar"
)

// events is what the event listeners of a client's consumers are still to be told. The real client tells them on its
// connection, so they are told one after the other and in the order in which things happened, whoever made them happen:
// a consumer that was told last that it is inactive would wait for ever for the messages of a broker that takes it for
// the active one.
type events struct {
	mu      sync.Mutex
	waiting []func()
	telling bool
}

// listen has the consumer's event listener told, once the lock is free.
func (l *link) listen(event func(pulsar.ConsumerEventListener, pulsar.Consumer, string, int32)) {
	listener := l.c.opts.EventListener
	if listener == nil || l.c.opts.Type != pulsar.Failover {
		return
	}
	e := &l.c.cl.events
	e.mu.Lock()
	e.waiting = append(e.waiting, func() { event(listener, l.c.self, l.topic.name.Full, l.index) })
	e.mu.Unlock()
	l.c.b.later(e.tell)
}

// tell tells listeners what waits, unless somebody does so already.
func (e *events) tell() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.telling {
		return
	}
	e.telling = true
	defer func() { e.telling = false }()
	for len(e.waiting) > 0 {
		next := e.waiting[0]
		e.waiting = e.waiting[1:]
		e.call(next)
	}
}

// call calls a listener without the lock, even if the listener panics or ends its goroutine.
func (e *events) call(listener func()) {
	e.mu.Unlock()
	defer e.mu.Lock()
	listener()
}
