// Package asyncapi describes a catalog as an AsyncAPI 3.0 document: a channel for each queue, with its Pulsar binding, a
// message for each URN, in its envelope, and an operation for what each service sends to or receives from a queue.
package asyncapi
