package bqtest

import (
	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// router picks the partition of a message as the client does: by its ordering key, else by its key, else the next one
// in turn.
type router struct {
	hash  func(string) uint32
	turn  uint32
	parts uint32
}

func newRouter(scheme pulsar.HashingScheme, parts int) *router {
	r := &router{hash: wire.JavaStringHash, parts: uint32(parts)}
	if scheme == pulsar.Murmur3_32Hash {
		r.hash = wire.Murmur3Hash
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
