package deadletters

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A sender sends to one topic, and waits for the broker as long as that can help.
type sender struct {
	client   pulsar.Client
	target   string
	name     string // of the producer, if the broker deduplicates
	producer pulsar.Producer
	waiting  func(since time.Time, why error)
}

// patience is after how long without a confirmation the cause is looked for.
const patience = 10 * time.Second

// A result is what became of one message.
type result struct {
	index int
	err   error // nil if the broker has it
}

// open makes the producer.
func (s *sender) open() error {
	p, err := s.client.CreateProducer(s.options(s.name))
	if err != nil {
		return fmt.Errorf("send to %s: %w", s.target, err)
	}
	s.producer = p
	return nil
}

func (s *sender) options(name string) pulsar.ProducerOptions {
	o := pulsar.ProducerOptions{
		Topic: s.target, Name: name, DisableBatching: true, EnableChunking: true,
		SendTimeout: -1, // the client sends again when it is connected again; what is unsure stays with it
	}
	if name != "" {
		o.MessageRouter = sameAgain(pulsar.NewDefaultRouter(javaHash, 1, 1, time.Millisecond, true))
	}
	return o
}

// sameAgain routes a message without a key by its sequence id, so that it goes to the same partition if it is sent
// again under the same id.
func sameAgain(
	byKey func(*pulsar.ProducerMessage, uint32) int,
) func(*pulsar.ProducerMessage, pulsar.TopicMetadata) int {
	return func(m *pulsar.ProducerMessage, t pulsar.TopicMetadata) int {
		if m.Key == "" && m.OrderingKey == "" && m.SequenceID != nil {
			return int(*m.SequenceID % int64(t.NumPartitions()))
		}
		return byKey(m, t.NumPartitions())
	}
}

// javaHash is the hash by which producers route keys, unless they are told otherwise.
func javaHash(s string) uint32 {
	var h uint32
	for i := range len(s) {
		h = 31*h + uint32(s[i])
	}
	return h
}

// send sends messages and returns what became of each. pace is called before each. If the context ends, it waits for
// what was sent a while longer.
func (s *sender) send(
	ctx context.Context, messages []*pulsar.ProducerMessage, pace func(context.Context) error,
) ([]error, error) {
	errs := make([]error, len(messages))
	results := make(chan result, len(messages))
	sent := 0
	for i, m := range messages {
		if pace(ctx) != nil {
			break // what was not sent is not lost
		}
		sent++
		s.producer.SendAsync(context.WithoutCancel(ctx), m,
			func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) { results <- result{i, err} })
	}
	for i := sent; i < len(messages); i++ {
		errs[i] = errNotSent
	}
	open := make([]bool, len(messages))
	for i := range sent {
		open[i] = true
	}
	since := time.Now()
	ticker := time.NewTicker(patience)
	defer ticker.Stop()
	stop := stopAfter(ctx, stopGrace)
	defer stop.cancel()
	for range sent {
		for got := false; !got; {
			select {
			case r := <-results:
				errs[r.index], open[r.index], got = r.err, false, true
			case <-stop.over:
				return unsure(errs, open), ctx.Err()
			case <-ticker.C:
				if err := s.diagnose(); isFinal(err) {
					return unsure(errs, open), fmt.Errorf("send to %s: %w", s.target, err)
				} else if s.waiting != nil {
					s.waiting(since, err)
				}
			}
		}
	}
	return errs, s.renew(errs)
}

// stopGrace is how long a run that is stopped waits for what it has sent.
const stopGrace = 5 * time.Second

var (
	errNotSent = errors.New("it was not sent")
	errUnsure  = errors.New("whether the broker has it is not known")
)

func unsure(errs []error, open []bool) []error {
	for i := range errs {
		if open[i] {
			errs[i] = errUnsure
		}
	}
	return errs
}

// renew makes another producer if a message was refused: the client's may be spoiled.
func (s *sender) renew(errs []error) error {
	for _, err := range errs {
		if err != nil && !errors.Is(err, errNotSent) {
			if isFinal(err) {
				return fmt.Errorf("send to %s: %w", s.target, err)
			}
			s.producer.Close()
			return s.open()
		}
	}
	return nil
}

// diagnose finds out why the broker does not confirm, by opening another producer.
func (s *sender) diagnose() error {
	p, err := s.client.CreateProducer(s.options(""))
	if err == nil {
		p.Close()
	}
	return err
}

// isFinal reports whether waiting does not help: the topic is gone or closed, full, or not the role's.
func isFinal(err error) bool {
	if err == nil {
		return false
	}
	for _, sign := range []string{
		"TopicTerminated", "TopicNotFound", "NotAuthorized", "AuthorizationError", "AuthenticationError", "not authorized",
		"ProducerBlockedQuotaExceededException",
	} {
		if strings.Contains(err.Error(), sign) {
			return true
		}
	}
	return false
}

// A grace ends a while after a context.
type grace struct {
	over   chan struct{}
	cancel func()
}

func stopAfter(ctx context.Context, d time.Duration) grace {
	g := grace{over: make(chan struct{})}
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			close(g.over)
		case <-inner.Done():
		}
	})
	g.cancel = func() { stop(); cancel() }
	return g
}
