package bqtest

import (
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// client is a pulsar.Client of the broker.
type client struct {
	pulsar.Client // nil; a newer client's interface still compiles

	b      *Broker
	parts  map[closer]struct{} // producers, consumers and readers
	closed bool
	done   chan struct{} // closed by Close
	conn   connection
	events events
}

type closer interface{ Close() }

// CreateProducer makes a producer. See the package documentation for what it refuses.
func (cl *client) CreateProducer(opts pulsar.ProducerOptions) (pulsar.Producer, error) {
	if opts.Topic == "" {
		return nil, wire.ClientError(pulsar.InvalidTopicName, "InvalidTopicName", "Topic name is required for producer")
	}
	if !opts.DisableBatching && opts.EnableChunking {
		return nil, fmt.Errorf("batching and chunking can not be enabled together")
	}
	if opts.ProducerAccessMode != pulsar.ProducerAccessModeShared {
		return nil, unsupported("create producer on %s: exclusive access", opts.Topic)
	}
	tn, err := wire.ParseTopic(opts.Topic)
	if err != nil {
		return nil, err
	}
	if err := cl.ready(); err != nil {
		return nil, err
	}
	if err := prepareCipher(&opts); err != nil {
		return nil, err
	}
	p := newProducer(cl, opts)
	call := Call{Topic: tn.Full, Producer: opts.Name}
	if err := cl.await(onCreateProducer, call, func() error { return p.open(tn) }); err != nil {
		p.Close() // a fault may have had it made all the same
		return nil, err
	}
	return p, nil
}

// CreateTableView is not supported.
func (cl *client) CreateTableView(pulsar.TableViewOptions) (pulsar.TableView, error) {
	return nil, unsupported("create table view")
}

// NewTransaction is not supported, as on a real client that was not told to enable transactions.
func (cl *client) NewTransaction(time.Duration) (pulsar.Transaction, error) {
	return nil, fmt.Errorf("%w: %w", unsupported("new transaction"), pulsar.ErrClientTransactionsNotEnabled)
}

// TopicPartitions lists a partitioned topic's partitions under the name as it was given. For a topic that is not
// partitioned it returns the full name.
func (cl *client) TopicPartitions(name string) ([]string, error) {
	tn, err := wire.ParseTopic(name)
	if err != nil {
		return nil, err
	}
	if err := cl.ready(); err != nil {
		return nil, err
	}
	cl.b.lock()
	defer cl.b.unlock()
	if _, err := cl.b.lookup(tn); err != nil {
		return nil, err
	}
	n := cl.b.partitions[tn.Full]
	if n == 0 {
		return []string{tn.Full}, nil
	}
	names := make([]string, n)
	for i := range names {
		names[i] = wire.PartitionName(name, i)
	}
	return names, nil
}

// Close closes what was made with the client.
func (cl *client) Close() {
	cl.b.lock()
	if cl.closed {
		cl.b.unlock()
		return
	}
	cl.closed = true
	close(cl.done)
	delete(cl.b.clients, cl)
	parts := make([]closer, 0, len(cl.parts))
	for p := range cl.parts {
		parts = append(parts, p)
	}
	cl.b.unlock()
	for _, p := range parts {
		p.Close()
	}
}

// ready returns why the client cannot reach the broker, or nil.
func (cl *client) ready() error {
	cl.b.lock()
	defer cl.b.unlock()
	switch {
	case cl.closed:
		return errClientClosed
	case cl.b.down:
		return errConnection
	}
	return nil
}

// newName makes a name that no other producer or consumer of the broker has.
func (b *Broker) newName() string {
	b.lastName++
	return fmt.Sprintf("bqtest-%d", b.lastName)
}
