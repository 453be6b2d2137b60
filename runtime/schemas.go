package bq

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/runtime/record"
)

// A SchemaLookup returns the schema that a topic has under a version. The topic is a full name without a partition, the
// version what pulsar.Message's SchemaVersion returns. It is called from several goroutines.
type SchemaLookup func(ctx context.Context, topic string, version []byte) (*pulsar.SchemaInfo, error)

// WithSchemas looks schemas up by their version, for [Delivery.Fields] and [Delivery.Schema]. Each version is looked up
// once; a look-up that fails is done again when the next message needs it.
//
// The Pulsar client has a look-up of its own, which ends the process if it cannot parse what it finds. [SchemasFrom]
// asks Pulsar's admin API.
func WithSchemas(lookup SchemaLookup) SchemaOption { return schemaOption{lookup} }

// A SchemaOption is for consumers and readers.
type SchemaOption interface {
	ConsumerOption
	ReaderOption
}

type schemaOption struct{ lookup SchemaLookup }

func (o schemaOption) applyToConsumer(c *consumerConfig) {
	c.refuse(o.lookup == nil, "WithSchemas: the function is nil")
	c.refuse(c.schemas != nil, "WithSchemas is given twice")
	c.schemas = newSchemas(o.lookup)
}

func (o schemaOption) applyToReader(c *readerConfig) {
	if o.lookup == nil {
		c.errs = append(c.errs, errors.New("WithSchemas: the function is nil"))
	}
	c.schemas = newSchemas(o.lookup)
}

// maxAnswer bounds what is read of an answer of the admin API, in bytes: more than Pulsar takes for a message.
const maxAnswer = 8 << 20

// SchemasFrom returns a look-up that asks the admin API at a URL, such as http://localhost:8080. The client logs in;
// nil is http.DefaultClient. A look-up ends with its context, which is that of the handler.
func SchemasFrom(adminURL string, client *http.Client) SchemaLookup {
	if client == nil {
		client = http.DefaultClient
	}
	return func(ctx context.Context, topic string, version []byte) (*pulsar.SchemaInfo, error) {
		if len(version) != 8 {
			return nil, fmt.Errorf("%x is no version of a schema", text.Short(string(version)))
		}
		scheme, rest, _ := strings.Cut(topic, "://")
		parts := strings.SplitN(rest, "/", 3)
		if len(parts) != 3 || scheme == "" {
			return nil, fmt.Errorf("%s is no full name of a topic", text.Quote(topic))
		}
		address := fmt.Sprintf("%s/admin/v2/schemas/%s/%s/%s/schema/%d", strings.TrimRight(adminURL, "/"),
			url.PathEscape(parts[0]), url.PathEscape(parts[1]), url.PathEscape(parts[2]),
			int64(binary.BigEndian.Uint64(version)))
		return askForSchema(ctx, client, address)
	}
}

func askForSchema(ctx context.Context, client *http.Client, address string) (*pulsar.SchemaInfo, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("get %s: HTTP %d", redact(address), response.StatusCode)
	}
	var answer struct {
		Type       string            `json:"type"`
		Data       string            `json:"data"`
		Properties map[string]string `json:"properties"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&answer); err != nil {
		return nil, fmt.Errorf("get %s: %w", redact(address), err)
	}
	kind, err := record.TypeNamed(answer.Type)
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", redact(address), err)
	}
	return &pulsar.SchemaInfo{
		Name: answer.Type, Type: kind, Schema: answer.Data, Properties: answer.Properties,
	}, nil
}

// schemas are those that were looked up. It is nil without WithSchemas.
type schemas struct {
	lookup SchemaLookup

	mu    sync.Mutex
	known map[schemaKey]*knownSchema
	size  int // of the definitions, in bytes
}

type schemaKey struct{ topic, version string }

// Producers can claim any version, and register any number of them. So these bound how many are remembered, the bytes
// of their definitions, and the bytes of a version: Pulsar's own have eight.
const (
	maxSchemas     = 1000
	maxDefinitions = 4 << 20
	maxVersion     = 64
)

func newSchemas(lookup SchemaLookup) *schemas {
	return &schemas{lookup: lookup, known: map[schemaKey]*knownSchema{}}
}

// of returns the schema that a message was written with.
func (s *schemas) of(ctx context.Context, msg pulsar.Message) (*knownSchema, error) {
	version := msg.SchemaVersion()
	if len(version) == 0 {
		return nil, ErrNoSchema
	}
	if s == nil {
		return nil, errors.New("the message has a schema, and nothing says how to look it up: give WithSchemas")
	}
	if len(version) > maxVersion {
		return nil, fmt.Errorf("the message has a schema version of %d bytes, at most %d are read", len(version), maxVersion)
	}
	in := fullTopic(msg.Topic())
	k := s.entry(schemaKey{in, string(version)})
	select {
	case k.busy <- struct{}{}: // others wait, and find it looked up
		defer func() { <-k.busy }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if k.info != nil {
		return k, nil
	}
	var info *pulsar.SchemaInfo
	err := protect(func() (err error) { info, err = s.lookup(ctx, in, version); return err })
	if err == nil && info == nil {
		err = errors.New("there is none")
	}
	if err != nil {
		return nil, fmt.Errorf("look up schema version %x of %s: %w", text.Short(string(version)),
			topic.LastSegment(in), err)
	}
	k.decoder, k.err = record.NewDecoder(info)
	k.info = info
	s.grow(len(info.Schema))
	return k, nil
}

// grow counts the bytes of a definition, and forgets all schemas when they are too many.
func (s *schemas) grow(size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size += size; s.size > maxDefinitions {
		clear(s.known)
		s.size = 0
	}
}

func (s *schemas) entry(key schemaKey) *knownSchema {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.known[key]
	if k == nil {
		if len(s.known) >= maxSchemas {
			clear(s.known)
			s.size = 0
		}
		k = &knownSchema{busy: make(chan struct{}, 1)}
		s.known[key] = k
	}
	return k
}

// A knownSchema is a schema that was looked up, or is about to be.
type knownSchema struct {
	busy    chan struct{}
	info    *pulsar.SchemaInfo // nil until the look-up has succeeded
	decoder *record.Decoder
	err     error // why there is no decoder
}

func (k *knownSchema) fields(body []byte) (record.Fields, error) {
	if k.err != nil {
		return nil, k.err
	}
	return k.decoder.Fields(body)
}

// copy returns the schema for a caller to keep.
func (k *knownSchema) copy() *pulsar.SchemaInfo {
	return &pulsar.SchemaInfo{
		Name: k.info.Name, Type: k.info.Type, Schema: k.info.Schema, Properties: maps.Clone(k.info.Properties),
	}
}
