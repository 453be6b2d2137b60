package bqtest

import (
	"fmt"
	"sync"

	"github.com/apache/pulsar-client-go/pulsar"
)

// TB is the part of *testing.T that a [Broker] uses.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Cleanup(func())
}

// Broker is an Apache Pulsar broker in memory. It is safe for concurrent use. Make one with [NewBroker] or [New].
type Broker struct {
	tb               TB // nil outside of tests
	retention        bool
	maxMessageSize   int
	countDisconnects bool

	mu         sync.Mutex
	timers     timers
	changed    signal
	after      []func() // to run once the lock is free
	closed     bool
	down       bool
	topics     map[string]*topic // by full name
	partitions map[string]int    // by base name: how many
	namespaces map[string]Namespace
	policies   map[string]Policies             // by full name, or base name
	schemas    map[string][]*pulsar.SchemaInfo // the versions of each topic, by base name
	clients    map[*client]struct{}
	faults     []*Fault
	violations []string
	lastLedger int64
	lastName   int
}

// NewBroker makes a broker for a test. When the test ends, the broker and all its clients are closed. Misuse of a
// client is reported with t.Errorf.
func NewBroker(t TB, opts ...Option) *Broker {
	t.Helper()
	b := New(opts...)
	b.tb = t
	t.Cleanup(b.Close)
	return b
}

// New makes a broker for a program. Close it when it is no longer needed.
func New(opts ...Option) *Broker {
	b := &Broker{
		maxMessageSize: DefaultMaxMessageSize,
		topics:         map[string]*topic{},
		partitions:     map[string]int{},
		namespaces:     map[string]Namespace{defaultNamespace: {}},
		policies:       map[string]Policies{},
		schemas:        map[string][]*pulsar.SchemaInfo{},
		clients:        map[*client]struct{}{},
	}
	for _, o := range opts {
		o(b)
	}
	return b
}

// Client connects a new client. [Broker.Close] closes it, unless it is closed before.
func (b *Broker) Client() pulsar.Client {
	b.lock()
	defer b.unlock()
	c := &client{b: b, parts: map[closer]struct{}{}, done: make(chan struct{})}
	if b.closed {
		c.closed = true
		close(c.done)
		return c
	}
	b.clients[c] = struct{}{}
	return c
}

// Close closes all clients and ends everything that waits for the broker. Calling it again does nothing.
func (b *Broker) Close() {
	b.lock()
	if b.closed {
		b.unlock()
		return
	}
	b.closed = true
	for _, f := range b.faults {
		f.abandon()
	}
	b.faults = nil
	clients := make([]*client, 0, len(b.clients))
	for c := range b.clients {
		clients = append(clients, c)
	}
	b.timers.stop()
	b.unlock()
	for _, c := range clients {
		c.Close()
	}
}

func (b *Broker) lock() { b.mu.Lock() }

// unlock frees the lock and then runs what may not run under it: callbacks and listeners of the user's, and reports to
// the test.
func (b *Broker) unlock() {
	fns := b.after
	b.after = nil
	b.mu.Unlock()
	for _, fn := range fns {
		fn()
	}
}

func (b *Broker) later(fn func()) { b.after = append(b.after, fn) }

// notify tells those in WaitUntil that something changed.
func (b *Broker) notify() { b.changed.fire() }

// violate records misuse that Pulsar itself passes over in silence.
func (b *Broker) violate(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	b.violations = append(b.violations, text)
	b.notify()
	if tb := b.tb; tb != nil && !b.closed {
		b.later(func() { tb.Errorf("bqtest: %s", text) })
	}
}

// Violations returns the misuse found so far: messages settled twice, or by a consumer that had not received them. In a
// test each of them was also reported with t.Errorf.
func (b *Broker) Violations() []string {
	b.lock()
	defer b.unlock()
	return append([]string(nil), b.violations...)
}
