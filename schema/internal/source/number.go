package source

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// MaxNumber is the length of the longest number in a catalog, in characters, and the most decimal places by which its
// exponent may move the point.
const MaxNumber = 400

// IsNumber reports whether s is a number as JSON writes it.
func IsNumber(s string) bool { return jsonNumber.MatchString(s) }

// IsWhole reports whether s is a whole number in plain decimal digits.
func IsWhole(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == "" && (digits == "0" || digits[0] != '0')
}

// IsWorkable reports whether a JSON number fits into a float64 and is neither very long nor very close to zero, such as
// 1e-1000000: computing with those would take forever.
func IsWorkable(number string) bool {
	f, err := strconv.ParseFloat(number, 64)
	return err == nil && !math.IsInf(f, 0) && len(number) <= MaxNumber && !hasTinyExponent(number)
}

// hasTinyExponent reports numbers that are zero for all practical purposes.
func hasTinyExponent(number string) bool {
	for i := range len(number) {
		if number[i] == 'e' || number[i] == 'E' {
			exponent, err := strconv.Atoi(number[i+1:])
			return err != nil || exponent < -MaxNumber
		}
	}
	return false
}

// WholeText writes a workable number in canonical digits. It reports false for a number that is not whole.
func WholeText(number string) (string, bool) {
	if IsWhole(number) && number != "-0" {
		return number, true
	}
	r, _ := new(big.Rat).SetString(number)
	if !r.IsInt() {
		return "", false
	}
	return r.Num().String(), true
}
