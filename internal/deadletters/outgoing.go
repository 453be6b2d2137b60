package deadletters

import (
	"fmt"
	"maps"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// withAttempts returns properties with bq-attempts 0 (RED-2).
func withAttempts(properties map[string]string) map[string]string {
	p := maps.Clone(properties)
	if p == nil {
		p = map[string]string{}
	}
	p[envelope.PropertyAttempts] = "0"
	return p
}

// outgoing returns the message that is sent again: with all properties, key, ordering key and event time of the dead
// letter. The sequence id, the producer's schema version and a key that is no text cannot be carried over.
func (l *Letter) outgoing(body []byte) *pulsar.ProducerMessage {
	properties := withAttempts(l.Raw.Properties())
	if l.Reason == Gated {
		properties = maps.Clone(l.Raw.Properties())
	}
	out := &pulsar.ProducerMessage{
		Payload: body, Properties: properties, Key: l.Raw.Key(), OrderingKey: l.Raw.OrderingKey(),
	}
	if t := l.Raw.EventTime(); t.UnixMilli() > 0 { // the client says 1970 when there is none
		out.EventTime = t
	}
	return out
}

// Hold returns why a letter is left although it was selected; "" if it is sent.
func (o *Options) Hold(l *Letter) string {
	switch {
	case l.Refusal != "":
		return l.Refusal
	case l.Raw.ID().BatchSize() > o.window():
		return fmt.Sprintf("it is one of %d in a producer's batch, more than --window", l.Raw.ID().BatchSize())
	case l.Reason == Gated && !o.Filter.names(Gated):
		return "gated: nothing here can take its version; ask for it with --reason gated"
	case l.Reason == Gated, o.Data != nil:
		return ""
	case l.Message.Accepted():
		return ""
	case l.Message.Envelope == nil || l.Message.Kind == "poison":
		if o.AsIs {
			return ""
		}
		return "poison: it would be poison again; send its original bytes with --as-is"
	case o.Force:
		return ""
	}
	return "it would not be accepted: " + l.Message.Summary()
}
