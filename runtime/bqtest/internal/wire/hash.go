package wire

import (
	"fmt"
	"math/bits"
)

// JavaStringHash is the client's: Java's String.hashCode over bytes.
func JavaStringHash(s string) uint32 {
	var h uint32
	for i := range len(s) {
		h = 31*h + uint32(s[i])
	}
	return h
}

// Murmur3Hash is MurmurHash3 (x86, 32 bits, seed 0) without its sign bit.
func Murmur3Hash(s string) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	var h uint32
	n := len(s)
	tail := s[n&^3:]
	for ; len(s) >= 4; s = s[4:] {
		k := uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
		h ^= bits.RotateLeft32(k*c1, 15) * c2
		h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	}
	var k uint32
	for i := len(tail) - 1; i >= 0; i-- {
		k = k<<8 | uint32(tail[i])
	}
	h ^= bits.RotateLeft32(k*c1, 15) * c2
	h ^= uint32(n)
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	h ^= h >> 16
	return h & 0x7fffffff
}

// OnRing puts each name on a ring at a hundred places and returns the index of the one that comes at or after the hash.
func OnRing(hash uint32, names []string) int {
	const places = 100
	next, first := -1, -1
	var nextAt, firstAt uint32
	for i, name := range names {
		for place := range places {
			at := Murmur3Hash(fmt.Sprint(name, place))
			if first < 0 || at <= firstAt { // of two at one place the later counts
				first, firstAt = i, at
			}
			if at >= hash && (next < 0 || at <= nextAt) {
				next, nextAt = i, at
			}
		}
	}
	if next < 0 {
		return first
	}
	return next
}
