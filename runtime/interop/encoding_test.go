package interop

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/payload"
)

// encoded is a message as an SDK would send it.
type encoded struct {
	Body       []byte
	Properties map[string]string
}

// An object is a payload whose members keep their order.
type object []member

type member struct {
	name  string
	value any // string, int64, bool, []any, object
}

func (o object) encode(e *payload.Encoder) {
	e.BeginObject()
	for _, m := range o {
		encodeValue(e.Member(m.name), m.value)
	}
	e.EndObject()
}

func encodeValue(e *payload.Encoder, v any) {
	switch v := v.(type) {
	case string:
		e.String(v)
	case int64:
		e.Int64(v)
	case bool:
		e.Bool(v)
	case []any:
		payload.EncodeArray(e, v, encodeValue)
	case object:
		v.encode(e)
	}
}

// texts generates strings rich in characters that encoders treat specially.
var texts = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom([]string{
			"\u2028", "\u2029", "<", ">", "&", "'", `"`, `\`, "/", "\x00", "\b", "\t", "\n", "\v", "\f", "\r", "\x1b", "\x1f",
			"\x7f",
			"\u0080", "\u0085", "\u00a0", "\u3000", "\ufeff", "\ufffd", "\ufffe", "\uffff", "\ud7ff", "\ue000", "😀",
			"\U0010ffff", "e\u0301",
			`\u0041`, `\ud800`, "urn",
		}),
		rapid.String(),
	), 0, 8).Draw(t, "parts"), "")
})

// identities generates texts that are not blank, with blanks around them.
var identities = rapid.Custom(func(t *rapid.T) string {
	blanks := rapid.StringOfN(rapid.SampledFrom([]rune(" \t\n\v\f\r")), 0, 3, -1)
	core := texts.Filter(func(s string) bool { return !envelope.Blank(s) })
	return blanks.Draw(t, "before") + core.Draw(t, "core") + blanks.Draw(t, "after")
})

func objects(depth int) *rapid.Generator[object] {
	return rapid.Custom(func(t *rapid.T) object {
		names := rapid.SliceOfNDistinct(texts, 0, 6, rapid.ID).Draw(t, "names")
		o := make(object, len(names))
		for i, name := range names {
			o[i] = member{name, values(depth-1).Draw(t, "value")}
		}
		return o
	})
}

func values(depth int) *rapid.Generator[any] {
	kinds := []*rapid.Generator[any]{texts.AsAny(), rapid.Int64().AsAny(), rapid.Bool().AsAny()}
	if depth > 0 {
		kinds = append(kinds, objects(depth).AsAny(), rapid.Custom(func(t *rapid.T) any {
			return rapid.SliceOfN(values(depth-1), 0, 4).Draw(t, "elements")
		}))
	}
	return rapid.OneOf(kinds...)
}

// encodings returns the same message as encoded by Go and by Python.
func encodings(t *rapid.T, p *peer, urn, traceID, queue string, extra map[string]any, data object,
	createdAt time.Time) (ours, theirs encoded) {
	header, err := envelope.NewHeader(urn, traceID, queue, createdAt)
	if err != nil {
		t.Fatal(err)
	}
	header.ExtraMeta = extra
	payload, err := payload.Marshal(data.encode)
	if err != nil {
		t.Fatal(err)
	}
	body, err := envelope.Append(nil, header, func(dst []byte) ([]byte, error) { return append(dst, payload...), nil })
	if err != nil {
		t.Fatal(err)
	}
	theirs = ask[encoded](t, p, "encode", args{
		"urn": urn, "trace_id": traceID, "queue": queue, "extra_meta": extra, "data": string(payload),
		"id": header.ID, "created_at": createdAt.UnixMilli(), "lang": envelope.Lang,
	})
	return encoded{body, header.Properties()}, theirs
}

func TestEnvelopeAndPropertiesEqualThePythonSDKs(t *testing.T) {
	p := thePeer(t)
	rapid.Check(t, func(t *rapid.T) {
		extra := map[string]any{}
		for _, m := range objects(1).Draw(t, "extra meta") {
			extra["x-"+m.name] = m.value
		}
		ours, theirs := encodings(t, p,
			identities.Draw(t, "urn"), identities.Draw(t, "trace id"), texts.Draw(t, "queue"), extra,
			objects(4).Draw(t, "data"), time.UnixMilli(rapid.Int64Range(-1<<50, 1<<50).Draw(t, "created at")))
		if diff := cmp.Diff(string(theirs.Body), string(ours.Body)); diff != "" {
			t.Errorf("ENV-2, ENV-3, ENV-15 to ENV-17, ENC-1 to ENC-4, NUM-1: body (-python +go):\n%s", diff)
		}
		if diff := cmp.Diff(theirs.Properties, ours.Properties); diff != "" {
			t.Errorf("MAP-1 to MAP-3: properties (-python +go):\n%s", diff)
		}
	})
}

func TestStringsEqualThePythonSDKs(t *testing.T) {
	p := thePeer(t)
	rapid.Check(t, func(t *rapid.T) {
		var list []any
		for _, text := range rapid.SliceOfN(texts, 100, 200).Draw(t, "texts") {
			list = append(list, text)
		}
		ours, theirs := encodings(t, p, "urn:x", "t", "q", nil, object{{"texts", list}}, time.UnixMilli(0))
		if diff := cmp.Diff(string(theirs.Body), string(ours.Body)); diff != "" {
			t.Errorf("ENC-2 to ENC-4 (-python +go):\n%s", diff)
		}
	})
}

func TestEveryCharacterEqualsThePythonSDKs(t *testing.T) {
	p := thePeer(t)
	const step = 0x8000
	for first := rune(0); first <= 0x10ffff; first += step {
		var b strings.Builder
		for r := first; r < first+step && r <= 0x10ffff; r++ {
			if r < 0xd800 || r > 0xdfff {
				b.WriteRune(r)
			}
		}
		payload, err := payload.Marshal(object{{"s", b.String()}}.encode)
		if err != nil {
			t.Fatal(err)
		}
		theirs := ask[encoded](t, p, "encode", args{
			"urn": "u", "trace_id": "t", "queue": "q", "extra_meta": nil, "data": string(payload), "id": "i", "created_at": 0,
			"lang": "go",
		})
		want := `{"job":"u","trace_id":"t","data":` + string(payload) +
			`,"meta":{"id":"i","queue":"q","lang":"go","schema_version":1,"created_at":0},"attempts":0}`
		if got := string(theirs.Body); got != want {
			t.Errorf("ENC-2 to ENC-4: characters from %U on differ (-python +go):\n%s", first, cmp.Diff(got, want))
		}
	}
}

func TestFloatsAreSpelledDifferently(t *testing.T) {
	p := thePeer(t)
	for _, tc := range []struct {
		value        float64
		ours, theirs string
	}{
		{0.1, `0.1`, `0.1`},
		{-12.75, `-12.75`, `-12.75`},
		{math.MaxFloat64, `1.7976931348623157e+308`, `1.7976931348623157e+308`},
		{1, `1`, `1.0`},
		{1e15, `1000000000000000`, `1000000000000000.0`},
		{1e16, `10000000000000000`, `1e+16`},
		{1e21, `1e+21`, `1e+21`},
		{0.00001, `0.00001`, `1e-05`},
		{1e-7, `1e-7`, `1e-07`},
		{math.Copysign(0, -1), `-0`, `-0.0`},
	} {
		ours, err := payload.Marshal(func(e *payload.Encoder) { e.Float64(tc.value) })
		if err != nil {
			t.Fatal(err)
		}
		theirs := ask[encoded](t, p, "encode", args{
			"urn": "u", "trace_id": "t", "queue": "q", "extra_meta": nil, "data": `{"f":` + tc.theirs + `}`, "id": "i",
			"created_at": 0, "lang": "go",
		})
		_, rest, _ := strings.Cut(string(theirs.Body), `"f":`)
		spelled, _, _ := strings.Cut(rest, "}")
		if string(ours) != tc.ours || spelled != tc.theirs {
			t.Errorf("NUM-1: %g: Go writes %s and Python %s, want %s and %s", tc.value, ours, spelled, tc.ours, tc.theirs)
		}
		var a, b float64
		if err := errors.Join(json.Unmarshal(ours, &a), json.Unmarshal([]byte(spelled), &b)); err != nil || a != b {
			t.Errorf("NUM-1: %s and %s are not the same number (%v)", ours, spelled, err)
		}
	}
}

func TestBothRefuseABlankURNAndReservedMeta(t *testing.T) {
	p := thePeer(t)
	python := func(urn string, extra map[string]any) error {
		_, err := try[encoded](p, "encode", args{
			"urn": urn, "trace_id": "t", "queue": "q", "extra_meta": extra, "data": "{}", "id": "i", "created_at": 0,
			"lang": "go",
		})
		return err
	}
	for urn, blank := range map[string]bool{"": true, " \t\n\v\f\r": true, "\u00a0": false, "\ufeff": false, "\x1c": false,
		"\u0085": false} {
		_, ours := envelope.NewHeader(urn, "t", "q", time.Now())
		if theirs := python(urn, nil); (ours != nil) != blank || (theirs != nil) != blank {
			t.Errorf("ENV-8, ENV-16: %q: Go says %v, Python says %v, want an error: %v", urn, ours, theirs, blank)
		}
	}
	for _, name := range []string{"id", "queue", "lang", "schema_version", "created_at", "max_retries", "attempts",
		"source", "ts", "ext", "ID"} {
		reserved := name != "ext" && name != "ID"
		extra := map[string]any{name: 1}
		_, ours := envelope.Append(nil, envelope.Header{URN: "u", TraceID: "t", ExtraMeta: extra}, nil)
		theirs := python("u", extra)
		if (ours != nil) != reserved || (theirs != nil) != reserved {
			t.Errorf("ENV-13, ENV-15: meta.%s: Go says %v, Python says %v, want an error: %v", name, ours, theirs, reserved)
		}
		if reserved && (!strings.Contains(ours.Error(), "/meta/"+name) || !strings.Contains(theirs.Error(), "/meta/"+name)) {
			t.Errorf("ENV-15: meta.%s: no pointer in %q or %q", name, ours, theirs)
		}
	}
}

func TestPythonWritesWhatIsNotANumberAndGoRefuses(t *testing.T) {
	p := thePeer(t)
	for theirs, v := range map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)} {
		ours, err := payload.Marshal(func(e *payload.Encoder) { e.Float64(v) })
		var refused *bq.PayloadError
		if !errors.As(err, &refused) {
			t.Errorf("ENC-5: Go writes %s, %v", ours, err)
		}
		written := ask[encoded](t, p, "encode", args{
			"urn": "u", "trace_id": "t", "queue": "q", "extra_meta": nil, "data": `{"f":` + theirs + `}`, "id": "i",
			"created_at": 0, "lang": "go",
		})
		if !strings.Contains(string(written.Body), `"f":`+theirs+`}`) {
			t.Errorf("ENC-5: Python writes %s, want it to write %s", written.Body, theirs)
		}
		if _, err := envelope.Parse(written.Body); err == nil {
			t.Errorf("ACC-2: Go accepts %s", written.Body)
		}
	}
}
