// Package bqotel sends what publishers and consumers do to OpenTelemetry: traces by the contract that all BabelQueue
// SDKs share (OTEL-1 to OTEL-5), and metrics.
//
//	telemetry, err := bqotel.New()
//	consumer, err := orderevents.NewOrdersConsumer(client, service, telemetry.Consumer("orders"))
//	stop, err := telemetry.Watch("orders", consumer)
//	publishers := orderevents.NewPublishers(client, telemetry.Publisher())
//
// # Traces
//
// Publish makes a producer span "publish URN", stamps its trace into the message and injects traceparent and tracestate
// as properties, which retries and dead letters keep. Each time a handler runs there is a consumer span "process URN",
// whose parent is the publisher's span: the retries of a message are siblings. What is done after it (retry, dead
// letter) is a short span below it. A message that never reaches a handler because it is poison, gated or unknown has a
// span too. If a message has no valid traceparent, the parent is derived from its trace id, as other SDKs do. Such a
// parent counts as sampled, so a sampler that asks the parent keeps all of these; use one that decides by trace id to
// keep fewer.
//
// The messages of a batch have a span each, in the trace of each. The batch handler's context is that of the first
// message, whose span has a link to each of the others, and each of them has one back.
//
// # Metrics
//
// All names start with bq. The attributes are the queue, URNs that were handled, outcomes and reasons, so that no
// message can make new series: a URN that nobody handles is counted as "_unknown".
package bqotel
