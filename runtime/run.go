package bq

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// Run subscribes and handles messages until ctx ends. Then it stops receiving, lets handlers finish within the grace
// period, settles their messages and returns nil.
//
// After the grace period the contexts of handlers end. Their results no longer count as failed attempts: the messages
// are delivered again. Run waits one more second for a handler that ignores its context, then abandons its goroutine
// and returns a [*StuckError] that names its message. All of this takes at most [WithShutdownTimeout].
//
// In all other cases Run returns an error that says why it ended: it could not subscribe ([WithStartup]), not even
// because ctx ended first; Pulsar or the caller closed the consumer or the client; a handler returned [Stop]. It can be
// called again when it has returned. To run several consumers, see [Run].
//
// If there is a dead-letter topic, Run first makes sure that it has a durable subscription, because Pulsar discards
// messages on a topic without one; see [WithDeadLetterSubscription].
//
// # Duplicates
//
// Handlers must tolerate duplicates. A message may be handled more than once after a crash, when another consumer takes
// over, or when an acknowledgement was lost and the message goes to another process. One process never handles a
// message twice at the same time, and does not handle a message again that it has settled when a connection breaks or a
// topic moves. Pulsar delivers all messages of a producer's batch again if one of them is not settled.
//
// A message that kills the process is not counted as delivered, because Pulsar counts negative acknowledgements, not
// lost connections. If it does so every time, remove it from the topic by hand.
func (c *Consumer) Run(ctx context.Context) error {
	if c == nil || c.config.handle == nil {
		return errors.New("run a consumer: it was not made by NewConsumer")
	}
	if !c.begin() {
		return fmt.Errorf("run consumer of queue %s: it is running", c.queue.Name)
	}
	for _, q := range c.config.queues {
		if name := q.DeadLetterTopic; topic.IsNonPersistent(name) {
			c.config.logger.Warn("the dead-letter topic is not persistent: dead letters that nobody is receiving are lost",
				slog.String("queue", q.Name), slog.String("topic", name))
		}
	}
	err := c.run(ctx)
	if err != nil {
		err = fmt.Errorf("run consumer of queue %s: %w", c.queue.Name, err)
	}
	c.end(err)
	return err
}

// run starts the consumer, as often as its policy says, and runs it.
func (c *Consumer) run(ctx context.Context) error {
	for tries := 1; ; tries++ {
		f := flow.New(ctx, c.flowConfig())
		c.mu.Lock()
		c.flow.Store(f)
		paused := c.paused
		c.mu.Unlock()
		if paused {
			f.Pause()
		}
		started := false
		err := f.Run(func() {
			started = true
			c.started()
		})
		if started {
			return c.runError(err)
		}
		if policy := c.config.startup; ctx.Err() != nil || tries > policy.retries {
			return &startError{err}
		}
		if err := c.awaitNextTry(ctx, tries, err); err != nil {
			return &startError{err}
		}
	}
}

// awaitNextTry waits after a start that failed.
func (c *Consumer) awaitNextTry(ctx context.Context, tries int, err error) error {
	wait := c.config.startup.wait
	c.config.logger.Warn("the consumer could not start, it is tried again", slog.String("queue", c.queue.Name),
		slog.Any("error", err), slog.Int("tries", tries), slog.Duration("in", wait))
	c.mu.Lock()
	c.life.err, c.life.next = err, time.Now().Add(wait)
	c.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("stopped before it had subscribed: %w; the last try: %w", context.Cause(ctx), err)
	}
}

// A startError is why a consumer has not started.
type startError struct{ error }

func (e *startError) Unwrap() error { return e.error }

// A State is what a consumer is doing.
type State string

// The states.
const (
	StateIdle     State = "idle"     // Run was not called, or has returned
	StateStarting State = "starting" // Run subscribes, or waits for its next try
	StateRunning  State = "running"
	StatePaused   State = "paused"   // by Pause or Drain
	StateDraining State = "draining" // see Drain
	StateStopping State = "stopping" // Run is about to return
)

// A life is what a consumer knows of its runs.
type life struct {
	state State // idle, starting or running
	since time.Time
	next  time.Time // of the next try to start
	err   error     // of the last try, or of the last run
}

// begin reports whether the consumer may run now.
func (c *Consumer) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.life.state != StateIdle {
		return false
	}
	c.life = life{state: StateStarting, since: time.Now(), err: c.life.err}
	return true
}

// started notes that the consumer has subscribed.
func (c *Consumer) started() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.life = life{state: StateRunning, since: time.Now()}
	close(c.ready)
}

// end notes that a run has ended.
func (c *Consumer) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.life.state == StateRunning {
		c.ready = make(chan struct{})
	}
	c.life = life{state: StateIdle, since: time.Now(), err: err}
}

// A Startup says what happens if a consumer cannot subscribe.
type Startup struct {
	retries int
	wait    time.Duration
	goOn    bool // other consumers do
}

// These are the policies besides [StartupRetry]. With each of them Run returns an error.
var (
	StartupStop     = Startup{}           // [Run] stops the other consumers
	StartupContinue = Startup{goOn: true} // [Run] continues with the other consumers
)

// StartupRetry tries again up to n times, with a wait in between and a warning in the log, and then does what
// [StartupContinue] does.
func StartupRetry(n int, wait time.Duration) Startup {
	return Startup{retries: n, wait: wait, goOn: true}
}

// WithStartup sets what happens if the consumer cannot subscribe, for example because the broker is not there yet. The
// default is [StartupStop].
func WithStartup(s Startup) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		c.refuse(s.retries < 0, "WithStartup: %d retries, want at least 0", s.retries)
		c.refuse(s.wait < 0, "WithStartup: the wait is negative: %s", s.wait)
		c.startup = s
	})
}

// Run runs consumers side by side until ctx ends, and returns nil when all have stopped in order. If one of them fails,
// the others are stopped, unless it could not start and has another policy than [StartupStop]. The error contains what
// happened to each. All stop at the same time, so the longest [WithShutdownTimeout] is the limit.
func Run(ctx context.Context, consumers ...*Consumer) error {
	known := map[*Consumer]bool{}
	for i, c := range consumers {
		if c == nil || known[c] {
			return fmt.Errorf("run consumers: number %d is nil or there twice", i+1)
		}
		known[c] = true
	}
	if len(consumers) == 0 {
		return errors.New("run consumers: there are none")
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	type end struct {
		c   *Consumer
		err error
	}
	ended := make(chan end, len(consumers))
	for _, c := range consumers {
		go func() { ended <- end{c, c.Run(running)} }()
	}
	var errs []error
	for range consumers {
		e := <-ended
		var start *startError
		switch {
		case errors.As(e.err, &start) && running.Err() != nil && ctx.Err() == nil:
			continue // it was starting when another one failed
		case start != nil && e.c.config.startup.goOn && running.Err() == nil:
			e.c.config.logger.Error("a consumer could not start, the others go on", slog.Any("error", e.err))
		default:
			stop()
		}
		errs = append(errs, e.err)
	}
	return errors.Join(errs...)
}
