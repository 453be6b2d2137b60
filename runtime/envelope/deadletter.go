package envelope

import (
	"strings"
	"time"

	"github.com/babelqueue/bqgen/internal/contract"
)

// A Reason says why a message was dead-lettered (DLQ-2).
type Reason string

// The reasons of the contract.
const (
	Failed     Reason = contract.ReasonFailed     // failed: its handler failed and no attempts are left
	UnknownURN Reason = contract.ReasonUnknownURN // unknown_urn: nobody handles its URN
	Poison     Reason = contract.ReasonPoison     // poison: its body is not an acceptable envelope
)

// A DeadLetter is the dead_letter block of a record on a dead-letter topic (DLQ-2).
type DeadLetter struct {
	Reason        Reason
	Error         string // what went wrong; null on the wire if empty
	Exception     string // the type of the error; null on the wire if empty
	FailedAt      time.Time
	OriginalQueue string // null on the wire if empty
	Attempts      int64  // the deliveries so far, including this one
}

// append appends the block, its members in the order of DLQ-2. It cannot fail, since a dead letter must be written
// whatever an error's text contains: bytes that are not UTF-8 become U+FFFD.
func (d DeadLetter) append(dst []byte) []byte {
	w := writer{dst: dst}
	w.text('{', contract.DeadLetterReason, string(d.Reason))
	w.textOrNull(contract.DeadLetterError, d.Error)
	w.textOrNull(contract.DeadLetterException, d.Exception)
	w.integer(contract.DeadLetterFailedAt, d.FailedAt.UnixMilli())
	w.textOrNull(contract.DeadLetterOriginalQueue, d.OriginalQueue)
	w.integer(contract.DeadLetterAttempts, d.Attempts)
	w.text(',', contract.DeadLetterLang, Lang)
	w.raw("}")
	return w.dst
}

func (w *writer) textOrNull(name, value string) {
	if value == "" {
		w.name(',', name)
		w.raw("null")
		return
	}
	w.text(',', name, strings.ToValidUTF8(value, "\ufffd"))
}
