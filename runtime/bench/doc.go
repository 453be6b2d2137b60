// Package bench measures consumers on a real Pulsar, compared with the Pulsar client alone: make bench prints the
// table of docs/performance.md, and make soak sends a million messages through one consumer.
package bench
