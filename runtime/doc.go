// Package bq publishes and consumes BabelQueue messages over Apache Pulsar. It is the runtime of the code that bqgen
// generates from a catalog of messages, and it keeps the wire contract that services in other languages share.
//
// # Publish
//
// Generated code contains a publisher for each message of the catalog:
//
//	publishers := orderevents.NewPublishers(client)
//	defer publishers.Close(context.Background())
//	_, err := publishers.OrderCreated.Publish(ctx, orderevents.OrderCreated{OrderID: 1042})
//
// Publish validates the payload against its schema and returns when the broker has confirmed the message. PublishAsync
// calls back instead, so that many messages are under way at a time.
//
// # Consume
//
// Generated code contains a consumer for each queue, which takes an interface with a method for each message:
//
//	consumer, err := orderevents.NewOrdersConsumer(client, service, bq.WithConcurrency(8))
//	err = consumer.Run(ctx) // until ctx ends
//
// Run settles what is in hand when ctx ends, and returns nil. A service gets ctx from signal.NotifyContext, with
// os.Interrupt and syscall.SIGTERM. [Run] runs several consumers.
//
// A service that handles only some messages of a queue calls [NewConsumer] with the generated routes for them:
//
//	routes := bq.Routes(orderevents.OnOrderCreated(service.HandleOrderCreated))
//	consumer, err := bq.NewConsumer(client, orderevents.OrdersQueue(), routes)
//
// # What happens to a message
//
// A received message is checked, decoded, handled and settled:
//
//   - It has another version of the envelope: it goes to the dead-letter topic unchanged.
//   - Its body is not an acceptable envelope (it is poison): it is dead-lettered at once.
//   - Nobody handles its URN: it is retried and then dead-lettered, or passed to [WithUnknownURN].
//   - Its payload violates its schema: it is retried and then dead-lettered.
//   - Otherwise its handler is called, and decides.
//
// To retry is to publish the message again with a higher count of attempts. To dead-letter is to publish it to the
// dead-letter topic with a record of what went wrong; without a dead-letter topic the message is dropped, with a
// warning in the log. A message is acknowledged only after the broker has confirmed what replaces it. So a failure can
// cause a duplicate, never a loss: handlers must tolerate duplicates, which have the same ID.
//
// # What a handler can return
//
//   - nil acknowledges the message.
//   - An error retries it. After the last attempt (three, unless the catalog or [WithMaxAttempts] says otherwise) the
//     message is dead-lettered. A panic counts as an error.
//   - [Permanent] dead-letters the message at once.
//   - [RetryAfter] sets how long the retry waits.
//   - [Snooze] handles the message later, without counting an attempt.
//   - [Discard] acknowledges the message and logs a warning.
//   - [Stop] releases the message and ends the consumer.
//
// This is what they do on each subscription type, and to the order of messages with the same key. "Republished" means
// published again, to the end of the topic: later messages of the key are handled first. "Kept" means that the consumer
// holds the message, and later messages of its key wait.
//
//	returned         Shared, Key_Shared                    Exclusive, Failover                     order
//	nil              acknowledged                          acknowledged                            as published
//	error            republished, waits with Pulsar        republished at once                     changes
//	  in place       kept, then handled again              kept, then handled again                as published
//	  by nack        kept, then negatively acknowledged    refused                                 changes
//	Permanent        dead-lettered                         dead-lettered                           as published
//	RetryAfter(d)    republished, waits with Pulsar        kept for d, then republished            changes
//	Snooze(d)        republished, waits with Pulsar        kept for d, then handled again          changes; as published
//	Discard          acknowledged, a warning               acknowledged, a warning                 as published
//	Stop             released, the consumer ends           released, the consumer ends             as published
//
// In place is [WithRetryInPlace], by nack is [WithRetryByNack]. If an error wraps several of these, Stop wins over
// Permanent, then Discard, Snooze and RetryAfter. The next message of a key is handled when the retry or dead letter of
// the one before is confirmed.
//
// # Options of consumers for everybody
//
//   - [WithConcurrency]: how many messages are handled at a time (1)
//   - [WithMaxAttempts]: how often a message is delivered (3)
//   - [WithRetryBackoff]: how long retries wait (1 s to 1 min on Shared and Key_Shared)
//   - [WithRetryInPlace]: how often a handler is called again before the message is retried, which keeps the order (0)
//   - [WithHandlerTimeout]: how long a handler may take (no limit)
//   - [WithMiddleware]: code around every handler, for traces, metrics and decryption
//
// Options that set a value replace what an earlier option has set; middleware and observers add up. An option of a
// Publish call wins over the options of the publisher. The options of a publisher or consumer win over
// the catalog, and the catalog wins over the defaults.
//
// # When you need it
//
//   - Published messages: [WithKey], [WithDelay], [WithID], [WithOrderingKey], [WithEventTime], [WithDeliverAt],
//     [WithSequenceID], [WithMessage], [WithPublishMiddleware]
//   - Shutdown: [WithGracePeriod], [WithShutdownTimeout], [ErrShutdown], [StuckError]
//   - Operation: [Run], [WithStartup], [Consumer.Ready], [Consumer.Status], [Consumer.Pause], [Consumer.Resume],
//     [Consumer.Drain]
//   - Traces and metadata: [ContextWithTraceID], [WithTraceID], [WithMeta], [WithProperties]
//   - Observation: [WithLogger], [WithObserver]
//   - Order and load: [WithUnordered], [WithMaxUnsettled], [WithReceiverQueueSize]
//   - Several messages at a time ([HandleBatch]): [Batch], [FailedAt], [Results]
//   - Pulling messages instead of handling them: [Stream]
//   - Acknowledging later, from anywhere: [WithAckMode], [Delivery.Ack], [Delivery.Fail], [UnsettledError]
//   - Time for handlers: [WithRouteTimeout], [Delivery.Extend]
//   - Failed messages: [WithOnExhausted], [WithSettleTries]
//   - Errors: [WithPayloadValuesInErrors], [PayloadError], [PanicError]
//   - Messages that cannot be handled: [WithUnknownURN], [WithIdentityVerdict], [WithInvalidPayloadPermanent],
//     [WithDropUndecryptable]
//   - Messages that are not envelopes, by their Pulsar schema: [WithRecords], [WithSchemas], [Delivery.Fields]
//   - Several services on one queue: [WithService], [Declare], [HandleForeignRetries], [SkipUnknownURNs]
//   - Several queues, and topics by prefix: [WithQueues], [WithTopicPrefix]
//   - Subscriptions: [WithSubscription], [WithSubscriptionType], [WithInitialPosition], [WithDeadLetterSubscription]
//   - Retries by the broker: [WithRetryByNack]
//   - Fast publishing: [Publisher.PublishAsync], [Publisher.PublishAll], [Producers.Flush], [Producers.Close],
//     [WithBatching], [WithMaxProducers]
//   - An outbox: [Publisher.Message], [Producers.Send]
//   - Topics of an environment: [WithTopics], [InNamespace]
//   - Reading a topic without consuming it ([Read]): [FromTime], [FromID], [AfterID], [FromLatest], [FromLast],
//     [Follow], [WithReadTimeout], [WithReaderOptions]
//   - The options of the Pulsar client: [WithProducerOptions], [WithConsumerOptions], [WithConsumers],
//     [WithSendTimeout], [CustomizerError]
//   - Your own Pulsar objects: [WithPulsarConsumer], [WithRetryProducer], [WithDeadLetterProducer]
//
// Package bqtest is an in-memory Pulsar for tests, and bqtest/bqcheck hands single messages to handlers. Package
// envelope is the wire format without Pulsar.
//
// # What Pulsar's client does not leave to this package
//
//   - It silently acknowledges a message with an empty body and no properties that was not sent in a batch.
//   - It replaces an event time after the year 2262 by none when a message is published again, and a key of bytes that
//     are not text (keyBytes of other clients) by its base64 text, which has another hash.
//   - Retries and dead letters of encrypted messages are plain text, unless [WithProducerOptions] sets an Encryption.
//   - Where a namespace enforces schemas (schemaValidationEnforced), publishing, retries and dead letters fail, unless
//     [WithProducerOptions] sets the topic's Schema. Retries have it, too; dead letters have none where their topic has
//     another one.
//
// Numbers such as SET-3 in the comments are the rules of the wire contract; docs/contract.md has a line for each.
package bq
