// Package bq is the runtime under the code that bqgen generates: it publishes and consumes BabelQueue messages over
// Apache Pulsar and keeps their wire contract.
//
// A service rarely names this package's machinery. It publishes through the generated Publishers and runs the
// generated consumer of a queue:
//
//	pubs := orderevents.NewPublishers(client)
//	defer pubs.Close()
//	_, err := pubs.OrderCreated.Publish(ctx, orderevents.OrderCreated{OrderID: 1042})
//
//	c, err := orderevents.NewOrdersConsumer(client, svc, bq.WithConcurrency(8))
//	err = c.Run(ctx) // until ctx ends; then what is in flight is handled and settled
//
// # What happens to a message
//
// Two pure functions decide: classify says what a delivery is (gated, poison, for a handler or for none), settle says
// what is done with it (acknowledge, retry, dead-letter, drop). Only the executor talks to Pulsar. A message is
// acknowledged only after what replaces it, a retry or a dead letter, is confirmed by the broker; so a failure can
// cause a duplicate, never a loss.
//
// # What a handler can say
//
// A nil error acknowledges the message. An error retries it until its deliveries are used up and then dead-letters it;
// [Permanent] dead-letters it at once, [RetryAfter] sets how long the retry waits. A panic is an error.
//
// Numbers such as SET-3 in the comments are the rules of the wire contract.
package bq
