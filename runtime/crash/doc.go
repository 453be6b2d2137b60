// Package crash contains tests that kill consumers with SIGKILL again and again while messages are in flight, and the
// broker too. Every message whose publishing was confirmed must be handled at least once or end up on the dead-letter
// topic, on every subscription type.
//
// The tests need a real Pulsar, whose address is in BQ_PULSAR_URL (set by go run ./dev/pulsar exec). The broker that
// they kill is their own. By default they take less than a minute; -crash.kills, -crash.restarts and -crash.outage make
// them longer and harder. An outage longer than 30 s exceeds the timeouts of the Pulsar client. With -crash.ackrate=1
// the broker stores acknowledgements once a second, as it does by default; a kill of the broker then loses some that it
// had confirmed.
//
// Where only consumers are killed, what is handled twice is counted: no more for a kill than a consumer may have
// unsettled. Members of batches of which others were not settled are counted apart.
package crash
