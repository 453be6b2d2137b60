package envelope

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// FuzzPoisonRecord checks that the record of any bytes is a JSON object that ends with the block, and that the bytes
// can be restored from it.
func FuzzPoisonRecord(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `{"a":1}`, " { } ", `{"dead_letter":1}`, `{"a":"\ud800"}`, "\xff", "\ufeff{}", `[1]`, `{"a":NaN}`,
		"{\"a\":1}\x00", `{"raw":"x"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		letter := DeadLetter{Reason: Poison, OriginalQueue: "q", Attempts: 1}
		record := PoisonRecord(body, letter)
		if end, err := jsonwire.ScanValue(record, 0, MaxDepth); err != nil || end != len(record) {
			t.Fatalf("the record of %q is not JSON: %s: %v", body, record, err)
		}
		rest, ok := bytes.CutSuffix(record, append(letter.append([]byte(`"dead_letter":`)), '}'))
		if !ok {
			t.Fatalf("the record of %q does not end with the block: %s", body, record)
		}
		if object, empty, ok := spliceable(body); ok {
			if !empty && string(rest) != string(object[:len(object)-1])+"," || empty && string(rest) != "{" {
				t.Fatalf("POI-5: the record of %q is %s", body, record)
			}
			return
		}
		var wrapped struct {
			Raw      string `json:"raw"`
			Encoding string `json:"raw_encoding"`
		}
		if err := json.Unmarshal(record, &wrapped); err != nil {
			t.Fatal(err)
		}
		got := []byte(wrapped.Raw)
		if wrapped.Encoding == "base64" {
			got, _ = base64.StdEncoding.DecodeString(wrapped.Raw)
		}
		if !bytes.Equal(got, body) || (wrapped.Encoding == "") != utf8.Valid(body) {
			t.Fatalf("POI-12, POI-13: the record of %q is %s", body, record)
		}
	})
}

func TestPoisonRecordWrapsWhatNestsTooDeeply(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	if got := PoisonRecord([]byte(deep(MaxDepth)), DeadLetter{}); !bytes.HasPrefix(got, []byte(`{"a":`)) {
		t.Errorf("%d levels: got %.40s, want the block spliced in", MaxDepth, got)
	}
	for _, n := range []int{MaxDepth + 1, 1 << 20} {
		if got := PoisonRecord([]byte(deep(n)), DeadLetter{}); !bytes.HasPrefix(got, []byte(`{"raw":"{\"a\":`)) {
			t.Errorf("POI-14: %d levels: got %.40s, want it wrapped", n, got)
		}
	}
}
