package flow

import "math"

// reconcile returns how often a message was delivered before: what its property says or, when that is not valid, its
// body (ATT-2, ATT-3), but at least the broker's redelivery count (ATT-4, ATT-5).
func reconcile(property string, body int64, redeliveries uint32) int64 {
	attempts, ok := parseAttempts(property)
	if !ok {
		attempts = body
	}
	return max(attempts, int64(redeliveries))
}

// parseAttempts reads a bq-attempts property: ASCII digits and nothing else, at most 2147483647 (ATT-1).
func parseAttempts(property string) (attempts int64, ok bool) {
	for _, c := range []byte(property) {
		if c < '0' || c > '9' {
			return 0, false
		}
		if attempts = attempts*10 + int64(c-'0'); attempts > math.MaxInt32 {
			return 0, false
		}
	}
	return attempts, property != ""
}
