// Package scan reads the messages of a topic with readers: nothing is acknowledged, no subscription stays.
package scan

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/crypto"

	"github.com/babelqueue/bqgen/internal/reader"
)

// Options say what is read.
type Options struct {
	Client pulsar.Client
	Topic  string
	// Since leaves out what was published before; the broker seeks there.
	Since time.Time
	// After returns after which position a partition is read; nil, or a nil position, is from the beginning.
	After func(partition string) (pulsar.MessageID, error)
	// Follow goes on when everything that was there at the start has been read, until the context ends.
	Follow bool
	// Ahead is how many messages are fetched ahead, of each partition. The default is 64: it bounds the memory that
	// messages of unknown sizes take. See [AheadOf].
	Ahead int
	// Patience is how long a partition may say nothing before its end is reached. The default is 12 s.
	Patience time.Duration
}

// ErrStop ends a scan without an error.
var ErrStop = errors.New("stop")

const (
	timeout         = 30 * time.Second // for the broker's answers, besides the client's own
	defaultPatience = 12 * time.Second
	defaultAhead    = 64
	maxAhead        = 1000 // more is no faster
	minAhead        = 4
	aheadBytes      = 16 << 20
	growth          = 30 * time.Second // how often a followed topic is asked for new partitions
	atHand          = 16               // messages that wait for their turn, of each partition
	together        = 200 * time.Millisecond
)

// AheadOf returns how many messages of this size to fetch ahead, so that they take about 16 MiB: each request for more
// is a round trip to the broker, which a long topic of small messages feels. It returns 0 for an unknown size.
func AheadOf(size int64) int {
	if size <= 0 {
		return 0
	}
	return int(min(max(aheadBytes/size, minAhead), maxAhead))
}

// A PartitionError says which partition could not be read to its end.
type PartitionError struct {
	Partition string
	Err       error
}

func (e *PartitionError) Error() string { return fmt.Sprintf("read %s: %v", e.Partition, e.Err) }
func (e *PartitionError) Unwrap() error { return e.Err }

// Topic calls visit with the messages of a topic that were there when it was called, of several partitions about in the
// order of their publish times: a partition that takes longer than a moment is not waited for. An error of visit ends
// the scan; ErrStop ends it without one. If a partition cannot be read, the others are, and then its error is returned;
// at once if the topic is followed.
func Topic(ctx context.Context, o Options, visit func(pulsar.Message) error) error {
	if !o.Follow && o.Since.After(time.Now()) {
		return nil // nothing can have been published since
	}
	partitions, err := o.Client.TopicPartitions(o.Topic)
	if err != nil {
		return fmt.Errorf("look up %s: %w", o.Topic, err)
	}
	if o.Patience <= 0 {
		o.Patience = defaultPatience
	}
	if o.Ahead <= 0 {
		o.Ahead = defaultAhead
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := &merger{changed: make(chan struct{}, 1)}
	for _, p := range partitions {
		m.add(ctx, o, p)
	}
	defer m.wait()
	defer cancel()
	if o.Follow {
		m.running.Go(func() { m.grow(ctx, o, partitions) })
	}
	for {
		msg, err := m.next(ctx, o.Follow)
		if err != nil || msg == nil {
			return err
		}
		if err := visit(msg); errors.Is(err, ErrStop) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// read passes on the messages of one partition, then returns.
func (o Options) read(ctx context.Context, partition string, out func(pulsar.Message)) error {
	config, err := o.readerOf(partition)
	if err != nil {
		return err
	}
	return reader.Read(ctx, config, out)
}

func (o Options) readerOf(partition string) (reader.Config, error) {
	start := reader.Earliest()
	start.Time = o.Since
	if o.Since.IsZero() && o.After != nil {
		id, err := o.After(partition)
		if err != nil {
			return reader.Config{}, err
		}
		if id != nil {
			start = reader.Start{ID: id}
		}
	}
	return reader.Config{
		Client: o.Client, Topic: partition, Start: start, Timeout: timeout, Follow: o.Follow, Patience: o.Patience,
		Options: pulsar.ReaderOptions{
			ReceiverQueueSize: o.Ahead, SubscriptionRolePrefix: "bqgen", Decryption: &pulsar.MessageDecryptionInfo{
				KeyReader: noKeys{}, ConsumerCryptoFailureAction: crypto.ConsumerCryptoFailureActionConsume,
			},
		},
	}, nil
}

// noKeys makes the client hand out encrypted messages as they are.
type noKeys struct{}

var errNoKeys = errors.New("bqgen has no keys")

func (noKeys) PublicKey(string, map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return nil, errNoKeys
}
func (noKeys) PrivateKey(string, map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return nil, errNoKeys
}
