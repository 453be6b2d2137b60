// Package services tests several services on one queue, on the in-memory Pulsar and on the real one whose address is in
// the environment variable BQ_PULSAR_URL (set by go run ./dev/pulsar exec). docs/services.md lists the scenarios.
package services
