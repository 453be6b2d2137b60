// Package wire contains what clients and brokers of Pulsar agree on: names of topics, message ids, hashes of keys, the
// texts of errors, which schemas go together.
package wire
