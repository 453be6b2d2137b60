package read

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/reader"
)

// A Config says what is read.
type Config struct {
	Client  pulsar.Client
	Topic   string
	Start   reader.Start
	Follow  bool          // go on at the end
	Timeout time.Duration // how long the broker may take to answer, and, without Follow, the next message to come

	Options pulsar.ReaderOptions // besides the topic and the start
	// Discovery is how often Follow looks for new partitions.
	Discovery time.Duration
}

// errOnePartition says that an id is of one partition only.
var errOnePartition = errors.New("a message id is of one partition, and would leave out the others: start at a time")

// Messages returns the messages of a topic. An error is the last thing it yields. The loop's body may end the loop at
// any time; the readers are closed then.
func Messages(ctx context.Context, c Config) iter.Seq2[pulsar.Message, error] {
	return func(yield func(pulsar.Message, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		r := &reading{config: c, items: make(chan item), known: make(map[string]bool)}
		defer r.running.Wait()
		defer cancel()
		if err := r.start(ctx); err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			yield(nil, err)
			return
		}
		for i := range r.all(ctx) {
			if !yield(i.msg, i.err) || i.err != nil {
				return
			}
		}
	}
}

// An item is a message, why reading has failed, or, with neither, the end of a partition.
type item struct {
	msg pulsar.Message
	err error
}

// A reading is a loop over a topic.
type reading struct {
	config  Config
	items   chan item
	known   map[string]bool // partitions that are being read
	open    int             // partitions that have not ended
	running sync.WaitGroup
}

// start begins to read the partitions that there are.
func (r *reading) start(ctx context.Context) error {
	names, err := r.partitions(ctx)
	if err != nil {
		return fmt.Errorf("read %s: %w", r.config.Topic, err)
	}
	if len(names) > 1 && r.config.Start.IsMessage() {
		return fmt.Errorf("read %s: it has %d partitions: %w", r.config.Topic, len(names), errOnePartition)
	}
	for _, name := range names {
		r.add(ctx, name, r.config.Start)
	}
	return nil
}

// add begins to read a partition.
func (r *reading) add(ctx context.Context, name string, start reader.Start) {
	r.known[name] = true
	r.open++
	config := reader.Config{
		Client: r.config.Client, Topic: name, Start: start, Timeout: r.config.Timeout, Options: r.config.Options,
		Follow: r.config.Follow, Patience: r.config.Timeout,
	}
	r.running.Go(func() {
		err := reader.Read(ctx, config, func(msg pulsar.Message) { r.send(ctx, item{msg: msg}) })
		if err != nil {
			err = fmt.Errorf("read %s: %w", name, err)
		}
		r.send(ctx, item{err: err})
	})
}

func (r *reading) send(ctx context.Context, i item) {
	select {
	case r.items <- i:
	case <-ctx.Done():
	}
}

// all yields messages, and the error that ends the loop if there is one, until all partitions have ended.
func (r *reading) all(ctx context.Context) iter.Seq[item] {
	return func(yield func(item) bool) {
		var tick <-chan time.Time
		if r.config.Follow {
			ticker := time.NewTicker(r.config.Discovery)
			defer ticker.Stop()
			tick = ticker.C
		}
		for r.open > 0 {
			select {
			case i := <-r.items:
				if i == (item{}) {
					r.open--
					continue
				}
				if !yield(i) {
					return
				}
			case <-tick:
				r.discover(ctx)
			case <-ctx.Done():
				yield(item{err: context.Cause(ctx)})
				return
			}
		}
	}
}

// discover begins to read partitions that are new. All of their messages are newer than the start.
func (r *reading) discover(ctx context.Context) {
	names, err := r.partitions(ctx)
	if err != nil {
		return // it is asked again, and the partitions that are being read say what is wrong
	}
	for _, name := range names {
		if !r.known[name] {
			start := reader.Earliest()
			start.Time = r.config.Start.Time
			r.add(ctx, name, start)
		}
	}
}

// partitions returns the names of the topic's partitions, or the topic's own if it has none.
func (r *reading) partitions(ctx context.Context) ([]string, error) {
	return reader.Ask(ctx, r.config.Timeout, func() ([]string, error) {
		names, err := r.config.Client.TopicPartitions(r.config.Topic)
		if err == nil && len(names) == 0 {
			names = []string{r.config.Topic}
		}
		return names, err
	}, nil)
}
