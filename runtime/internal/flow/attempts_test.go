package flow

import (
	"math/big"
	"regexp"
	"testing"
)

// FuzzAttempts compares with the rule spelt out in big numbers (ATT-1 to ATT-4).
func FuzzAttempts(f *testing.F) {
	f.Add("", int64(0), uint32(0))
	f.Add("007", int64(-1), uint32(3))
	f.Add("2147483647", int64(5), uint32(0))
	f.Add("2147483648", int64(1), uint32(0))
	f.Add("0000000000000000000000000000000000000002", int64(9), uint32(1))
	f.Add("+2", int64(9), uint32(1<<31))
	f.Add("٣", int64(9), uint32(1))
	digits := regexp.MustCompile(`\A[0-9]+\z`)
	f.Fuzz(func(t *testing.T, property string, body int64, redeliveries uint32) {
		want := body
		if digits.MatchString(property) {
			if n, _ := new(big.Int).SetString(property, 10); n.Cmp(big.NewInt(1<<31-1)) <= 0 {
				want = n.Int64()
			}
		}
		want = max(want, int64(redeliveries))
		if got := reconcile(property, body, redeliveries); got != want {
			t.Errorf("ATT-1 to ATT-4: %q, %d, %d: got %d, want %d", property, body, redeliveries, got, want)
		}
	})
}
