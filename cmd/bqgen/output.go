package main

import (
	"encoding/json"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/babelqueue/bqgen/internal/text"
)

// A table prints rows whose columns are aligned. Every cell is one line.
type table struct{ w *tabwriter.Writer }

func newTable(w io.Writer, head ...string) *table {
	t := &table{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
	t.row(head...)
	return t
}

// maxCell bounds a cell, in characters.
const maxCell = 120

func (t *table) row(cells ...string) {
	for i, c := range cells {
		cells[i] = text.Escape(text.Shorten(c, maxCell))
	}
	line := strings.TrimRight(strings.Join(cells, "\t"), "\t")
	io.WriteString(t.w, line+"\n")
}

func (t *table) flush() error { return t.w.Flush() }

// printJSON prints one value on one line.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// age shows how long ago something was, roughly.
func age(now, at time.Time) string {
	if at.IsZero() {
		return "-"
	}
	d := now.Sub(at)
	switch {
	case d < 0:
		return "in the future"
	case d < time.Minute:
		return d.Truncate(time.Second).String()
	case d < 48*time.Hour:
		return strings.TrimSuffix(d.Truncate(time.Minute).String(), "0s")
	}
	return (d / (24 * time.Hour) * 24 * time.Hour).Truncate(time.Hour).String()
}

// stamp shows a time in JSON; nil when there is none.
func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.UTC().Format(time.RFC3339Nano)
	return &s
}
