// Package bqtest is Apache Pulsar in memory, for tests and demonstrations.
//
// A [Broker] keeps topics, subscriptions and cursors. [Broker.Client] makes clients of it that satisfy pulsar.Client,
// so that code under test runs unchanged:
//
//	broker := bqtest.NewBroker(t)
//	svc := NewService(broker.Client())
//
// It replaces the broker, not the client's interface: many clients, producers and consumers share the same topics, the
// messages of a consumer that closes go to the next one, and a name that is taken is refused. The tests of this package
// run the same scenarios on it and on Apache Pulsar 4.0.7 with pulsar-client-go v0.21.0, and compare the results.
//
// # What a test can do
//
//   - [Broker.Fail] makes sends, acknowledgements, receives, subscribing and creating producers fail, hang or take
//     time, for some topics or all: see [OnSend], [OnAck], [OnReceive], [OnSubscribe], [OnCreateProducer] and [Fault].
//   - [Broker.Unload] unloads a topic, as brokers do routinely. [Broker.Drop] cuts connections. [Broker.Down] makes the
//     broker unreachable until [Broker.Up].
//   - [WithManualClock] and [Broker.Advance] control the time. The default clock is time.Now and works inside
//     testing/synctest bubbles.
//   - [Broker.SetPolicies], [Broker.SetNamespace], [Broker.Terminate], [Broker.CreatePartitioned],
//     [Broker.AddPartitions] and [Broker.ResetCursor] do what an administrator does.
//   - [Broker.Messages], [Broker.Backlog] and others inspect the broker's state. [Broker.WaitUntil] waits, without
//     polling, until a condition on it holds.
//
// # Topics
//
// Names are completed: "orders" is persistent://public/default/orders. Topics and subscriptions are created on first
// use, in namespaces that exist: public/default, and those created with [Broker.SetNamespace]. A message on a topic
// without a subscription is lost, unless [WithRetention] is set. Entries that every subscription has acknowledged are
// deleted. Non-persistent topics keep nothing: a message goes once to the consumers that have room for it, and every
// message id is 0:0:0 with the message's index in its batch.
//
// # Entries, batches and chunks
//
// Messages that a producer with batching sends with SendAsync become one entry (with a key-based batch builder, one for
// each key). A batch ends when it is full, when its publish delay is over, or with a call of Flush or Send. Its members
// have the ids of one entry and an index in the batch. Pulsar delivers, acknowledges and redelivers whole entries: a
// negative acknowledgement of one member, an unload or a lost connection redelivers all of them. The client counts
// acknowledged members for each delivered copy of an entry, returns nil for each member, and informs the broker when
// all members of one copy are acknowledged. There is no batch-index acknowledgement, as on a broker with default
// settings.
//
// Encrypted messages are encrypted one by one, with the client's own ciphers. A message that a consumer cannot decrypt
// is negatively acknowledged, discarded or passed on, as the consumer's options say. The default is to negatively
// acknowledge it; its permit is lost then, as in the real client.
//
// A chunked message takes one entry for each chunk, and is delivered once, with the id of the last.
//
// # Delivery
//
// Exclusive refuses a second consumer. Failover has one active consumer. A consumer that joins may take over, as the
// broker chooses by hash and name. Event listeners are called. A consumer that is no longer active still receives what
// it had prefetched. Shared distributes messages by free permits. Key_Shared keeps the messages of a key in order, on
// one consumer while any of them is in flight; of a batch only the key of the first message counts, and never its
// ordering key.
//
// A receiver queue of size n contains n messages, and the client has ten more on the way to the application. When a
// connection is lost or a topic unloaded, the queue is emptied, and everything unacknowledged is delivered again with
// the same message ids. The ten messages stay, so the application receives them twice, as well as those that a handler
// is working on.
//
// Only Shared and Key_Shared have a redelivery count. A negative acknowledgement increases it, and it is forgotten when
// the last consumer leaves (other versions of the broker count differently: see [WithDisconnectsCounted]). On Exclusive
// and Failover a negative acknowledgement rewinds the cursor: everything unacknowledged is delivered again.
//
// Delayed messages wait on Shared and Key_Shared and are delivered at once on the others. Keys choose partitions by the
// client's hash.
//
// # Differences from Pulsar
//
// A message on a topic without a subscription is lost at once, in Pulsar some time later. Delays of negative
// acknowledgements are exact (in the real client up to 256 ms shorter and a third longer), and so are those of delayed
// messages (in the real broker up to a second shorter). Creating a producer and subscribing fail at once, where the
// real client would retry until its operation timeout. Connections are restored at once. Acknowledgements without a
// response are not grouped. Redelivery of a chunked message does not depend on which consumer received which chunk.
// Whether schemas are compatible is decided by the types of their fields only. The client's reader of a non-persistent
// topic returns all messages; the real one takes what comes within 100 ms after another for copies of it.
//
// Not supported, and refused with [ErrNotSupported]: table views, transactions, the client's own retry topics,
// compaction, exclusive producers and sticky key ranges. The errors for missing permissions (see [Policies])
// follow the documentation; they are not compared with a real broker.
//
// A method that a newer client adds to an interface compiles (the client's interfaces are embedded) and panics with a
// nil dereference when called.
//
// # Finding mistakes
//
// Pulsar does not report some kinds of misuse: settling a message twice, settling a message that another consumer
// received, negatively acknowledging an unrelated id. The broker reports them through the test it was made with, and in
// [Broker.Violations]. Acknowledging a message again is fine while the first acknowledgement is not confirmed.
package bqtest
