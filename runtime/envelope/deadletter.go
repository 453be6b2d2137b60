package envelope

import (
	"strings"
	"time"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// A Reason says why a message was dead-lettered (DLQ-2).
type Reason string

// The reasons of the contract.
const (
	Failed     Reason = "failed"
	UnknownURN Reason = "unknown_urn"
	Poison     Reason = "poison"
)

// A DeadLetter is the dead_letter member of a record on a dead-letter topic.
type DeadLetter struct {
	Reason        Reason
	Error         string // what went wrong; null on the wire when empty
	Exception     string // the error's type; null on the wire when empty
	FailedAt      time.Time
	OriginalQueue string
	Attempts      int64 // deliveries counted, this one included
}

// append appends the block, its members in the order of DLQ-2. It cannot fail: what is not UTF-8 in a text becomes
// U+FFFD, since a dead letter has to be written whatever an error says.
func (d DeadLetter) append(dst []byte) []byte {
	e := stringAppender{dst: dst}
	e.member(`{"reason":`, string(d.Reason))
	e.textOrNull(`,"error":`, d.Error)
	e.textOrNull(`,"exception":`, d.Exception)
	e.raw(`,"failed_at":`)
	e.integer(d.FailedAt.UnixMilli())
	e.textOrNull(`,"original_queue":`, d.OriginalQueue)
	e.raw(`,"attempts":`)
	e.integer(d.Attempts)
	e.member(`,"lang":`, Lang)
	e.raw("}")
	return e.dst
}

func (e *stringAppender) textOrNull(name, value string) {
	e.raw(name)
	if value == "" {
		e.raw("null")
		return
	}
	e.dst, _ = jsonwire.AppendString(e.dst, strings.ToValidUTF8(value, "\ufffd"))
}
