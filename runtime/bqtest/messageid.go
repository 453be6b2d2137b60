package bqtest

import (
	"reflect"

	"github.com/apache/pulsar-client-go/pulsar"
)

// messageID is the id of a delivery: the client's own id (it serialises and
// compares as a real one does) that also knows what it was delivered to.
type messageID struct {
	pulsar.MessageID
	d *delivery
}

// topicMessageID is an id with its topic, as GetLastMessageIDs gives it.
type topicMessageID struct {
	pulsar.MessageID
	topic string
}

func (id topicMessageID) Topic() string { return id.topic }

// newID makes a client's id. A message alone in its entry has batch index 0,
// as with the real client.
func newID(ledger, entry int64, partition int32) pulsar.MessageID {
	return pulsar.NewMessageID(ledger, entry, 0, partition)
}

var clientIDType = reflect.TypeOf(pulsar.EarliestMessageID())

// isClientID says whether the id is of the client's own type: made by Send,
// by pulsar.NewMessageID or from bytes.
func isClientID(id pulsar.MessageID) bool { return reflect.TypeOf(id) == clientIDType }

// position gives the entry that an id means in a topic, -1 for the earliest
// end and the topic's end for the latest: ids of other ledgers lie before or
// after all of the topic's own.
func (t *topic) position(id pulsar.MessageID) int64 {
	switch {
	case id.LedgerID() < t.ledger:
		return -1
	case id.LedgerID() > t.ledger:
		return t.end()
	}
	return id.EntryID()
}
