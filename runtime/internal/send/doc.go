// Package send publishes messages: at the speed of the Pulsar client, in order per topic, and without ever blocking
// longer than its caller wants.
//
// A [Pool] has a lane for each topic that is in use. A lane accepts messages as long as there is room, passes them to
// the topic's producer one after the other, and takes in the results. Whoever finds a lane without a sender passes the
// messages on itself; a goroutine does so only where user code or the creation of a producer could block. The client is
// told never to block: what it has no room for waits in the lane.
//
// A message has one result. It is known at the latest when the send timeout is over, whatever the client does.
// Callbacks run on a goroutine of the lane, one at a time, in the order in which the results became known.
package send
