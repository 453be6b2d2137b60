package bq

import "context"

// A Definition is what the runtime knows of one URN whose payload is a T. Generated code has one for each URN.
type Definition[T any] struct {
	URN    string
	Queue  Queue
	Key    func(*T) string    // the message key; nil for none
	Encode func(*T, *Encoder) // writes the payload, a JSON object
	Decode func(*T, *Decoder) // reads it back
}

// A HandlerFunc handles the messages of one URN. What its error means is in the package's documentation.
//
// ctx carries the message's trace, so publishing with it continues the trace. It ends when the consumer is told to
// stop and the grace period is over; an error returned after that is no failed attempt, the message is delivered again.
type HandlerFunc[T any] func(ctx context.Context, m *Message[T]) error
