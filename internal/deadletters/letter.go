package deadletters

import (
	"fmt"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/inspect"
	"github.com/babelqueue/bqgen/internal/topology"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// The reasons of dead letters: the contract's (DLQ-2), and two that are not on the wire.
const (
	Failed     = string(envelope.Failed)
	UnknownURN = string(envelope.UnknownURN)
	Poison     = string(envelope.Poison)
	Gated      = "gated" // moved as it came (GATE-5)
	Other      = "other" // without a block: by hand, or by Pulsar's own policy
)

// Reasons returns all reasons.
func Reasons() []string { return []string{Failed, UnknownURN, Poison, Gated, Other} }

// A Letter is one message on a dead-letter topic.
type Letter struct {
	Reason    string
	Error     string
	Exception string
	// FailedAt is dead_letter.failed_at or, where that cannot be, the time of publishing; then IsPublishTime is true.
	FailedAt      time.Time
	IsPublishTime bool
	Attempts      int64
	Queue         string // dead_letter.original_queue, else meta.queue (RED-3)

	// Message is what would be sent again, as a consumer of today's catalog sees it.
	Message *inspect.Message
	// Body is its bytes, nil if there are none.
	Body []byte
	// Refusal says why it cannot be sent again whatever is asked for; "" if it can.
	Refusal string
	// IsForeign is true for the dead letter of another queue that shares the topic.
	IsForeign bool

	Raw       pulsar.Message
	Partition string // the topic that it was read from

	chunks []admin.Position // of all its entries, if it is stored in chunks and about to be sent
}

// Position returns where the letter is.
func (l *Letter) Position() admin.Position {
	return admin.Position{Ledger: l.Raw.ID().LedgerID(), Entry: l.Raw.ID().EntryID()}
}

// first returns the position of the letter's first chunk, and whether it is stored in chunks. Its position is then that
// of the last one, so that an acknowledgement of it would leave the others.
func (l *Letter) first() (admin.Position, bool) {
	text, _, inChunks := strings.Cut(l.Raw.ID().String(), ";") // FIRST;LAST, of each ledger:entry:partition
	var p admin.Position
	if !inChunks {
		return l.Position(), false
	}
	_, err := fmt.Sscanf(text, "%d:%d:", &p.Ledger, &p.Entry)
	return p, err == nil
}

// entries returns the positions of all that is stored of the letter.
func (l *Letter) entries() []admin.Position {
	if l.chunks != nil {
		return l.chunks
	}
	return []admin.Position{l.Position()}
}

// Time returns the time that filters compare.
func (l *Letter) Time() time.Time { return l.FailedAt }

// maxFuture is how far a clock may be ahead before its times are not believed.
const maxFuture = 24 * time.Hour

// read makes a letter of a message.
func (b *Box) read(msg pulsar.Message, partition string) *Letter {
	l := &Letter{Raw: msg, Partition: partition, Reason: Other, FailedAt: msg.PublishTime(), IsPublishTime: true}
	properties := msg.Properties()
	body := msg.Payload()
	if m := inspect.LookForKeys(msg); m != nil {
		l.Message, l.Refusal = m, "it is encrypted "+m.Cause
		return l
	}
	if _, gated := envelope.GatedVersion(properties); gated {
		l.Reason, l.Body = Gated, body
		l.Message = b.inspector.LookAt(body, properties)
		if e, _ := envelope.Parse(body); e != nil {
			l.Queue = e.Meta.Queue
		}
		b.place(l)
		return l
	}
	if e, _ := envelope.Parse(body); e != nil {
		l.takeBlock(e)
	}
	l.takeBody(body)
	l.Message = b.inspector.LookAt(l.Body, withAttempts(properties))
	if l.Queue == "" && l.Message.Envelope != nil {
		l.Queue = l.Message.Envelope.Meta.Queue
	}
	b.place(l)
	return l
}

// takeBlock reads the dead_letter member.
func (l *Letter) takeBlock(e *envelope.Envelope) {
	block, ok := e.Block()
	if !ok {
		return
	}
	l.Error, l.Exception, l.Attempts, l.Queue = block.Error, block.Exception, block.Attempts, block.OriginalQueue
	switch r := string(block.Reason); r {
	case Failed, UnknownURN, Poison:
		l.Reason = r
	}
	at := block.FailedAt
	if at.UnixMilli() > 0 && at.Year() >= 2000 && at.Before(l.FailedAt.Add(maxFuture)) {
		l.FailedAt, l.IsPublishTime = at, false
	}
}

// takeBody decides which bytes would be sent again: without block and with attempts 0 (RED-2), of a wrapped poison
// record the bytes that were received.
func (l *Letter) takeBody(record []byte) {
	if raw, ok := envelope.Unwrap(record); ok {
		l.Body = raw
		return
	}
	e, err := envelope.Parse(record)
	switch {
	case e == nil:
		l.Body = record
	case err != nil:
		l.Body = e.WithoutDeadLetter()
	default:
		l.Body = e.Redriven()
	}
}

// place decides whose the letter is, by the queue that it names (RED-3). Its text never decides where it is sent.
func (b *Box) place(l *Letter) {
	switch {
	case l.Queue == "" && len(b.others) == 0, b.group.Owns(l.Queue):
	case owned(b.others, l.Queue):
		l.IsForeign = true
	case l.Queue == "":
		l.Refusal = "it names no queue, and several share this topic"
	default:
		l.Refusal = fmt.Sprintf("it is of the queue %.80q, which is not %s", l.Queue, b.group.Queue.Name)
	}
}

func owned(groups []*topology.Group, queue string) bool {
	for _, g := range groups {
		if g.Owns(queue) {
			return true
		}
	}
	return false
}
