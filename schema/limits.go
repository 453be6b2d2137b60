package schema

import "math/big"

// Limits are the least and the greatest integer that a Go type can hold.
type Limits struct {
	Min, Max *big.Rat
	Type     string // the Go type in words, for messages
}

var (
	int32Limits  = &Limits{least(31), greatest(31), "an integer of 32 bits"}
	int64Limits  = &Limits{least(63), greatest(63), "an integer of 64 bits"}
	uint64Limits = &Limits{new(big.Rat), greatest(64), "an unsigned integer of 64 bits"}
)

func least(bits uint) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Neg(powerOfTwo(bits)))
}

func greatest(bits uint) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Sub(powerOfTwo(bits), big.NewInt(1)))
}

func powerOfTwo(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

// IntegerLimits returns the limits of the Go type of an Integer with this format.
func IntegerLimits(f Format) *Limits {
	switch f {
	case Int32:
		return int32Limits
	case Uint64:
		return uint64Limits
	}
	return int64Limits
}

var (
	float32Overflow = &Num{Text: new(big.Int).Sub(powerOfTwo(128), powerOfTwo(103)).String()}
	float64Overflow = &Num{Text: new(big.Int).Sub(powerOfTwo(1024), powerOfTwo(970)).String()}
)

// Overflow returns the least positive number that does not round to one that the Go type of a Number with this format
// can hold: half a step above the largest.
func Overflow(f Format) *Num {
	if f == Float {
		return float32Overflow
	}
	return float64Overflow
}
