// Package flow carries messages from Pulsar to their end: it receives them, has them handled and settles them. It knows
// Pulsar and deliveries, but no generics, no options and no generated code; package bq turns those into a [Config].
//
// # Words
//
// A delivery is one handing-over of a message by Pulsar. Its run is one call of user code with it. A delivery is
// decided when the first resolution of its run is known: what the handler returned, its timeout, or the shutdown.
// Settling is what follows from the decision: publishing what replaces the message (a retry or a dead letter), then
// acknowledging it. A delivery that was left unacknowledged is released; one that was handed back on purpose is given
// back.
//
// A copy is the same message handed over once more while this process still knows it: Pulsar sends everything that is
// not acknowledged again when a connection breaks or a topic moves.
//
// A slot is the right to run user code; there are as many as the concurrency. A lane is the order of a key: one
// delivery of a lane is run at a time. A credit is the right to receive one more message.
//
// # The order of things
//
//	topology   creates what has to exist first
//	source     is a Pulsar consumer
//	prefix     is what a source consumes instead of a topic (pure); discover finds new topics of it
//	intake     waits for a credit, receives, hands on
//	turns      whose turn it is when credits are few
//	registry   knows every message that is not done, and swallows copies
//	scheduler  puts deliveries into lanes, and lanes onto slots
//	invoker    runs user code: classify, hooks, handler
//	resolve    takes the first resolution of a run; the others learn that they are late
//	decide     says what is done with the delivery (pure)
//	settler    publishes what replaces the message
//	acker      acknowledges, in one request what came together
//	reporter   tells observers, once for each delivery
//
// Each is a file whose first comment says what it owns. The states of a delivery and what moves it between them are a
// table: see states.go.
//
// # What holds at each step
//
// A message has one owner, its delivery, which changes under the flow's lock only. User code, Pulsar's client and pure
// functions are called without the lock. Nothing is acknowledged before what replaces it is confirmed. Nothing is
// reported as acknowledged whose id was in an error. What is stuck (a topic, a partition, a key, a handler) holds up
// itself only, and in the end its share of the credits.
package flow
