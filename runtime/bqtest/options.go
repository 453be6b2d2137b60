package bqtest

import "time"

// DefaultMaxMessageSize is the size limit of a broker, in bytes: 5 MiB, as in Pulsar.
const DefaultMaxMessageSize = 5 << 20

// Option sets up a [Broker].
type Option func(*Broker)

// WithManualClock starts the broker's clock at start and stops it there: it moves by [Broker.Advance] only. The default
// is the real time.
func WithManualClock(start time.Time) Option {
	return func(b *Broker) {
		b.timers.manual = true
		b.timers.now = start
	}
}

// WithRetention keeps every message of every topic, acknowledged or not and with or without a subscription, as a
// retention policy without limits does: [Broker.Messages] then shows all that was ever sent, and a subscription made
// later can start at the earliest of them. Memory grows with each message. Without it a topic keeps what some
// subscription has still to acknowledge.
func WithRetention() Option {
	return func(b *Broker) { b.retention = true }
}

// WithMaxMessageSize sets the size limit in bytes; the default is [DefaultMaxMessageSize]. A larger payload is refused
// with pulsar.ErrMessageTooLarge; a payload within the limit that is over it together with its properties and keys is
// refused with another error, as in the real client. It panics if n is less than 1.
func WithMaxMessageSize(n int) Option {
	if n < 1 {
		panic("bqtest: WithMaxMessageSize needs at least 1 byte")
	}
	return func(b *Broker) { b.maxMessageSize = n }
}

// WithDisconnectsCounted has a consumer that goes, by Close or by a lost connection, raise the redelivery count of
// every message it had been sent on Shared and Key_Shared, prefetched ones that no handler saw included, and the last
// consumer leave the counts behind. Brokers have differed in this over their versions. Without the option it is as in
// Pulsar 4.0: only a negative acknowledgement counts, and with the last consumer the counts are gone.
func WithDisconnectsCounted() Option {
	return func(b *Broker) { b.countDisconnects = true }
}
