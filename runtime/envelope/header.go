package envelope

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strconv"
	"time"

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

const idSize = 36

// newIDs returns two new UUIDv4, which share their memory.
func newIDs() (string, string) {
	var random [32]byte
	_, _ = rand.Read(random[:]) // which never fails
	var text [2 * idSize]byte
	appendID(text[:0], random[:16])
	appendID(text[:idSize], random[16:])
	both := string(text[:])
	return both[:idSize], both[idSize:]
}

// appendID makes a UUIDv4 of 16 random bytes (RFC 9562, section 5.4) and appends it.
func appendID(dst, id []byte) []byte {
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	dst = hex.AppendEncode(dst, id[:4])
	for _, part := range [...][]byte{id[4:6], id[6:8], id[8:10], id[10:]} {
		dst = hex.AppendEncode(append(dst, '-'), part)
	}
	return dst
}

// NewHeader returns the header of a new message: the URN trimmed (ENV-16), the trace id trimmed or, if it is blank, a
// new UUIDv4 (ENV-17), and a new UUIDv4 as the id (ENV-3). A URN can be any text that is not blank (ENV-11). The only
// error is [ErrBlankURN].
func NewHeader(urn, traceID, queue string, createdAt time.Time) (Header, error) {
	h := Header{URN: Trim(urn), TraceID: Trim(traceID), Queue: queue, CreatedAt: createdAt}
	if h.URN == "" {
		return Header{}, ErrBlankURN
	}
	trace := ""
	if h.ID, trace = newIDs(); h.TraceID == "" {
		h.TraceID = trace
	}
	return h, nil
}

// Append appends the envelope of a new message to dst, its members in the order of ENV-2 and ENV-3. appendData appends
// the payload, a JSON object whose members may have any order (ENC-6); nil means {}. Texts must be UTF-8 (ENC-5). On an
// error, which may be a [*MetaError], Append returns dst unchanged.
func Append(dst []byte, h Header, appendData func(dst []byte) ([]byte, error)) ([]byte, error) {
	w := writer{dst: dst}
	w.raw(`{"` + contract.MemberJob + `":`)
	w.quoted(h.URN)
	w.raw(`,"` + contract.MemberTraceID + `":`)
	w.quoted(h.TraceID)
	w.raw(`,"` + contract.MemberData + `":`)
	if err := w.data(appendData); err != nil {
		return dst, err
	}
	w.raw(`,"` + contract.MemberMeta + `":{"` + contract.MetaID + `":`)
	w.quoted(h.ID)
	w.raw(`,"` + contract.MetaQueue + `":`)
	w.quoted(h.Queue)
	w.raw(`,"` + contract.MetaLang + `":"` + Lang + `"`)
	w.integer(contract.MetaSchemaVersion, SchemaVersion)
	w.integer(contract.MetaCreatedAt, h.CreatedAt.UnixMilli())
	w.extraMeta(h.ExtraMeta)
	w.raw(`},"` + contract.MemberAttempts + `":0}`)
	if w.err != nil {
		return dst, w.err
	}
	return w.dst, nil
}

// Properties returns the six properties of a new message (MAP-1). It leaves out those whose value is empty (MAP-3).
func (h Header) Properties() map[string]string {
	properties := make(map[string]string, 6)
	h.PutProperties(properties)
	return properties
}

// PutProperties puts what [Header.Properties] returns into dst, which saves a map.
func (h Header) PutProperties(dst map[string]string) {
	project(dst, h.URN, h.TraceID, h.ID, strconv.Itoa(SchemaVersion), Lang, 0)
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
