// Package record reads messages by the Pulsar schema that they were written with, without types that were generated or
// written for them: Pulsar calls this AUTO_CONSUME.
//
// A schema is on the topic, where anybody may have put it, and so is a message. So nothing that they contain makes
// this package panic, recurse without bound, or use memory out of proportion to the message.
package record
