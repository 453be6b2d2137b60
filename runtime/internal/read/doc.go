// Package read reads topics without a subscription that lasts. It knows Pulsar, but neither envelopes nor payloads.
//
// A topic is read by one reader for each of its partitions. That keeps the order of each partition, and lets each one
// start and end where it should.
package read
