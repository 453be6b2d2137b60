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

// Broker is an Apache Pulsar broker in memory. It is safe for concurrent use.
// Make one with [NewBroker] or [New].
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
	clients    map[*client]struct{}
	faults     []*Fault
	violations []string
	lastLedger int64
	lastName   int
}

// NewBroker makes a broker for a test. It is closed when the test ends, with
// all its clients; misuse of a client is reported through t.Errorf.
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
		clients:        map[*client]struct{}{},
	}
	for _, o := range opts {
		o(b)
	}
	return b
}

// Client connects a new client. Close it, or leave that to [Broker.Close].
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

// Close closes all clients and ends what waits on the broker. Further calls do
// nothing.
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

// CreatePartitioned makes a partitioned topic of n partitions, as an
// administrator would: topics that come to be by use are not partitioned. It
// is an error if the topic exists or n is less than 1.
func (b *Broker) CreatePartitioned(name string, n int) error {
	tn, err := parseTopic(name)
	if err != nil {
		return err
	}
	if tn.partition >= 0 {
		return fmt.Errorf("create partitioned topic %q: the name is that of a partition", name)
	}
	if n < 1 {
		return fmt.Errorf("create partitioned topic %q: %d partitions, want at least 1", name, n)
	}
	b.lock()
	defer b.unlock()
	if b.partitions[tn.base] > 0 || b.topics[tn.base] != nil {
		return fmt.Errorf("create partitioned topic %q: it exists", name)
	}
	b.partitions[tn.base] = n
	for _, p := range b.topicNames(tn) {
		b.topic(p)
	}
	return nil
}

// topicNames lists the topics that a name stands for: its partitions, or
// itself.
func (b *Broker) topicNames(tn topicName) []topicName {
	n := b.partitions[tn.full]
	if n == 0 {
		return []topicName{tn}
	}
	names := make([]topicName, n)
	for i := range names {
		names[i] = topicName{full: fmt.Sprintf("%s%s%d", tn.base, partitionMark, i), base: tn.base, partition: i}
	}
	return names
}

func (b *Broker) lock() { b.mu.Lock() }

// unlock frees the lock and then runs what may not run under it: callbacks and
// listeners of the user's, and reports to the test.
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

// violate records misuse that Pulsar itself would let pass in silence.
func (b *Broker) violate(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	b.violations = append(b.violations, text)
	b.notify()
	if tb := b.tb; tb != nil && !b.closed {
		b.later(func() { tb.Errorf("bqtest: %s", text) })
	}
}

// Violations lists the misuse found so far: messages settled twice or by a
// consumer that had not received them. In a test each has also been reported
// by t.Errorf.
func (b *Broker) Violations() []string {
	b.lock()
	defer b.unlock()
	return append([]string(nil), b.violations...)
}
