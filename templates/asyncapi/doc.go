// Package asyncapi exports a catalog as an AsyncAPI 3.0 document.
//
// In: a loaded catalog and the options that it does not contain. Out: one document, as JSON or YAML. Each queue becomes
// a channel with its Pulsar binding, each URN a message in its envelope, and each service gets an operation for every
// queue that it sends to or receives from. [Kind] tells the document from other files when it is written.
//
// The document as a whole is in export.go, channels and operations in channel.go, messages in message.go, and payload
// schemas in schema.go.
package asyncapi
