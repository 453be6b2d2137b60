package bqtest

import "time"

// DefaultMaxMessageSize is the size limit of a broker, in bytes: 5 MiB, as in Pulsar.
const DefaultMaxMessageSize = 5 << 20

// Option sets up a [Broker].
type Option func(*Broker)

// WithManualClock starts the broker's clock at start and stops it there: only [Broker.Advance] moves it. The default is
// the real time.
func WithManualClock(start time.Time) Option {
	return func(b *Broker) {
		b.timers.manual = true
		b.timers.now = start
	}
}

// WithRetention keeps every message of every topic, acknowledged or not, with or without a subscription, as an
// unlimited retention policy does. [Broker.Messages] then returns everything that was ever sent, and a later
// subscription can start at the earliest message. Memory grows with each message. By default a topic keeps only what
// some subscription has not acknowledged yet.
func WithRetention() Option {
	return func(b *Broker) { b.retention = true }
}

// WithMaxMessageSize sets the size limit of a message in bytes; the default is [DefaultMaxMessageSize]. A larger
// payload is refused with pulsar.ErrMessageTooLarge. If only the payload together with properties and keys exceeds the
// limit, the error is another one, as in the real client. WithMaxMessageSize panics if n is less than 1.
func WithMaxMessageSize(n int) Option {
	if n < 1 {
		panic("bqtest: WithMaxMessageSize needs at least 1 byte")
	}
	return func(b *Broker) { b.maxMessageSize = n }
}

// WithDisconnectsCounted makes the loss of a consumer, by Close or with its connection, count as a redelivery of every
// message that it had been sent on Shared and Key_Shared, including prefetched ones that no handler saw; and the counts
// outlive the last consumer. Versions of the broker differ in this. The default is as in Pulsar 4.0: only a negative
// acknowledgement counts, and the counts end with the last consumer.
func WithDisconnectsCounted() Option {
	return func(b *Broker) { b.countDisconnects = true }
}
