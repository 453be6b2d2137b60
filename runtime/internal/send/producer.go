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

// A producer is a Pulsar producer of a lane.
type producer struct {
	pulsar.Producer
	ended   chan struct{} // closed when it is closed
	gone    atomic.Bool   // the lane has another one
	forgets bool          // it keeps nothing of a message that it has confirmed

	mu        sync.Mutex
	closing   bool
	stopFlush context.CancelFunc // of the flush that is under way; nil if there is none
	flushed   chan struct{}      // closed when that has returned
}

// flush flushes the producer, for limit at most. One flush may be under way at a time. The client's Close must not meet
// it: the client would send on a channel that it closes.
func (p *producer) flush(limit time.Duration) error {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	flushed := make(chan struct{})
	defer close(flushed)
	p.mu.Lock()
	if p.closing {
		p.mu.Unlock()
		return nil
	}
	p.stopFlush, p.flushed = stop, flushed
	p.mu.Unlock()
	return p.FlushWithCtx(ctx)
}

// end ends a flush that is under way, and closes the producer.
func (p *producer) end() {
	p.mu.Lock()
	p.closing = true
	stop, flushed := p.stopFlush, p.flushed
	p.mu.Unlock()
	if stop != nil {
		stop()
		<-flushed
	}
	p.Close()
}

// mostHanging is how many attempts to create a producer may hang. Another would hang too.
const mostHanging = 3

// errGone is the result of messages whose producer had to be replaced.
var errGone = errors.New("its producer was replaced after another message had failed, so no confirmation arrives")

// obtain returns the lane's producer or a new one. If creating one takes longer than the send timeout, it is given up
// and tried again. Only the lane's sender calls it.
func (l *lane) obtain() (*producer, error) {
	type result struct {
		producer pulsar.Producer
		err      error
	}
	if l.options.ProducerAccessMode != pulsar.ProducerAccessModeShared {
		l.pool.awaitClosed(l.topic, l.pool.config.Timeout)
	}
	for {
		created := make(chan result)
		abandoned, abandon := context.WithCancel(context.Background())
		l.hanging.Add(1)
		go func() {
			var r result
			r.err = l.pool.config.Protect(func() (err error) {
				r.producer, err = l.pool.config.Create(l.options)
				return err
			})
			l.hanging.Add(-1)
			select {
			case created <- r:
			case <-abandoned.Done():
				if r.err == nil {
					_ = l.pool.config.Protect(func() error { r.producer.Close(); return nil })
				}
			}
		}()
		timer := time.NewTimer(l.pool.config.Timeout)
		for {
			select {
			case r := <-created:
				timer.Stop()
				abandon()
				if r.err != nil {
					return nil, fmt.Errorf("create a producer for %s: %w", l.topic, r.err)
				}
				return l.adopt(r.producer), nil
			case <-timer.C:
				if l.hanging.Load() >= mostHanging {
					timer.Reset(l.pool.config.Timeout)
					continue
				}
			case <-l.stopped:
				timer.Stop()
				abandon()
				return nil, l.pool.config.Closed
			}
			break
		}
		abandon()
	}
}

// adopt makes a producer the lane's.
func (l *lane) adopt(created pulsar.Producer) *producer {
	p := &producer{Producer: created, ended: make(chan struct{}), forgets: l.pool.config.Forgets(created)}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.producer = p
	return p
}

// retire takes a producer that is of no use any more from its lane. The results of what was passed to it cannot become
// known; the caller, who holds the lock, closes it.
func (l *lane) retire(p *producer) {
	l.producer = nil
	p.gone.Store(true)
	for _, it := range l.pending.all() {
		if !it.finished && it.producer == p && it.stage.Load() == passed {
			l.settle(it, nil, errGone)
		}
	}
}

// awaitClosed waits until the producers of a topic that are being closed are closed.
func (p *Pool) awaitClosed(topic string, limit time.Duration) {
	p.mu.RLock()
	var closing []*producer
	for producer := range p.closing {
		if producer.Topic() == topic {
			closing = append(closing, producer)
		}
	}
	p.mu.RUnlock()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for _, producer := range closing {
		select {
		case <-producer.ended:
		case <-timer.C:
			return
		}
	}
}
