package scan

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/reader"
)

// A merger puts the messages of partitions in an order.
type merger struct {
	mu      sync.Mutex
	lanes   []*lane
	changed chan struct{} // a lane came, or has something
	running sync.WaitGroup
}

// A lane is one partition.
type lane struct {
	partition string
	ch        chan pulsar.Message
	err       error // set before ch is closed
	head      pulsar.Message
	done      bool
	slow      bool // it was waited for once
}

func (m *merger) add(ctx context.Context, o Options, partition string) {
	l := &lane{partition: partition, ch: make(chan pulsar.Message, atHand)}
	m.mu.Lock()
	m.lanes = append(m.lanes, l)
	m.mu.Unlock()
	m.running.Add(1)
	go func() {
		defer m.running.Done()
		defer m.signal()
		defer close(l.ch)
		err := o.read(ctx, partition, func(msg pulsar.Message) {
			select {
			case l.ch <- msg:
				m.signal()
			case <-ctx.Done():
			}
		})
		if err != nil && ctx.Err() == nil {
			l.err = &PartitionError{partition, err}
		}
	}()
}

func (m *merger) signal() {
	select {
	case m.changed <- struct{}{}:
	default:
	}
}

func (m *merger) wait() { m.running.Wait() }

// grow adds partitions that come while a topic is followed. It counts as running, so that wait waits for what it adds.
func (m *merger) grow(ctx context.Context, o Options, known []string) {
	ticker := time.NewTicker(growth)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now, err := reader.Ask(ctx, timeout, func() ([]string, error) { return o.Client.TopicPartitions(o.Topic) }, nil)
		if err != nil {
			continue // the topic is followed as it was known
		}
		for _, p := range now {
			if !slices.Contains(known, p) {
				known = append(known, p)
				fresh := o
				fresh.Since, fresh.After = time.Time{}, nil // all of it is new
				m.add(ctx, fresh, p)
			}
		}
	}
}

// next returns the earliest message that is at hand; nil at the end. A lane that has nothing yet is waited for once. A
// topic that is followed is shown as it comes.
func (m *merger) next(ctx context.Context, follow bool) (pulsar.Message, error) {
	deadline := time.NewTimer(together)
	defer deadline.Stop()
	for {
		first, waiting, open, failed := m.look()
		switch {
		case first != nil && (!waiting || follow):
			msg := first.head
			first.head = nil
			return msg, nil
		case first == nil && failed != nil && (follow || !open): // what is followed has no other end to say so
			return nil, failed
		case first == nil && !open && !follow:
			return nil, ctx.Err()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-deadline.C:
			m.giveUpWaiting()
		case <-m.changed:
		}
	}
}

// look fills the heads of the lanes without waiting. It returns the lane with the earliest message, whether a lane is
// worth waiting for, whether any lane may still have something, and the error of one that failed.
func (m *merger) look() (first *lane, waiting, open bool, failed error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range m.lanes {
		if l.head == nil && !l.done {
			select {
			case msg, ok := <-l.ch:
				l.head, l.done = msg, !ok
			default:
				open = true
				waiting = waiting || !l.slow
			}
		}
		if l.done && l.err != nil && failed == nil {
			failed = l.err
		}
		if l.head != nil && (first == nil || l.head.PublishTime().Before(first.head.PublishTime())) {
			first = l
		}
	}
	return first, waiting, open, failed
}

func (m *merger) giveUpWaiting() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range m.lanes {
		l.slow = l.slow || l.head == nil
	}
}
