// Package acceptance holds the tests that run over both backends: the in-memory Pulsar of bqtest and a real one, whose
// address is in the environment variable BQ_PULSAR_URL (the test command sets it). What passes here on the first is
// shown to be true of the second.
package acceptance
