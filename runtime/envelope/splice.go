package envelope

import (
	"cmp"
	"slices"
	"strconv"
)

// WithAttempts returns the body with n as its attempts: every other byte is as it came (RET-1). The member is
// replaced where it stands, the last one when there are several (ACC-11), and added at the end when there is none.
func (e *Envelope) WithAttempts(n int64) []byte {
	return splice(e.body, e.setAttempts(n))
}

// DeadLettered returns the record of a message that could not be handled: the body with the block as its last member,
// in place of an earlier one (DLQ-3, DLQ-6), and the block's attempts as its attempts (DLQ-4). Every other byte is as
// it came.
func (e *Envelope) DeadLettered(d DeadLetter) []byte {
	edits := make([]edit, 0, 2+len(e.oldLetter))
	for _, old := range e.oldLetter {
		edits = append(edits, edit{span: old})
	}
	edits = append(edits, e.setAttempts(d.Attempts), edit{
		span: span{e.closing, e.closing},
		text: d.append([]byte(`,"dead_letter":`)),
	})
	return splice(e.body, edits...)
}

func (e *Envelope) setAttempts(n int64) edit {
	if e.attempts.end > 0 {
		return edit{e.attempts, strconv.AppendInt(nil, n, 10)}
	}
	// An accepted envelope has members, so there is something before the comma.
	return edit{span{e.closing, e.closing}, strconv.AppendInt([]byte(`,"attempts":`), n, 10)}
}

// An edit puts text in place of a span.
type edit struct {
	span
	text []byte
}

// splice returns body with the edits made. They do not overlap; those at one place come in the order given.
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
