// Package inspect says what a message on a topic is, for people who look at it: what a consumer of today's catalog
// would make of it. It decides nothing.
package inspect

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/payloads"
)

// A Kind says what a message is.
type Kind string

// The kinds of messages.
const (
	Good      Kind = "good"
	Retry     Kind = "retry" // delivered before
	Gated     Kind = "gated" // of another version of the envelope (GATE-1)
	Poison    Kind = "poison"
	Unknown   Kind = "unknown"   // its URN is not in the catalog
	Invalid   Kind = "invalid"   // its payload does not satisfy today's schema
	Encrypted Kind = "encrypted" // nobody here has the key
	Elsewhere Kind = "elsewhere" // the catalog has its URN for another queue
)

// A Message is what is known of a message.
type Message struct {
	Kind     Kind
	URN      string // by which it is routed (RTE-1)
	BodyURN  string // if it differs from URN
	ID       string
	TraceID  string
	Version  string             // of a gated one
	Cause    string             // why it is poison, unknown, elsewhere or encrypted
	Faults   schema.Diagnostics // of an invalid one
	Attempts int64
	Envelope *envelope.Envelope // nil if the body is not a JSON object, or not to be looked at
	Known    *schema.URN        // nil if the catalog does not have it

	Pulsar pulsar.Message
}

// Data returns the payload, or nil.
func (m *Message) Data() []byte {
	if m.Envelope == nil {
		return nil
	}
	return m.Envelope.Data
}

// Accepted reports whether a consumer would give the message to a handler.
func (m *Message) Accepted() bool { return m.Kind == Good || m.Kind == Retry }

// Summary says in a few words what the message is.
func (m *Message) Summary() string {
	switch m.Kind {
	case Invalid:
		if len(m.Faults) > 0 {
			return "invalid: " + m.Faults[0].Message
		}
	case Gated:
		return "gated: version " + quote(m.Version)
	case Poison, Unknown, Elsewhere, Encrypted:
		return string(m.Kind) + ": " + m.Cause
	}
	return string(m.Kind)
}

// An Inspector looks at messages of one catalog. It is not safe for concurrent use.
type Inspector struct {
	checker *payloads.Checker
	queue   *schema.Queue // nil for any
}

// New returns an inspector of messages that belong to a queue, or to any queue if q is nil.
func New(c *schema.Catalog, q *schema.Queue) *Inspector { return &Inspector{payloads.New(c), q} }

// Look looks at a message as it is.
func (i *Inspector) Look(msg pulsar.Message) *Message {
	if m := LookForKeys(msg); m != nil {
		return m
	}
	m := i.LookAt(msg.Payload(), msg.Properties())
	m.Pulsar = msg
	return m
}

// LookForKeys looks at a message that is encrypted. It returns nil for any other.
func LookForKeys(msg pulsar.Message) *Message {
	e := msg.GetEncryptionContext()
	if e == nil || len(e.Keys) == 0 {
		return nil
	}
	var names []string
	for name := range e.Keys {
		names = append(names, quote(name))
	}
	m := &Message{Kind: Encrypted, Cause: "with the key " + strings.Join(names, ", "), Pulsar: msg}
	m.fromProperties(msg.Properties())
	return m
}

// LookAt looks at a body and properties, in the order of a consumer: gate, envelope, route, payload.
func (i *Inspector) LookAt(body []byte, properties map[string]string) *Message {
	m := &Message{}
	m.fromProperties(properties)
	if version, gated := envelope.GatedVersion(properties); gated {
		m.Kind, m.Version = Gated, version
		return m
	}
	var err error
	m.Envelope, err = envelope.Parse(body)
	if e := m.Envelope; e != nil {
		if e.Meta.ID != "" {
			m.ID = e.Meta.ID
		}
		if e.TraceID != "" {
			m.TraceID = e.TraceID
		}
	}
	if err != nil {
		m.Kind, m.Cause = Poison, err.Error()
		return m
	}
	if _, ok := envelope.ParseAttempts(properties[envelope.PropertyAttempts]); !ok {
		m.Attempts = max(m.Envelope.Attempts, 0) // ATT-3
	}
	if urn := m.Envelope.URN(); m.URN == "" {
		m.URN = urn
	} else if urn != m.URN {
		m.BodyURN = urn
	}
	m.Known = i.checker.Find(m.URN)
	switch {
	case m.Known == nil:
		m.Kind, m.Cause = Unknown, "the catalog has no "+quote(m.URN)
	case i.queue != nil && m.Known.Queue != i.queue:
		m.Kind, m.Cause = Elsewhere, "the catalog has it for the queue "+m.Known.Queue.Name
	default:
		_, m.Faults = i.checker.Payload(m.Known, "data", m.Envelope.Data)
		switch {
		case m.Faults.HasErrors():
			m.Kind = Invalid
		case m.Attempts > 0:
			m.Kind = Retry
		default:
			m.Kind = Good
		}
	}
	return m
}

func (m *Message) fromProperties(properties map[string]string) {
	m.URN = envelope.Trim(properties[envelope.PropertyJob])
	m.ID = properties[envelope.PropertyMessageID]
	m.TraceID = properties[envelope.PropertyTraceID]
	m.Attempts, _ = envelope.ParseAttempts(properties[envelope.PropertyAttempts])
}

// Partition returns the number of a message's partition, or -1.
func Partition(msg pulsar.Message) int { return PartitionOf(msg.Topic()) }

// PartitionOf returns the number of the partition that a topic is, or -1.
func PartitionOf(name string) int {
	if topic.WithoutPartition(name) == name {
		return -1
	}
	n, err := strconv.Atoi(name[strings.LastIndexByte(name, '-')+1:])
	if err != nil {
		return -1
	}
	return n
}

// MessageID returns a message's id as text: ledger:entry:partition, and its place in a producer's batch. The client
// does not know the partition, since each is read on its own.
func MessageID(msg pulsar.Message) string {
	id := msg.ID()
	s := fmt.Sprintf("%d:%d:%d", id.LedgerID(), id.EntryID(), Partition(msg))
	if id.BatchSize() > 1 {
		s += fmt.Sprintf(":%d", id.BatchIdx())
	}
	return s
}

// maxQuoted bounds what is shown of a text that came with a message, in characters.
const maxQuoted = 200

func quote(s string) string { return text.QuoteShort(s, maxQuoted) }
