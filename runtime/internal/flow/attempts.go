package flow

import "github.com/babelqueue/bqgen/runtime/envelope"

// reconcile returns how often a message was delivered before: what its property says or, when that is not valid, its
// body (ATT-2, ATT-3), but at least the broker's redelivery count (ATT-4, ATT-5).
func reconcile(property string, body int64, redeliveries uint32) int64 {
	attempts, ok := envelope.ParseAttempts(property)
	if !ok {
		attempts = body
	}
	return max(attempts, int64(redeliveries))
}
