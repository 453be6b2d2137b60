package flow

import (
	"errors"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

var (
	errNope  = errors.New("no stock")
	someTime = time.UnixMilli(1749132730000)
)

// A fakeMessage has what a settlement reads of a message.
type fakeMessage struct {
	pulsar.Message
	body       []byte
	properties map[string]string
}

func (m fakeMessage) Payload() []byte               { return m.body }
func (m fakeMessage) Properties() map[string]string { return m.properties }
func (m fakeMessage) Topic() string                 { return "persistent://public/default/orders-partition-3" }
func (m fakeMessage) Key() string                   { return "k" }
func (m fakeMessage) OrderingKey() string           { return "" }
func (m fakeMessage) EventTime() time.Time          { return time.UnixMilli(0) }
