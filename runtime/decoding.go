package bq

import (
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// A Decoding decodes the payloads of one URN into P, an interface that the payloads of several URNs implement.
type Decoding[P any] struct {
	urn    string
	decode func(data []byte) (P, error)
}

// Decode returns the decoding of d's URN: as turns the payload into a P. Generated code calls it.
func Decode[P, T any](d Definition[T], as func(*T) P) Decoding[P] {
	return Decoding[P]{urn: d.URN, decode: func(data []byte) (payload P, err error) {
		v := new(T)
		if err := d.Codec.Read(data, v); err != nil {
			return payload, err
		}
		return as(v), nil
	}}
}

// A DecodingSet decodes the payloads of a queue into P. Generated code contains one for each queue that has messages.
type DecodingSet[P any] struct{ byURN map[string]Decoding[P] }

// Decodings returns a set of decodings. Of two for one URN the last one counts.
func Decodings[P any](all ...Decoding[P]) DecodingSet[P] {
	s := DecodingSet[P]{byURN: make(map[string]Decoding[P], len(all))}
	for _, d := range all {
		s.byURN[envelope.Trim(d.urn)] = d
	}
	return s
}
