// Package crash holds the tests in which processes die: consumers by SIGKILL in mid-stream, again and again, and the
// broker with them. Every message whose publishing was confirmed must be handled at least once or be on the dead-letter
// topic, whatever the subscription's type.
//
// The tests need a real Pulsar, whose address is in BQ_PULSAR_URL (the test command sets it). The broker that is killed
// is one of their own. As they stand they take less than a minute; -crash.kills, -crash.restarts and -crash.outage make
// them longer and harder. An outage beyond 30 s outlasts the timeouts of the Pulsar client.
package crash
