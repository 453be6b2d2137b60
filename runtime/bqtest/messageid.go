package bqtest

import (
	"encoding/binary"
	"reflect"

	"github.com/apache/pulsar-client-go/pulsar"
)

// messageID is the id of a delivery: the client's own id (it serializes and compares as a real one does) that also
// knows what it was delivered to.
type messageID struct {
	pulsar.MessageID
	d *delivery
}

// topicMessageID is an id with its topic, as GetLastMessageIDs returns it.
type topicMessageID struct {
	pulsar.MessageID
	topic string
}

func (id topicMessageID) Topic() string { return id.topic }

// chunkedID is the id of a message in chunks: that of the last chunk, which knows the first.
type chunkedID struct {
	pulsar.MessageID
	first pulsar.MessageID
}

func (id *chunkedID) String() string { return id.first.String() + ";" + id.MessageID.String() }

func (id *chunkedID) Serialize() []byte {
	first := id.first.Serialize()
	return append(binary.AppendUvarint(append(id.MessageID.Serialize(), 7<<3|2), uint64(len(first))), first...)
}

// memberID returns the client's id of an entry's member. A message alone in its entry is the first of one.
func memberID(e *entry, index int, partition int32) pulsar.MessageID {
	if n := int64(len(e.parts)); n > 0 {
		return &chunkedID{
			newID(e.ledger, e.number, -1, partition, 0), newID(e.ledger, e.number-n, -1, partition, 0),
		}
	}
	return newID(e.ledger, e.number, int32(index), partition, int32(len(e.members)))
}

// newID makes an id of the client's own type. Only from bytes can it be made with a batch size.
func newID(ledger, number int64, batchIndex, partition, batchSize int32) pulsar.MessageID {
	var data []byte
	for i, value := range []int64{ledger, number, int64(partition), int64(batchIndex)} {
		data = append(data, byte(i+1)<<3) // the fields 1 to 4 of Pulsar's MessageIdData, as varints
		data = binary.AppendUvarint(data, uint64(value))
	}
	data = append(data, 6<<3)
	data = binary.AppendUvarint(data, uint64(batchSize))
	id, err := pulsar.DeserializeMessageID(data)
	if err != nil {
		panic("bqtest: make a message id: " + err.Error()) // the bytes are well-formed
	}
	return id
}

var clientIDType = reflect.TypeOf(pulsar.EarliestMessageID())

// isClientID reports whether the id is of the client's own type: made by Send, by pulsar.NewMessageID or from bytes.
func isClientID(id pulsar.MessageID) bool {
	_, chunked := id.(*chunkedID)
	return chunked || reflect.TypeOf(id) == clientIDType
}
