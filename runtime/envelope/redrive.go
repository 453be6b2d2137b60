package envelope

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// IsDeadLettered reports whether the body has a dead_letter member.
func (e *Envelope) IsDeadLettered() bool { return len(e.oldBlocks) > 0 }

// Redriven returns the body as it is sent again: without any dead_letter member and with attempts 0 (RED-2). Every
// other byte is as received. A dead letter of a service is sent to the service's retry topic, where no other service
// sees it (FAN-11).
func (e *Envelope) Redriven() []byte {
	return splice(e.body, append(e.withoutBlocks(), e.setAttempts(0))...)
}

// WithData returns the body with another payload. Every other byte is as received.
func (e *Envelope) WithData(data []byte) []byte { return splice(e.body, edit{e.data, data}) }

// WithoutDeadLetter returns the body without any dead_letter member: of a spliced poison record that is the body that
// was received, except for white space around it (POI-6).
func (e *Envelope) WithoutDeadLetter() []byte { return splice(e.body, e.withoutBlocks()...) }

func (e *Envelope) withoutBlocks() []edit {
	edits := make([]edit, 0, len(e.oldBlocks)+1)
	for _, old := range e.oldBlocks {
		edits = append(edits, edit{span: old})
	}
	return edits
}

// Block returns the last dead_letter member, read leniently, since any SDK and any hand may have written it: what is
// missing or has the wrong type is the zero value. ok is false if there is no such member or it is not an object.
func (e *Envelope) Block() (d DeadLetter, ok bool) {
	if e.block.end == 0 || e.body[e.block.start] != '{' {
		return DeadLetter{}, false
	}
	_, err := members(e.body, e.block.start, MaxDepth, func(name []byte, m member) {
		value := e.body[m.value.start:m.value.end]
		switch string(name) {
		case contract.DeadLetterReason:
			d.Reason = Reason(textOf(value))
		case contract.DeadLetterError:
			d.Error = textOf(value)
		case contract.DeadLetterException:
			d.Exception = textOf(value)
		case contract.DeadLetterOriginalQueue:
			d.OriginalQueue = textOf(value)
		case contract.DeadLetterAttempts:
			d.Attempts = count(value)
		case contract.DeadLetterFailedAt:
			if d.FailedAt = (time.Time{}); isNumber(value) {
				d.FailedAt = time.UnixMilli(truncate(value))
			}
		}
	})
	return d, err == nil
}

// textOf returns the text of a string literal, and "" for any other value.
func textOf(value []byte) string {
	quoted := literal(value)
	if quoted == nil {
		return ""
	}
	return string(jsonwire.AppendUnquoted(nil, quoted))
}

// Unwrap returns the body that a wrapped poison record was made from (POI-12, POI-13). ok is false if this is no such
// record.
func Unwrap(record []byte) (body []byte, ok bool) {
	p, err := parse(record)
	if err != nil || len(p.oldBlocks) == 0 {
		return nil, false
	}
	var raw, encoding []byte
	_, err = members(p.body, jsonwire.SkipSpace(p.body, 0), MaxDepth, func(name []byte, m member) {
		switch string(name) {
		case contract.PoisonRaw:
			raw = literal(p.body[m.value.start:m.value.end])
		case contract.PoisonRawEncoding:
			encoding = p.body[m.value.start:m.value.end]
		}
	})
	if err != nil || raw == nil {
		return nil, false
	}
	if encoding == nil {
		return jsonwire.AppendUnquoted(nil, raw), true
	}
	var text string
	if json.Unmarshal(raw, &text) != nil || string(encoding) != `"base64"` {
		return nil, false
	}
	body, err = base64.StdEncoding.DecodeString(text)
	return body, err == nil
}
