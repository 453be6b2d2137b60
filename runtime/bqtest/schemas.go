package bqtest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// Schema returns the schema that a topic has under a version, as a message's SchemaVersion gives it. It can be passed
// to bq.WithSchemas.
func (b *Broker) Schema(ctx context.Context, topic string, version []byte) (*pulsar.SchemaInfo, error) {
	tn, err := wire.ParseTopic(topic)
	if err != nil {
		return nil, err
	}
	b.lock()
	defer b.unlock()
	all := b.schemas[tn.Base]
	if len(version) != 8 || binary.BigEndian.Uint64(version) >= uint64(len(all)) {
		return nil, fmt.Errorf("%s has no schema version %x", topic, version)
	}
	return copied(all[binary.BigEndian.Uint64(version)]), ctx.Err()
}

// copied returns a copy without what the client keeps in a schema.
func copied(s *pulsar.SchemaInfo) *pulsar.SchemaInfo {
	return &pulsar.SchemaInfo{Name: s.Name, Type: s.Type, Schema: s.Schema, Properties: maps.Clone(s.Properties)}
}

// accept returns the version of the schema on the topic, or why the topic cannot have a producer, a consumer or a
// message with it. A schema that is new becomes another version. The version is nil if there is no schema.
func (t *topic) accept(schema pulsar.Schema) (version []byte, err error) {
	if schema == nil {
		return nil, nil
	}
	info := schema.GetSchemaInfo()
	if info == nil || info.Type <= pulsar.NONE { // none, bytes, or what the topic has
		return nil, nil
	}
	all := t.b.schemas[t.name.Base]
	for i, known := range all {
		if known.Type == info.Type && known.Schema == info.Schema {
			return binary.BigEndian.AppendUint64(nil, uint64(i)), nil
		}
	}
	if n := len(all); n > 0 && !t.b.namespaces[t.name.Namespace].AnySchema {
		if why := wire.Incompatible(all[n-1], info); why != nil {
			return nil, fmt.Errorf("org.apache.pulsar.broker.service.schema.exceptions.IncompatibleSchemaException: "+
				"Error during schema compatibility check with strategy FULL: %w", why)
		}
	}
	t.b.schemas[t.name.Base] = append(all, copied(info))
	return binary.BigEndian.AppendUint64(nil, uint64(len(all))), nil
}

// acceptProducer is accept for producers, which some namespaces want to have a schema.
func (t *topic) acceptProducer(schema pulsar.Schema) error {
	version, err := t.accept(schema)
	if err == nil && version == nil && len(t.b.schemas[t.name.Base]) > 0 &&
		t.b.namespaces[t.name.Namespace].SchemaRequired {
		err = errNoSchema
	}
	return err
}

var errNoSchema = errors.New("org.apache.pulsar.broker.service.schema.exceptions.IncompatibleSchemaException: " +
	"Producers cannot connect or send message without a schema to topics with a schema")
