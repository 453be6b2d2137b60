package envelope

import (
	"fmt"
	"strconv"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// A writer appends pieces of JSON to dst and keeps the first error.
type writer struct {
	dst []byte
	err error
}

func (w *writer) raw(text string) { w.dst = append(w.dst, text...) }

// name appends the name of a member, which needs no escapes, after a comma or an opening brace.
func (w *writer) name(before byte, name string) {
	w.dst = append(w.dst, before, '"')
	w.dst = append(w.dst, name...)
	w.dst = append(w.dst, '"', ':')
}

// text appends a member that is a string.
func (w *writer) text(before byte, name, value string) {
	w.name(before, name)
	w.quoted(value)
}

// integer appends a member that is an integer and not the first one.
func (w *writer) integer(name string, value int64) {
	w.name(',', name)
	w.dst = strconv.AppendInt(w.dst, value, 10)
}

// quoted appends a string. One that is not UTF-8 is an error (ENC-5).
func (w *writer) quoted(s string) {
	var ok bool
	if w.dst, ok = jsonwire.AppendString(w.dst, s); !ok {
		w.fail(fmt.Errorf("%q is not valid UTF-8", s))
	}
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}
