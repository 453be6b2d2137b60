package flow

import "github.com/babelqueue/bqgen/runtime/envelope"

// gated reports whether a message is of an envelope version that this consumer must not touch: its version property
// says something, and that is not exactly "1" (GATE-1, GATE-2, GATE-3).
func gated(properties map[string]string) (version string, yes bool) {
	return envelope.GatedVersion(properties)
}
