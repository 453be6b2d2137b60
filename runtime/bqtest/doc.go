// Package bqtest is Apache Pulsar in memory, for tests and demonstrations.
//
// A [Broker] keeps topics, subscriptions and cursors; [Broker.Client] gives
// clients of it that satisfy pulsar.Client, so that code under test runs
// unchanged:
//
//	broker := bqtest.NewBroker(t)
//	svc := NewService(broker.Client())
//
// It fakes the broker and not the client's interface: many clients, producers
// and consumers meet over the same topics, a consumer that closes hands its
// messages to the next, a name that is taken is refused.
//
// # What is as in Pulsar
//
// Topic names are completed ("orders" is persistent://public/default/orders).
// Topics and subscriptions come to be on first use. A message on a topic that
// has no subscription is lost, unless [WithRetention] is set. Entries that
// every subscription has acknowledged are let go.
//
// Exclusive refuses a second consumer, Failover keeps one active (a consumer
// that joins may take over, as the broker chooses by hash and name), Shared goes
// round by free permits, Key_Shared keeps the messages of a key in order with
// one consumer while any of them is in flight. A consumer that goes returns what
// it had not acknowledged, prefetched or in the hands of a handler. A redelivery
// count exists on Shared and Key_Shared only: it rises on a negative
// acknowledgement and is forgotten when the last consumer leaves (other
// versions of the broker count otherwise: see [WithDisconnectsCounted]). On
// Exclusive and Failover a negative acknowledgement rewinds the cursor:
// everything unacknowledged comes again, and what lay prefetched in the
// consumer's queue is then seen twice.
//
// Delayed messages wait on Shared and Key_Shared and are delivered at once
// elsewhere. Keys choose partitions by the client's hash. Messages over the
// size limit are refused with pulsar.ErrMessageTooLarge.
//
// # What differs
//
// A message on a topic without a subscription is lost at once; the real broker
// loses it some time later, so that a subscription made soon may still get it.
// Every message is an entry of its own: there are no batches and no chunks. (An
// empty payload that is sent outside of a batch never reaches a consumer; that
// is so in the real client.) A receiver queue of n holds n messages; the real
// client holds ten more of them on the way to the application.
// Acknowledgements are not grouped. Negative acknowledgements come due exactly
// (the real client is up to 256 ms early and a third of the delay late), and
// so do delayed messages (the real broker is up to a second early). Partitions
// of a topic are fixed when it is made. Creating a producer and subscribing
// fail at once where the real client would retry until its operation timeout.
// Schemas are used to encode and decode and are not kept by the broker.
//
// Not there, and refused with [ErrNotSupported]: topic patterns, table views,
// transactions, the client's own dead-letter and retry topics, encryption,
// compaction, exclusive producers, sticky key ranges and non-persistent topics.
//
// A method that a newer client adds to an interface compiles (the client's
// interfaces are embedded) and panics with a nil dereference when called.
//
// # Finding mistakes
//
// Some misuse is silent in Pulsar: settling a message twice, settling one that
// another consumer received, negatively acknowledging something foreign. The
// broker reports it through the test it was made with, and in
// [Broker.Violations].
//
// # Faults, time, waiting
//
// [Broker.Fail] scripts faults ([OnSend], [OnAck], [OnReceive], [OnSubscribe],
// [OnCreateProducer]); [Broker.Down], [Broker.Up] and [Broker.Drop] take the
// network away. [WithManualClock] and [Broker.Advance] let a test turn the
// time; the default clock is time.Now and works inside testing/synctest
// bubbles. [Broker.WaitUntil] waits for a condition over the broker's state,
// without polling.
package bqtest
