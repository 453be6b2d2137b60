package bq

import "time"

// A nackBackoff is the wait before a negatively acknowledged message is delivered again. The client's own policy
// overflows at redelivery 34 and then does not wait at all.
type nackBackoff struct{ shortest, longest time.Duration }

// Next returns the wait before the redelivery that follows redeliveries others.
func (b nackBackoff) Next(redeliveries uint32) time.Duration {
	return doubling(b.shortest, b.longest, int64(redeliveries))
}
