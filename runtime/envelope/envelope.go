package envelope

import (
	"bytes"
	"slices"
	"time"
)

// An Envelope is a received body. It refers to the bytes it was parsed from, which must not change.
type Envelope struct {
	Job      string // the job member as received; empty if it is missing or not a string
	TraceID  string // trace_id
	Data     []byte // the bytes of the data member
	Meta     Meta
	Attempts int64 // the attempts member, limited to the range of an int32; 0 if it is not a number (ACC-10, ATT-7)
	// Ignored are JSON Pointers to members that have no meaning although a producer may think so: forbidden members, a
	// job that is not a usable string, an alias next to a job. They stay in the body (ENV-9, ENV-10, ENV-13).
	Ignored []string

	urn       string
	body      []byte
	empty     bool   // the object has no members
	attempts  span   // the value of the last attempts member
	closing   int    // the offset of the object's closing brace
	data      span   // the value of the last data member
	block     span   // the value of the last dead_letter member
	oldBlocks []span // the dead_letter members, each with the comma that goes with it
}

// Meta is the meta member of an envelope. A member that is missing or has the wrong type is the zero value (ACC-10).
// Ids and times can have any value (ENV-7).
type Meta struct {
	ID            string
	Queue         string
	Lang          string
	SchemaVersion string // the literal text of the number
	CreatedAt     time.Time
}

// Clone returns a copy that shares no bytes with e. Of nil it returns nil.
func (e *Envelope) Clone() *Envelope {
	if e == nil {
		return nil
	}
	c := *e
	c.body, c.Data = bytes.Clone(e.body), bytes.Clone(e.Data)
	c.Ignored, c.oldBlocks = slices.Clone(e.Ignored), slices.Clone(e.oldBlocks)
	return &c
}

// URN returns the URN of the message, without blanks around it (RTE-5): the job member or, if that is not a usable
// string, its alias urn (ENV-9, ENV-10). It is empty if there is neither.
func (e *Envelope) URN() string { return e.urn }

// Body returns the bytes that the envelope was parsed from.
func (e *Envelope) Body() []byte { return e.body }
