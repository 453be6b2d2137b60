package bq

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/reader"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
	"github.com/babelqueue/bqgen/runtime/internal/read"
)

// A ReaderOption changes how a queue's topic is read.
type ReaderOption interface{ applyToReader(*readerConfig) }

type readerConfig struct {
	read      read.Config
	accept    flow.Accept
	starts    int // options that say where to start
	customize []func(*pulsar.ReaderOptions)
	errs      []error
	topics    topicMappings
	schemas   *schemas
	logger    *slog.Logger
}

// The defaults of these options.
const (
	defaultReadTimeout = 30 * time.Second
	readDiscovery      = time.Minute
)

type readerOption func(*readerConfig)

func (o readerOption) applyToReader(c *readerConfig) { o(c) }

// startAt returns the option to start somewhere.
func startAt(start reader.Start, err error) ReaderOption {
	return readerOption(func(c *readerConfig) {
		c.read.Start = start
		c.starts++
		c.errs = append(c.errs, err)
	})
}

// FromTime starts at the first message that was published at t or later, to the millisecond. Older messages are not
// yielded, whatever their order is. The time must not be zero. If t is in the future, there is nothing to read yet.
func FromTime(t time.Time) ReaderOption {
	if t.IsZero() {
		return startAt(reader.Start{ID: pulsar.EarliestMessageID()}, errors.New("FromTime has the zero time"))
	}
	return startAt(reader.Start{Time: t}, nil)
}

// FromID starts at the message with the id, that message included. The topic must not have several partitions, since
// an id is of one of them.
func FromID(id pulsar.MessageID) ReaderOption { return startAtID("FromID", id, true) }

// AfterID starts after the message with the id: for a reader that goes on where it ended. The topic must not have
// several partitions, since an id is of one of them.
func AfterID(id pulsar.MessageID) ReaderOption { return startAtID("AfterID", id, false) }

func startAtID(option string, id pulsar.MessageID, inclusive bool) ReaderOption {
	if id == nil {
		return startAt(reader.Start{ID: pulsar.EarliestMessageID()}, fmt.Errorf("%s has no message id", option))
	}
	return startAt(reader.Start{ID: id, Inclusive: inclusive}, nil)
}

// FromLatest starts behind the last message: only what is published later is read, so it is for [Follow].
func FromLatest() ReaderOption { return startAt(reader.Start{ID: pulsar.LatestMessageID()}, nil) }

// FromLast starts at the last message of each partition.
func FromLast() ReaderOption {
	return startAt(reader.Start{ID: pulsar.LatestMessageID(), Inclusive: true}, nil)
}

// Follow does not end at the last message: it waits for more, until the context ends or the loop is left. Partitions
// that are added to the topic are found within a minute.
func Follow() ReaderOption { return readerOption(func(c *readerConfig) { c.read.Follow = true }) }

// WithReadTimeout limits how long the broker may take to answer, and, without [Follow], how long the next message may
// take while there is one. After that, reading ends with an error that wraps context.DeadlineExceeded. The default is
// 30 s.
func WithReadTimeout(d time.Duration) ReaderOption {
	return readerOption(func(c *readerConfig) { c.read.Timeout = d })
}

// WithReaderOptions calls fn with the options of the Pulsar reader before it is created: to set its name, properties,
// receive queue or decryption, or to read a compacted topic. There is a reader for each partition, all with the same
// options. Several functions are called in order.
//
// The topic, the start and the message channel cannot be changed, nor can the subscription's name be that of the
// queue's consumers; Read yields a [*CustomizerError] then. The action for messages that cannot be decrypted is always
// to yield an [*UnreadableError].
func WithReaderOptions(fn func(*pulsar.ReaderOptions)) ReaderOption {
	return readerOption(func(c *readerConfig) {
		if fn == nil {
			c.errs = append(c.errs, errors.New("WithReaderOptions: the function is nil"))
			return
		}
		c.customize = append(c.customize, fn)
	})
}

// customizeReader returns the options of readers as the caller wants them.
func (c *readerConfig) customizeReader() (pulsar.ReaderOptions, error) {
	const customizer = "WithReaderOptions"
	options := pulsar.ReaderOptions{Topic: c.read.Topic, Decryption: flow.Decryption(nil)}
	options, err := customize(customizer, options, cloneReaderOptions, c.customize)
	if err != nil {
		return options, err
	}
	r := refusals{customizer: customizer}
	r.add(options.Topic != c.read.Topic, "Topic", "read the queue of that topic")
	r.add(options.MessageChannel != nil, "MessageChannel", "range over the messages")
	r.add(options.StartMessageID != nil, "StartMessageID", "use FromID, AfterID, FromLatest, FromLast or FromTime")
	r.add(options.StartMessageIDInclusive, "StartMessageIDInclusive", "use FromID or FromLast")
	r.add(options.SubscriptionName == defaultSubscription, "SubscriptionName",
		"that is the name of the consumers' subscription; leave it out or choose another one")
	warnOfDecryption(usable(c.logger), customizer, options.Decryption, "the error of the message says Undecryptable")
	options.Decryption = flow.Decryption(options.Decryption)
	return options, r.err()
}

func cloneReaderOptions(o pulsar.ReaderOptions) pulsar.ReaderOptions {
	o.Properties = maps.Clone(o.Properties)
	o.Decryption = cloned(o.Decryption)
	return o
}
