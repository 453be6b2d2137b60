package envelope

import (
	"bufio"
	"crypto/rand"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/babelqueue/bqgen/internal/contract"
)

// ErrBlankURN is the error for a message without a URN (ENV-16).
var ErrBlankURN = errors.New("the URN is blank")

// A Header contains everything in the envelope of a new message except the payload.
type Header struct {
	URN       string // job
	TraceID   string // trace_id
	ID        string // meta.id
	Queue     string // meta.queue
	CreatedAt time.Time
	// ExtraMeta are further members of meta, written after the others and sorted by name (ENV-15). Their values can be
	// nil, booleans, numbers, strings, and slices and maps of these. A json.RawMessage is written as it is.
	ExtraMeta map[string]any
}

// random are sources of random numbers that read many at a time.
var random = sync.Pool{New: func() any { return bufio.NewReaderSize(rand.Reader, 1024) }}

// newID returns a new UUIDv4.
func newID() string {
	source := random.Get().(*bufio.Reader)
	defer random.Put(source)
	id, err := uuid.NewRandomFromReader(source)
	if err != nil { // not with crypto/rand
		return uuid.NewString()
	}
	return id.String()
}

// NewHeader returns the header of a new message: the URN trimmed (ENV-16), the trace id trimmed or, if it is blank, a
// new UUIDv4 (ENV-17), and a new UUIDv4 as the id (ENV-3). A URN can be any text that is not blank (ENV-11). The only
// error is [ErrBlankURN].
func NewHeader(urn, traceID, queue string, createdAt time.Time) (Header, error) {
	h := Header{URN: Trim(urn), TraceID: Trim(traceID), ID: newID(), Queue: queue, CreatedAt: createdAt}
	if h.URN == "" {
		return Header{}, ErrBlankURN
	}
	if h.TraceID == "" {
		h.TraceID = newID()
	}
	return h, nil
}

// Append appends the envelope of a new message to dst, its members in the order of ENV-2 and ENV-3. appendData appends
// the payload, a JSON object whose members may have any order (ENC-6); nil means {}. Texts must be UTF-8 (ENC-5). On an
// error, which may be a [*MetaError], Append returns dst unchanged.
func Append(dst []byte, h Header, appendData func(dst []byte) ([]byte, error)) ([]byte, error) {
	w := writer{dst: dst}
	w.text('{', contract.MemberJob, h.URN)
	w.text(',', contract.MemberTraceID, h.TraceID)
	w.name(',', contract.MemberData)
	if err := w.data(appendData); err != nil {
		return dst, err
	}
	w.name(',', contract.MemberMeta)
	w.text('{', contract.MetaID, h.ID)
	w.text(',', contract.MetaQueue, h.Queue)
	w.text(',', contract.MetaLang, Lang)
	w.integer(contract.MetaSchemaVersion, SchemaVersion)
	w.integer(contract.MetaCreatedAt, h.CreatedAt.UnixMilli())
	w.extraMeta(h.ExtraMeta)
	w.raw("}")
	w.integer(contract.MemberAttempts, 0)
	w.raw("}")
	if w.err != nil {
		return dst, w.err
	}
	return w.dst, nil
}

// Properties returns the six properties of a new message (MAP-1). It leaves out those whose value is empty (MAP-3).
func (h Header) Properties() map[string]string {
	return project(h.URN, h.TraceID, h.ID, strconv.Itoa(SchemaVersion), Lang, 0)
}

// data writes the payload that appendData appends.
func (w *writer) data(appendData func([]byte) ([]byte, error)) error {
	if appendData == nil {
		w.raw("{}")
		return nil
	}
	start := len(w.dst)
	out, err := appendData(w.dst)
	if err != nil {
		return err
	}
	if len(out) <= start || out[start] != '{' {
		return errors.New("the payload is not a JSON object") // every consumer would reject it (ACC-4)
	}
	w.dst = out
	return nil
}
