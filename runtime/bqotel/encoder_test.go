package bqotel_test

import (
	"strings"

	otelattribute "go.opentelemetry.io/otel/attribute"
)

// An encoder writes attributes as name=value, sorted by name.
type encoder struct{}

func (encoder) Encode(i otelattribute.Iterator) string {
	var parts []string
	for i.Next() {
		kv := i.Attribute()
		parts = append(parts, string(kv.Key)+"="+kv.Value.Emit())
	}
	return strings.Join(parts, ",")
}

func (encoder) ID() otelattribute.EncoderID { return otelattribute.NewEncoderID() }
