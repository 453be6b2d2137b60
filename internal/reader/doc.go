// Package reader reads one partition of a topic: every message once, in order, and none left out.
//
// The client's own reader does not promise that. When it reconnects, it can lose the message that it was about to hand
// over, and hand over others twice; and if it starts at the latest message and has not returned one, it goes on at what
// is the latest message then. So a [Reader] gives up a pulsar.Reader that reconnects, with whatever that may still
// return, and opens another one behind the last message that it returned itself. The client asks for a backoff policy
// before each reconnect, and resets it afterwards, so a Reader knows of each one before it gets anything that came
// through the new connection.
package reader
