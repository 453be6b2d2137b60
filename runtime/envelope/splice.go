package envelope

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/babelqueue/bqgen/internal/contract"
)

// WithAttempts returns the body with n as its attempts; every other byte is as received (RET-1). The member is replaced
// where it stands, the last one if there are several (ACC-11), and added at the end if there is none.
func (e *Envelope) WithAttempts(n int64) []byte {
	return splice(e.body, e.setAttempts(n))
}

// DeadLettered returns the dead-letter record of a message that could not be handled: the body with the block as its
// last member, replacing any earlier one (DLQ-3, DLQ-6), and with the block's attempts as its attempts (DLQ-4). Every
// other byte is as received.
func (e *Envelope) DeadLettered(d DeadLetter) []byte {
	edits := make([]edit, 0, 2+len(e.oldBlocks))
	for _, old := range e.oldBlocks {
		edits = append(edits, edit{span: old})
	}
	var block writer
	block.name(',', contract.MemberDeadLetter)
	edits = append(edits, e.setAttempts(d.Attempts), edit{
		span: span{e.closing, e.closing},
		text: d.append(block.dst),
	})
	return splice(e.body, edits...)
}

func (e *Envelope) setAttempts(n int64) edit {
	if e.attempts.end > 0 {
		return edit{e.attempts, strconv.AppendInt(nil, n, 10)}
	}
	var added writer
	added.integer(contract.MemberAttempts, n) // with a comma: an accepted envelope has other members
	return edit{span{e.closing, e.closing}, added.dst}
}

// An edit replaces a span with text.
type edit struct {
	span
	text []byte
}

// splice returns a copy of body with the edits applied. They must not overlap. Edits of the same span are applied in
// the order given.
func splice(body []byte, edits ...edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	size := len(body)
	for _, e := range edits {
		size += len(e.text) - (e.end - e.start)
	}
	out := make([]byte, 0, size)
	done := 0
	for _, e := range edits {
		out = append(out, body[done:e.start]...)
		out = append(out, e.text...)
		done = e.end
	}
	return append(out, body[done:]...)
}
