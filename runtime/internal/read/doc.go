// Package read reads topics without a subscription that lasts. It knows Pulsar, but neither envelopes nor payloads.
//
// A topic is read by one pulsar.Reader for each of its partitions. That keeps the order of each partition, lets each
// one start and end where it should, and makes the client say when it cannot ask the broker: its HasNext answers false
// then, as at the end.
package read
