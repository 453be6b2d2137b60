// Package envelope is the BabelQueue wire format alone: the JSON object that every message body is, and the message
// properties that go with it. It knows nothing of Pulsar.
//
// A received body is read with [Parse] and never encoded again: what changes on a retry or a dead letter is spliced
// into the bytes that came, so numbers, member order, spacing and members that nobody here knows stay as they are.
//
// Numbers such as ENV-8 in the comments are the rules of the wire contract; docs/contract.md has each in a line.
package envelope

// SchemaVersion is the version of the envelope that this package reads and writes.
const SchemaVersion = 1

// Lang is this SDK's tag in meta.lang and dead_letter.lang (ENV-4).
const Lang = "go"

// MaxDepth is how many levels of objects and arrays a body may nest, the envelope itself included (ACC-12).
const MaxDepth = 1000
