package bqtest

import (
	"math/bits"

	"github.com/apache/pulsar-client-go/pulsar"
)

// router picks the partition of a message as the client does: by its ordering
// key, else by its key, else the next one in turn.
type router struct {
	hash  func(string) uint32
	turn  uint32
	parts uint32
}

func newRouter(scheme pulsar.HashingScheme, parts int) *router {
	r := &router{hash: javaStringHash, parts: uint32(parts)}
	if scheme == pulsar.Murmur3_32Hash {
		r.hash = murmur3Hash
	}
	return r
}

// NumPartitions makes the router the pulsar.TopicMetadata of a custom router.
func (r *router) NumPartitions() uint32 { return r.parts }

func (r *router) route(m *pulsar.ProducerMessage) int {
	switch {
	case r.parts == 1:
		return 0
	case m.OrderingKey != "":
		return int(r.hash(m.OrderingKey) % r.parts)
	case m.Key != "":
		return int(r.hash(m.Key) % r.parts)
	}
	p := r.turn % r.parts
	r.turn++
	return int(p)
}

// javaStringHash is the client's: Java's String.hashCode over bytes.
func javaStringHash(s string) uint32 {
	var h uint32
	for i := range len(s) {
		h = 31*h + uint32(s[i])
	}
	return h
}

// murmur3Hash is MurmurHash3 (x86, 32 bits, seed 0) without its sign bit.
func murmur3Hash(s string) uint32 {
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
