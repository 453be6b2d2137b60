package bq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/send"
)

// An OutgoingMessage is a message that is being published, with its payload encoded and without its envelope, as
// [PublishMiddleware] sees it.
type OutgoingMessage struct {
	// Key and OrderingKey decide the partition and, on a Key_Shared subscription, the consumer.
	Key         string
	OrderingKey string
	// Properties are further properties of the message. Those of the contract, whose names start with bq-, win.
	Properties map[string]string

	header       envelope.Header
	topic        string
	catalogTopic string
	config       *publishConfig
	data         []byte
	encode       func(dst []byte) ([]byte, error) // instead of data
	setData      bool
	deliver      PublishHandler
	async        bool
	results      []func(PublishResult, error)
}

// URN returns the URN of the message.
func (m *OutgoingMessage) URN() string { return m.header.URN }

// ID returns the message's meta.id (ENV-3).
func (m *OutgoingMessage) ID() string { return m.header.ID }

// TraceID returns the message's trace id.
func (m *OutgoingMessage) TraceID() string { return m.header.TraceID }

// SetTraceID replaces the trace id, unless [WithTraceID] has set it. A blank one changes nothing (ENV-17).
func (m *OutgoingMessage) SetTraceID(id string) {
	if id = envelope.Trim(id); id != "" && m.config.traceID == nil {
		m.header.TraceID = id
	}
}

// Topic returns the topic that the message goes to.
func (m *OutgoingMessage) Topic() string { return m.topic }

// Data returns the payload's JSON. Do not change its bytes.
func (m *OutgoingMessage) Data() []byte { return m.data }

// SetData replaces the payload, for example by its encrypted form. data must be JSON; otherwise publishing fails.
func (m *OutgoingMessage) SetData(data []byte) { m.data, m.setData = data, true }

// OnResult has fn called with the result of the message, as soon as it is known. For PublishAsync that is after next
// has returned. Functions are called in the order in which they were given; their panics are logged.
func (m *OutgoingMessage) OnResult(fn func(PublishResult, error)) { m.results = append(m.results, fn) }

// finish tells the result.
func (m *OutgoingMessage) finish(result PublishResult, err error) {
	for _, fn := range m.results {
		if e := protect(func() error { fn(result, err); return nil }); e != nil {
			m.config.report("a function given to OnResult panicked", e)
		}
	}
}

// result returns what is known of a message before it is sent.
func (m *OutgoingMessage) result() PublishResult {
	return PublishResult{ID: m.header.ID, TraceID: m.header.TraceID}
}

// configOf returns what options of publishing say together.
func configOf(opts []PublishOption) publishConfig {
	var c publishConfig
	for _, o := range opts {
		if o == nil {
			c.refused = errors.New("a publish option is nil")
			continue
		}
		o.applyToPublish(&c)
	}
	return c
}

// prepare encodes a message that is to be published.
func (p *Publisher[T]) prepare(ctx context.Context, payload *T, opts []PublishOption) (OutgoingMessage, error) {
	to, err := p.where(ctx)
	if err != nil {
		return OutgoingMessage{}, err
	}
	config := configOf(opts)
	config.report, config.all = p.producers.report, p.producers.config.messages
	if config.refused != nil {
		return OutgoingMessage{}, config.refused
	}
	traceID := TraceID(ctx)
	if config.traceID != nil {
		traceID = *config.traceID
	}
	header, err := envelope.NewHeader(p.definition.URN, traceID, to.queue, time.Now())
	if err != nil {
		return OutgoingMessage{}, err
	}
	if config.id != nil {
		if header.ID = envelope.Trim(*config.id); header.ID == "" {
			return OutgoingMessage{}, errors.New("WithID: the id is blank")
		}
	}
	header.ExtraMeta = config.meta
	if err := p.definition.Codec.Check(payload); err != nil {
		return OutgoingMessage{}, err
	}
	o := OutgoingMessage{
		header: header, topic: to.topic, catalogTopic: p.definition.Queue.Topic, config: &config,
		OrderingKey: config.orderingKey, Properties: config.properties,
	}
	switch {
	case config.key != nil:
		o.Key = *config.key
	case p.definition.Key != nil:
		o.Key = p.definition.Key(payload)
	}
	encode := func(dst []byte) ([]byte, error) { return p.definition.Codec.Append(dst, payload) }
	if p.producers.handler == nil {
		o.encode = encode
		return o, nil
	}
	o.Properties = maps.Clone(o.Properties)
	if o.Properties == nil {
		o.Properties = make(map[string]string)
	}
	o.data, err = encode(nil)
	return o, err
}

