package envelope

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// ErrBlankURN is returned for a message without a URN (ENV-16).
var ErrBlankURN = errors.New("the URN is blank")

// A Header is what an envelope says about its payload when it is produced.
type Header struct {
	URN       string
	TraceID   string
	ID        string // meta.id
	Queue     string // meta.queue
	CreatedAt time.Time
	// ExtraMeta are further members of meta, appended after the others and sorted by name (ENV-15). Values are what
	// JSON has: nil, booleans, numbers, strings, and slices and maps of these; json.RawMessage goes as it is.
	ExtraMeta map[string]any
}

// NewHeader returns the header of a new message: the URN trimmed (ENV-16), the trace id trimmed or, when blank, a
// fresh UUIDv4 (ENV-17), and a fresh UUIDv4 as its id. The error is ErrBlankURN.
func NewHeader(urn, traceID, queue string, createdAt time.Time) (Header, error) {
	h := Header{URN: Trim(urn), TraceID: Trim(traceID), ID: uuid.NewString(), Queue: queue, CreatedAt: createdAt}
	if h.URN == "" {
		return Header{}, ErrBlankURN
	}
	if h.TraceID == "" {
		h.TraceID = uuid.NewString()
	}
	return h, nil
}

// Append appends the envelope of a new message to dst, its members in the order of ENV-2 and ENV-3. appendData
// appends the payload, a JSON object; nil stands for {}. On an error, which may be a *MetaError, dst is returned as it came.
func Append(dst []byte, h Header, appendData func(dst []byte) ([]byte, error)) ([]byte, error) {
	e := stringAppender{dst: dst}
	e.member(`{"job":`, h.URN)
	e.member(`,"trace_id":`, h.TraceID)
	e.raw(`,"data":`)
	if err := e.data(appendData); err != nil {
		return dst, err
	}
	e.member(`,"meta":{"id":`, h.ID)
	e.member(`,"queue":`, h.Queue)
	e.member(`,"lang":`, Lang)
	e.raw(`,"schema_version":`)
	e.integer(SchemaVersion)
	e.raw(`,"created_at":`)
	e.integer(h.CreatedAt.UnixMilli())
	e.extraMeta(h.ExtraMeta)
	e.raw(`},"attempts":0}`)
	if e.err != nil {
		return dst, e.err
	}
	return e.dst, nil
}

// Properties returns the six properties of a new message (MAP-1). An empty source is left out (MAP-3).
func (h Header) Properties() map[string]string {
	return project(h.URN, h.TraceID, h.ID, strconv.Itoa(SchemaVersion), Lang, 0)
}

// A stringAppender appends pieces of JSON and remembers the first error.
type stringAppender struct {
	dst []byte
	err error
}

func (e *stringAppender) raw(text string) { e.dst = append(e.dst, text...) }

func (e *stringAppender) integer(v int64) { e.dst = strconv.AppendInt(e.dst, v, 10) }

func (e *stringAppender) member(name, value string) {
	e.raw(name)
	var ok bool
	if e.dst, ok = jsonwire.AppendString(e.dst, value); !ok {
		e.fail(fmt.Errorf("%q is not valid UTF-8", value)) // ENC-5
	}
}

func (e *stringAppender) data(appendData func([]byte) ([]byte, error)) error {
	if appendData == nil {
		e.raw("{}")
		return nil
	}
	start := len(e.dst)
	out, err := appendData(e.dst)
	if err != nil {
		return err
	}
	if len(out) <= start || out[start] != '{' {
		return errors.New("the payload is not a JSON object") // ACC-4: every consumer would refuse it
	}
	e.dst = out
	return nil
}
