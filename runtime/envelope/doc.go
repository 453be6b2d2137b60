// Package envelope implements the BabelQueue wire format: the JSON object that every message body is (ENV-1), and the
// message properties that go with it. It does not depend on Pulsar.
//
// # A new message
//
// [NewHeader] returns the part of an envelope that is not its payload, [Append] writes the envelope, and
// [Header.Properties] returns the properties that go with it.
//
// # A received message
//
// [Parse] parses a body. A body that it rejects is poison. An [Envelope] is never encoded again: what changes on a
// retry ([Envelope.WithAttempts]) or in a dead letter ([Envelope.DeadLettered], [PoisonRecord]) is spliced into the
// bytes that were received. So numbers (NUM-4), member order, spacing and unknown members (ENV-14) stay as the producer
// wrote them.
//
// Numbers such as ENV-8 in the comments are the rules of the wire contract; docs/contract.md has a line for each.
package envelope

import "github.com/babelqueue/bqgen/internal/contract"

// SchemaVersion is the version of the envelope that this package reads and writes: 1 (ACC-7).
const SchemaVersion = contract.SchemaVersion

// Lang is the tag of this SDK in meta.lang and dead_letter.lang: go (ENV-4).
const Lang = contract.Lang

// MaxDepth is the number of levels of objects and arrays that a body may have, the envelope itself included (ACC-12).
const MaxDepth = 1000
