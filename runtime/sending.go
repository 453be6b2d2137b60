package bq

import (
	"reflect"
	"sync"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/internal/send"
)

// A sending is a message of PublishAsync on its way.
type sending struct {
	send.Item
	publisher interface{ failed(error) error }
	message   *OutgoingMessage // with middleware
	seen      bool             // by user code, which may keep it
	done      func(PublishResult, error)
	id        string
	traceID   string
}

// sendings are records of messages that were confirmed, with the bodies and properties to be overwritten: most of what
// a message takes.
var sendings = sync.Pool{New: func() any { return new(sending) }}

// mostKept is the size of the largest body that is kept.
const mostKept = 16 << 10

// newSending returns a record for a message that no middleware sees.
func newSending[T any](p *Publisher[T], done func(PublishResult, error)) *sending {
	s := sendings.Get().(*sending)
	s.publisher, s.done = p, done
	return s
}

// Sent tells the result.
func (s *sending) Sent(id pulsar.MessageID, err error) {
	result := PublishResult{ID: s.id, TraceID: s.traceID, MessageID: id}
	if err != nil {
		err = s.publisher.failed(err)
	}
	if s.message != nil {
		s.message.finish(result, err)
	}
	s.done(result, err)
}

// Free keeps the record for another message, unless user code has seen this one.
func (s *sending) Free() {
	if s.seen || cap(s.Message.Payload) > mostKept {
		return
	}
	s.Message = pulsar.ProducerMessage{Payload: s.Message.Payload[:0], Properties: s.Message.Properties}
	s.publisher, s.done, s.id, s.traceID = nil, nil, "", ""
	s.Reset()
	sendings.Put(s)
}

var clientPackage = reflect.TypeFor[pulsar.ProducerMessage]().PkgPath()

// forgets reports whether a producer keeps nothing of a message that it has confirmed. The Pulsar client's does not;
// others may, such as those of tests, unless they say so.
func forgets(p pulsar.Producer) bool {
	if _, ok := p.(interface{ ForgetsMessages() }); ok {
		return true
	}
	t := reflect.TypeOf(p)
	return t != nil && t.Kind() == reflect.Pointer && t.Elem().PkgPath() == clientPackage
}
