// Package acceptance contains tests that run on both backends: the in-memory Pulsar of bqtest and a real broker, whose
// address is in the environment variable BQ_PULSAR_URL (set by go run ./dev/pulsar exec). They show that the two behave
// alike. Without a broker the tests run in memory only.
package acceptance
