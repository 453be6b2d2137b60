package envelope

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	front = `{ "job":"urn:x","trace_id":"t","data":{"n":9007199254740993,"e":1e400,"s":"\ud800\/"},` +
		`"meta":{"id":"1","schema_version":1,"ext":{"a": 1}},"x":1`
	block = `"dead_letter":{"reason":"failed","error":"e","exception":null,"failed_at":1000,"original_queue":"orders",` +
		`"attempts":3,"lang":"go"}`
)

// TestRedrivenKeepsEveryOtherByte is O13 for the body.
func TestRedrivenKeepsEveryOtherByte(t *testing.T) {
	for body, want := range map[string]string{
		front + `,"attempts":3,` + block + ` } `:                                front + `,"attempts":0 } `,
		front + `,"attempts": "3" ,` + block + `}`:                              front + `,"attempts": 0 }`,
		front + `,` + block + `}`:                                               front + `,"attempts":0}`,
		front + `,"attempts":1,"attempts":3,` + block + `,"y":2}`:               front + `,"attempts":1,"attempts":0,"y":2}`,
		front + `,"dead_letter":1,"attempts":3,` + block + `}`:                  front + `,"attempts":0}`,
		front + `,"data":{},"attempts":3}`:                                      front + `,"data":{},"attempts":0}`,
		`{"dead\u005fletter":null,"job":"j","attempts":7}`:                      `{"job":"j","attempts":0}`,
		front + `,"attempts":3,"dead_letter":{"reason":"failed","attempts":1}}`: front + `,"attempts":0}`,
	} {
		e, _ := Parse([]byte(body))
		if e == nil {
			t.Fatalf("%s is no object", body)
		}
		if diff := cmp.Diff(want, string(e.Redriven())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func TestWithDataKeepsEveryOtherByte(t *testing.T) {
	e, err := Parse([]byte(`{"job":"j","data":{"a":1},"trace_id":"t","data" : {"a":2} ,"meta":{"schema_version":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"job":"j","data":{"a":1},"trace_id":"t","data" : {"b":3} ,"meta":{"schema_version":1}}`
	if diff := cmp.Diff(want, string(e.WithData([]byte(`{"b":3}`)))); diff != "" {
		t.Error(diff)
	}
}

// TestBlocksOfOthersAreReadLeniently is O11 for the block.
func TestBlocksOfOthersAreReadLeniently(t *testing.T) {
	for body, want := range map[string]DeadLetter{
		`{` + block + `}`: {Reason: Failed, Error: "e", FailedAt: time.UnixMilli(1000), OriginalQueue: "orders", Attempts: 3},
		`{"dead_letter":{"reason":"poison","attempts":null,"failed_at":"x","error":5}}`: {Reason: Poison},
		`{"dead_letter":{"reason":"a"},"dead_letter":{"reason":"b","attempts":-1}}`:     {Reason: "b", Attempts: -1},

		`{"dead_letter":{"failed_at":1,"failed_at":null,"original_queue":"\u0061","lang":"perl"}}`: {OriginalQueue: "a"},
	} {
		e, _ := Parse([]byte(body))
		got, ok := e.Block()
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s: %v (-want +got):\n%s", body, ok, diff)
		}
	}
	for _, body := range []string{`{}`, `{"dead_letter":"x"}`, `{"data":{"dead_letter":{}}}`} {
		if e, _ := Parse([]byte(body)); e != nil {
			if d, ok := e.Block(); ok {
				t.Errorf("%s: %+v", body, d)
			}
		}
	}
}

// What PoisonRecord wraps, Unwrap gives back; what it splices, WithoutDeadLetter does.
func TestPoisonIsGivenBack(t *testing.T) {
	for _, body := range []string{
		"", "null", "[1]", `{"a":NaN}`, `{"a":1}x`, "\ufeff{}", `{"dead_letter":null}`, `{"a":"\ud800"}`,
		"{\"a\":\"\xff\"}", "\xc0\xaf", "{\"a\":1}\x00", "<&>\u2028", `{"a":1}`, `{}`, `{"a" : 1 }`,
	} {
		record := PoisonRecord([]byte(body), DeadLetter{Reason: Poison})
		got, ok := Unwrap(record)
		if !ok {
			e, _ := Parse(record)
			got = e.WithoutDeadLetter()
		}
		if string(got) != body {
			t.Errorf("%q comes back as %q", body, got)
		}
	}
	for _, record := range []string{
		`{"raw":"x"}`, `{"raw":1,"dead_letter":{}}`, `{"raw":"?","raw_encoding":"base64","dead_letter":{}}`,
		`{"raw":"x","raw_encoding":"rot13","dead_letter":{}}`, `x`,
	} {
		if body, ok := Unwrap([]byte(record)); ok {
			t.Errorf("%s is taken for a record of %q", record, body)
		}
	}
}