// message returns the message for Pulsar.
func (m *OutgoingMessage) message() (*pulsar.ProducerMessage, error) {
	encode := m.encode
	if encode == nil {
		if m.setData && !json.Valid(m.data) {
			return nil, errors.New("a publish middleware set data that is not JSON")
		}
		encode = func(dst []byte) ([]byte, error) { return append(dst, m.data...), nil }
	}
	body, err := envelope.Append(make([]byte, 0, 512), m.header, encode)
	if err != nil {
		return nil, err
	}
	config := m.config
	msg := &pulsar.ProducerMessage{
		Payload: body, Properties: m.header.Properties(), Key: m.Key, OrderingKey: m.OrderingKey,
		EventTime: config.eventTime, DeliverAt: config.deliverAt, SequenceID: config.sequenceID,
	}
	for name, value := range m.Properties {
		if _, taken := msg.Properties[name]; !taken && !envelope.Blank(name) && !envelope.Blank(value) {
			msg.Properties[name] = value
		}
	}
	if config.delay > 0 {
		msg.DeliverAfter = config.delay
	}
	if len(config.all)+len(config.messages) > 0 {
		err = send.Unchanged("WithMessage", msg, func() error {
			return protect(func() error {
				for _, fn := range customizersOf(config.all, isQueue(m.catalogTopic)) {
					fn(msg)
				}
				for _, fn := range customizersOf(config.messages, isQueue(m.catalogTopic)) {
					fn(msg)
				}
				return nil
			})
		})
	}
	return msg, err
}

// A StoredMessage is a complete message that has not been sent: what [Publisher.Message] returns and [Producers.Send]
// sends. It can be stored as JSON, or field by field.
type StoredMessage struct {
	Topic       string            `json:"topic"` // after [WithTopics]
	URN         string            `json:"urn"`
	ID          string            `json:"id"` // meta.id (ENV-3)
	TraceID     string            `json:"trace_id"`
	Body        []byte            `json:"body"`
	Properties  map[string]string `json:"properties"`
	Key         string            `json:"key,omitempty"`
	OrderingKey string            `json:"ordering_key,omitempty"`
	EventTime   time.Time         `json:"event_time,omitzero"`
	DeliverAt   time.Time         `json:"deliver_at,omitzero"`
	SequenceID  *int64            `json:"sequence_id,omitempty"`
}

func newStoredMessage(o *OutgoingMessage, msg *pulsar.ProducerMessage) StoredMessage {
	s := StoredMessage{
		Topic: o.topic, URN: o.header.URN, ID: o.header.ID, TraceID: o.header.TraceID,
		Body: msg.Payload, Properties: msg.Properties, Key: msg.Key, OrderingKey: msg.OrderingKey,
		EventTime: msg.EventTime, DeliverAt: msg.DeliverAt, SequenceID: msg.SequenceID,
	}
	if msg.DeliverAfter > 0 {
		s.DeliverAt = time.Now().Add(msg.DeliverAfter)
	}
	return s
}

// check returns an error if the message is not what Message returned.
func (m *StoredMessage) check() error {
	e, err := envelope.Parse(m.Body)
	switch {
	case m.Topic == "":
		return errors.New("it has no topic")
	case err != nil:
		return fmt.Errorf("its body is not an envelope: %w", err)
	case e.Meta.ID != m.ID:
		return errors.New("its ID is not the one in its body")
	case strings.TrimSpace(m.Properties[envelope.PropertyMessageID]) != m.ID:
		return fmt.Errorf("its property %s is not its ID", envelope.PropertyMessageID)
	}
	return nil
}

// message returns the message for Pulsar. A time to deliver it at that has passed is none.
func (m *StoredMessage) message() *pulsar.ProducerMessage {
	msg := &pulsar.ProducerMessage{
		Payload: m.Body, Properties: maps.Clone(m.Properties), Key: m.Key, OrderingKey: m.OrderingKey,
		EventTime: m.EventTime, SequenceID: m.SequenceID,
	}
	if m.DeliverAt.After(time.Now()) {
		msg.DeliverAt = m.DeliverAt
	}
	return msg
}
