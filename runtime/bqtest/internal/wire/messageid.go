package wire

import (
	"encoding/binary"
	"reflect"

	"github.com/apache/pulsar-client-go/pulsar"
)

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

// NewChunkedID makes the id of a message in n chunks from the place of the last.
func NewChunkedID(ledger, number int64, n int64, partition int32) pulsar.MessageID {
	return &chunkedID{NewID(ledger, number, -1, partition, 0), NewID(ledger, number-n+1, -1, partition, 0)}
}

// NewID makes an id of the client's own type. Only from bytes can it be made with a batch size.
func NewID(ledger, number int64, batchIndex, partition, batchSize int32) pulsar.MessageID {
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

// IsID reports whether the id is of the client's own type: made by Send, by pulsar.NewMessageID or from bytes.
func IsID(id pulsar.MessageID) bool {
	_, chunked := id.(*chunkedID)
	return chunked || reflect.TypeOf(id) == clientIDType
}
