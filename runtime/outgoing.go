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

	producers    *Producers
	header       envelope.Header
	topic        string
	catalogTopic string
	config       *publishConfig // not to be changed
	data         []byte
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
			m.producers.report("a function given to OnResult panicked", e)
		}
	}
}

// result returns what is known of a message before it is sent.
func (m *OutgoingMessage) result() PublishResult {
	return PublishResult{ID: m.header.ID, TraceID: m.header.TraceID}
}

// noOptions is what no options say.
var noOptions publishConfig

// configOf returns what options of publishing say together.
func configOf(opts []PublishOption) *publishConfig {
	if len(opts) == 0 {
		return &noOptions
	}
	c := new(publishConfig)
	for _, o := range opts {
		if o == nil {
			c.refused = errors.New("a publish option is nil")
			continue
		}
		o.applyToPublish(c)
	}
	return c
}

// prepare returns a message that is to be published, and its payload encoded if there is middleware.
func (p *Publisher[T]) prepare(ctx context.Context, payload *T, opts []PublishOption) (OutgoingMessage, error) {
	to, err := p.where(ctx)
	if err != nil {
		return OutgoingMessage{}, err
	}
	config := configOf(opts)
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
		producers: p.producers, header: header, topic: to.topic, catalogTopic: p.definition.Queue.Topic, config: config,
		OrderingKey: config.orderingKey, Properties: config.properties,
	}
	switch {
	case config.key != nil:
		o.Key = *config.key
	case p.definition.Key != nil:
		o.Key = p.definition.Key(payload)
	}
	if p.producers.handler == nil {
		return o, nil
	}
	o.Properties = maps.Clone(o.Properties)
	if o.Properties == nil {
		o.Properties = make(map[string]string)
	}
	o.data, err = p.definition.Codec.Append(nil, payload)
	return o, err
}

// encode prepares a message and puts it into msg, for publishers without middleware.
func (p *Publisher[T]) encode(
	ctx context.Context, payload *T, opts []PublishOption, msg *pulsar.ProducerMessage,
) (OutgoingMessage, error) {
	o, err := p.prepare(ctx, payload, opts)
	if err != nil {
		return OutgoingMessage{}, err
	}
	room := p.bodySize.Load()
	err = o.encode(msg, int(room+room/16), func(dst []byte) ([]byte, error) {
		return p.definition.Codec.Append(dst, payload)
	})
	if size := int32(min(len(msg.Payload), mostRoom)); size != room {
		p.bodySize.Store(size)
	}
	return o, err
}

// mostRoom is how much room at most a message gets before its size is known.
const mostRoom = 16 << 10

// message puts a message that has passed the middleware into msg.
func (m *OutgoingMessage) message(msg *pulsar.ProducerMessage) error {
	if m.setData && !json.Valid(m.data) {
		return errors.New("a publish middleware set data that is not JSON")
	}
	return m.encode(msg, 512+len(m.data), func(dst []byte) ([]byte, error) { return append(dst, m.data...), nil })
}

// customized reports whether functions of the user's see the message for Pulsar.
func (m *OutgoingMessage) customized() bool {
	return len(m.producers.config.messages)+len(m.config.messages) > 0
}

// encode puts the message for Pulsar into msg, whose body and properties it overwrites. appendData appends the payload.
// The body will have about room bytes.
func (m *OutgoingMessage) encode(
	msg *pulsar.ProducerMessage, room int, appendData func([]byte) ([]byte, error),
) error {
	body := msg.Payload[:0]
	if cap(body) < room {
		body = make([]byte, 0, room)
	}
	body, err := envelope.Append(body, m.header, appendData)
	if err != nil {
		return err
	}
	config := m.config
	if msg.Payload = body; msg.Properties == nil {
		msg.Properties = make(map[string]string, 6)
	}
	clear(msg.Properties)
	m.header.PutProperties(msg.Properties)
	msg.Key, msg.OrderingKey = m.Key, m.OrderingKey
	msg.EventTime, msg.DeliverAt, msg.SequenceID = config.eventTime, config.deliverAt, config.sequenceID
	for name, value := range m.Properties {
		if _, taken := msg.Properties[name]; !taken && !envelope.Blank(name) && !envelope.Blank(value) {
			msg.Properties[name] = value
		}
	}
	if config.delay > 0 {
		msg.DeliverAfter = config.delay
	}
	if !m.customized() {
		return nil
	}
	return send.Unchanged("WithMessage", msg, func() error {
		return protect(func() error {
			for _, fn := range customizersOf(m.producers.config.messages, isQueue(m.catalogTopic)) {
				fn(msg)
			}
			for _, fn := range customizersOf(config.messages, isQueue(m.catalogTopic)) {
				fn(msg)
			}
			return nil
		})
	})
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

func newStoredMessage(topic, urn string, result PublishResult, msg *pulsar.ProducerMessage) StoredMessage {
	s := StoredMessage{
		Topic: topic, URN: urn, ID: result.ID, TraceID: result.TraceID,
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
func (m *StoredMessage) message() pulsar.ProducerMessage {
	msg := pulsar.ProducerMessage{
		Payload: m.Body, Properties: maps.Clone(m.Properties), Key: m.Key, OrderingKey: m.OrderingKey,
		EventTime: m.EventTime, SequenceID: m.SequenceID,
	}
	if m.DeliverAt.After(time.Now()) {
		msg.DeliverAt = m.DeliverAt
	}
	return msg
}
