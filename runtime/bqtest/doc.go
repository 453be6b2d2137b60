// Package bqtest is Apache Pulsar in memory, for tests and demonstrations.
//
// A [Broker] keeps topics, subscriptions and cursors. [Broker.Client] makes clients of it that satisfy pulsar.Client,
// so that code under test runs unchanged:
//
//	broker := bqtest.NewBroker(t)
//	svc := NewService(broker.Client())
//
// It fakes the broker, not the client's interface: many clients, producers and consumers meet over the same topics, a
// consumer that closes hands its messages to the next, a name that is taken is refused. Package tests run the same
// scenarios on it and on Apache Pulsar 4.0.7 with pulsar-client-go v0.21.0 and compare what they see.
//
// # What a test can do
//
//   - [Broker.Fail] makes sends, acknowledgements, receives, subscribing and making producers fail, hang or take time,
//     for some topics or all: see [OnSend], [OnAck], [OnReceive], [OnSubscribe], [OnCreateProducer] and [Fault].
//   - [Broker.Unload] unloads a topic, as brokers do routinely; [Broker.Drop] cuts connections;
//     [Broker.Down] and [Broker.Up] take the broker away.
//   - [WithManualClock] and [Broker.Advance] turn the time. The default clock is time.Now and works inside
//     testing/synctest bubbles.
//   - [Broker.SetPolicies], [Broker.SetNamespace], [Broker.Terminate], [Broker.CreatePartitioned],
//     [Broker.AddPartitions] and [Broker.ResetCursor] do what an administrator does.
//   - [Broker.Messages], [Broker.Backlog] and others look at the broker's state. [Broker.WaitUntil] waits for a
//     condition over it, without polling.
//
// # Topics
//
// Names are completed: "orders" is persistent://public/default/orders. Topics and subscriptions are created on first
// use, in namespaces that exist: public/default, and those made with [Broker.SetNamespace]. A message on a topic that
// has no subscription is lost, unless [WithRetention] is set. Entries that every subscription has acknowledged are
// dropped. Non-persistent topics keep nothing: a message goes to the consumers that have room for it, once, and every
// message id is 0:0:0 with its index in a batch.
//
// # Entries, batches and chunks
//
// What a producer with batching sends with SendAsync becomes one entry, until the batch is full, its publish delay is
// over, Flush is called, or Send is; with a key-based batch builder, one entry per key. The members have the ids of one
// entry and an index in the batch. Pulsar delivers, acknowledges and gives back the entry: a negative acknowledgement
// of one member, an unload or a lost connection brings all of them again. The client counts the members that have been
// acknowledged per copy of the entry that it was delivered, returns nil for each, and tells the broker when all of one
// copy are. Batch-index acknowledgement is not there, as on a broker with default settings.
//
// Encrypted messages are encrypted, member by member, with the client's own ciphers. What a consumer cannot decrypt it
// gives back, discards or shows, as its options say; by default it gives back, and its permits are lost, as in the real
// client.
//
// A message in chunks takes as many entries as it has chunks, and is delivered once, under the id of the last.
//
// # Delivery
//
// Exclusive refuses a second consumer. Failover keeps one active: a consumer that joins may take over, as the broker
// chooses by hash and name; event listeners are told; one that is no longer active still gets what it had prefetched.
// Shared goes round by free permits. Key_Shared keeps the messages of a key in order with one consumer while any of
// them is in flight; of a batch, the key of the first message counts, and never its ordering key.
//
// A consumer's receiver queue of n holds n messages, and the client has ten more on the way to the application. When a
// connection is lost or a topic unloaded, the queue is emptied and everything unacknowledged is delivered again, under
// the same message ids; the ten stay, so that the application gets them twice, as it does what a handler works on.
//
// A redelivery count exists on Shared and Key_Shared only. It rises on a negative acknowledgement, and is forgotten
// when the last consumer leaves (other versions of the broker count otherwise: see [WithDisconnectsCounted]). On
// Exclusive and Failover a negative acknowledgement rewinds the cursor: everything unacknowledged comes again.
//
// Delayed messages wait on Shared and Key_Shared and are delivered at once elsewhere. Keys choose partitions by the
// client's hash.
//
// # What differs
//
// A message on a topic without a subscription is lost at once; the real broker loses it some time later. Negative
// acknowledgements come due exactly (the real client is up to 256 ms early and a third of the delay late), and so do
// delayed messages (the real broker is up to a second early). Creating a producer and subscribing fail at once where
// the real client would retry until its operation timeout. Connections come back at once. Acknowledgements without a
// response are not grouped. Redelivery of a message in chunks does not depend on which consumer got which chunk. Of
// schemas the broker looks at the types of fields, and keeps the first of a topic.
//
// Not there, and refused with [ErrNotSupported]: table views, transactions, the client's own dead-letter and retry
// topics, compaction, exclusive producers and sticky key ranges. The errors for missing permissions (see [Policies])
// are written from documentation; they are not compared with a real broker.
//
// A method that a newer client adds to an interface compiles (the client's interfaces are embedded) and panics with a
// nil dereference when called.
//
// # Finding mistakes
//
// Some misuse is silent in Pulsar: settling a message twice, settling one that another consumer received, negatively
// acknowledging something foreign. The broker reports it through the test it was made with, and in [Broker.Violations].
// Acknowledging again what is not confirmed is no mistake.
package bqtest
