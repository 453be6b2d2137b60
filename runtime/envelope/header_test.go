package envelope

import (
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

func TestNewHeader(t *testing.T) {
	now := time.UnixMilli(1749132727000)
	h, err := NewHeader(" urn:x\n", "\ttrace-1 ", "orders", now)
	if err != nil {
		t.Fatal(err)
	}
	if h.URN != "urn:x" || h.TraceID != "trace-1" {
		t.Errorf("ENV-16, ENV-17: got %+v, want the URN and the trace id trimmed", h)
	}
	for _, urn := range []string{"", " ", "\t\n\v\f\r "} {
		if _, err := NewHeader(urn, "", "q", now); !errors.Is(err, ErrBlankURN) {
			t.Errorf("ENV-16: %q: got %v, want %v", urn, err, ErrBlankURN)
		}
	}
	if h, err := NewHeader("\u00a0", "\u3000", "q", now); err != nil || h.URN != "\u00a0" || h.TraceID != "\u3000" {
		t.Errorf("ENV-8: got %+v, %v, want what is not an ASCII blank kept", h, err)
	}
	a, _ := NewHeader("urn:x", " ", "q", now)
	b, _ := NewHeader("urn:x", "", "q", now)
	ids := map[string]bool{}
	for _, id := range []string{a.ID, b.ID, a.TraceID, b.TraceID} {
		if u, err := uuid.Parse(id); err != nil || u.Version() != 4 {
			t.Errorf("ENV-3: %q is not a UUIDv4", id)
		}
		ids[id] = true
	}
	if len(ids) != 4 {
		t.Errorf("ENV-3, ENV-17: ids are not unique: %v", ids)
	}
}

func TestAppendWritesTheFrame(t *testing.T) {
	h := Header{URN: "urn:x", TraceID: "t<&>\u2028", ID: "i", Queue: "orders", CreatedAt: time.UnixMilli(1749132727000)}
	got, err := Append([]byte("#"), h, func(dst []byte) ([]byte, error) { return append(dst, `{"n":1}`...), nil })
	if err != nil {
		t.Fatal(err)
	}
	want := "#" + `{"job":"urn:x","trace_id":"t<&>` + "\u2028" + `","data":{"n":1},"meta":{"id":"i","queue":"orders",` +
		`"lang":"go","schema_version":1,"created_at":1749132727000},"attempts":0}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("ENV-2, ENV-3, ENC-1, ENC-3 (-want +got):\n%s", diff)
	}
	e, err := Parse(got[1:])
	if err != nil {
		t.Fatalf("our own envelope is poison: %v", err)
	}
	if diff := cmp.Diff(h.Properties(), e.Properties()); diff != "" {
		t.Errorf("MAP-1: properties of header and body differ (-header +body):\n%s", diff)
	}
	if got, err := Append(nil, h, nil); err != nil || string(mustParse(t, string(got)).Data) != "{}" {
		t.Errorf("ENV-2: no payload: got %s, %v, want {}", got, err)
	}
}

func TestAppendRefuses(t *testing.T) {
	ok := Header{URN: "urn:x", TraceID: "t", ID: "i", Queue: "q"}
	failed := errors.New("no")
	for name, c := range map[string]struct {
		change func(*Header)
		data   string
		err    error
	}{
		"ENC-5 URN":            {change: func(h *Header) { h.URN = "\xff" }},
		"ENC-5 trace id":       {change: func(h *Header) { h.TraceID = "\xff" }},
		"ENC-5 queue":          {change: func(h *Header) { h.Queue = "\xff" }},
		"ACC-4 array":          {data: "[]"},
		"ACC-4 nothing":        {data: ""},
		"a payload that fails": {err: failed},
	} {
		t.Run(name, func(t *testing.T) {
			h := ok
			data := "{}"
			if c.change != nil {
				c.change(&h)
			} else {
				data = c.data
			}
			got, err := Append([]byte("#"), h, func(dst []byte) ([]byte, error) { return append(dst, data...), c.err })
			if err == nil || string(got) != "#" || c.err != nil && !errors.Is(err, c.err) {
				t.Errorf("got %s, %v, want an error and nothing appended", got, err)
			}
		})
	}
}

func TestExtraMetaIsAppendedSorted(t *testing.T) {
	h := Header{URN: "urn:x", TraceID: "t", ID: "i", Queue: "q", CreatedAt: time.UnixMilli(5), ExtraMeta: map[string]any{
		"z":   json.RawMessage(`1e400`),
		"ext": map[string]any{"vendor": []any{true, nil, 1.5, uint64(1 << 63), "<\u2028>"}}, "a/b": int8(-1),
	}}
	got, err := Append(nil, h, nil)
	want := `{"job":"urn:x","trace_id":"t","data":{},"meta":{"id":"i","queue":"q","lang":"go",` +
		`"schema_version":1,"created_at":5,` +
		`"a/b":-1,"ext":{"vendor":[true,null,1.5,9223372036854775808,"<` + "\u2028" + `>"]},"z":1e400},"attempts":0}`
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Errorf("ENV-15: %v (-want +got):\n%s", err, diff)
	}
}

func TestExtraMetaRefusesTheContractsOwnMembers(t *testing.T) {
	for _, name := range []string{
		"id", "queue", "lang", "schema_version", "created_at", "max_retries", "attempts", "source", "ts",
	} {
		_, err := Append(nil, Header{URN: "urn:x", ExtraMeta: map[string]any{name: 1, "zz": 2}}, nil)
		var meta *MetaError
		if !errors.As(err, &meta) || meta.Pointer != "/meta/"+name {
			t.Errorf("ENV-13, ENV-15: %s: got %v", name, err)
		}
	}
	self := map[string]any{}
	self["self"] = self
	for name, value := range map[string]any{
		"uuid": uuid.New(), "bytes": []byte("x"), "time": time.Now(), "func": func() {}, "struct": struct{}{},
		"NaN": math.NaN(), "int keys": map[int]int{1: 1}, "utf8": "\xff",
		"utf8 name": map[string]any{"\xff": 1},
		"itself":    self, "raw": json.RawMessage(`{`), "raw more": json.RawMessage(`1 2`), "number": json.Number("x"),
	} {
		h := Header{URN: "urn:x", ExtraMeta: map[string]any{"ext": value}}
		if got, err := Append([]byte("#"), h, nil); err == nil || string(got) != "#" {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
	}
}
