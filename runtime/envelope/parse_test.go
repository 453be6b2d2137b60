package envelope

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParseReadsEveryMember(t *testing.T) {
	body := `{"unknown":[1],"attempts":2,"meta":{"created_at":1749132727000.9,"ext":{"id":"no"},"schema_version":1,` +
		`"lang":"php","queue":"orders","id":"m\u0031"},"data":{"n":1},"trace_id":"t-1","urn":" urn:alias ","job":" urn:x\n"}`
	got := mustParse(t, body)
	want := &Envelope{
		Job: " urn:x\n", TraceID: "t-1", Data: []byte(`{"n":1}`), Attempts: 2, Ignored: []string{"/urn"},
		Meta: Meta{ID: "m1", Queue: "orders", Lang: "php", SchemaVersion: "1", CreatedAt: time.UnixMilli(1749132727000)},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Envelope{})); diff != "" {
		t.Errorf("envelope (-want +got):\n%s", diff)
	}
	if got.URN() != "urn:x" || string(got.Body()) != body {
		t.Errorf("got URN %q and body %s", got.URN(), got.Body())
	}
}

func TestParseLastDuplicateReplacesTheWholeMember(t *testing.T) {
	e := mustParse(
		t,
		`{"meta":{"id":"a","queue":"q","schema_version":2},"meta":{"schema_version":"1","schema_version":1},`+
			`"job":"urn:x","trace_id":"t","data":1,"data":{}}`,
	)
	if e.Meta.ID != "" || e.Meta.Queue != "" || string(e.Data) != "{}" {
		t.Errorf("ACC-11: got %+v, want nothing of the earlier members", e)
	}
	if _, err := Parse([]byte(`{` + good + `,"meta":5}`)); err == nil {
		t.Error("ACC-11: a meta that ends as a number is accepted")
	}
}

func TestParseGivesWhatCouldBeReadOfPoison(t *testing.T) {
	e, err := Parse([]byte(`{"job":"urn:x","data":{},"meta":{"schema_version":1}}`))
	if err == nil || e == nil || e.URN() != "urn:x" {
		t.Errorf("got %+v, %v, want a partial envelope and an error", e, err)
	}
	for _, body := range []string{"", " ", "null", "[1]", "{", `{"job":"urn:x"}x`, "\xff"} {
		if e, err := Parse([]byte(body)); e != nil || err == nil {
			t.Errorf("%q: got %+v, %v, want nil and an error", body, e, err)
		}
	}
}

func TestParseNesting(t *testing.T) {
	body := func(levels int) []byte {
		n := levels - 2 // the envelope and its data are two
		return []byte(
			`{"job":"urn:x","trace_id":"t","meta":{"schema_version":1},"data":{"x":` +
				strings.Repeat("[", n) + strings.Repeat("]", n) + `}}`,
		)
	}
	if _, err := Parse(body(1000)); err != nil {
		t.Errorf("ACC-12: 1000 levels: %v", err)
	}
	for _, levels := range []int{1001, 5_000_000} {
		if _, err := Parse(body(levels)); err == nil {
			t.Errorf("ACC-12: %d levels are accepted", levels)
		}
	}
}

func TestAttemptsAreReadLeniently(t *testing.T) {
	for literal, want := range map[string]int64{
		"1.9": 1, "-1.9": -1, "1e2": 100, "1e400": 1<<31 - 1, "-1e400": -1 << 31, "4294967297": 1<<31 - 1,
		"null": 0, `"3"`: 0, "[1]": 0, "{}": 0, "false": 0,
	} {
		if e := mustParse(t, `{`+good+`,"attempts":`+literal+`}`); e.Attempts != want {
			t.Errorf("ACC-10, ATT-7: %s: got %d, want %d", literal, e.Attempts, want)
		}
	}
}

func TestParseTakesFewAllocations(t *testing.T) {
	body := []byte(`{` + good + `,"attempts":0}`)
	got := testing.AllocsPerRun(100, func() {
		if _, err := Parse(body); err != nil {
			t.Fatal(err)
		}
	})
	if got > 2 { // the envelope and its texts
		t.Errorf("parsing takes %v allocations, want at most 2", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{` + good + `,"attempts":0}`))
	f.Add([]byte(`{"j\u006fb":5,"urn":"x","meta":{},"meta":[]}`))
	f.Add([]byte("{\"a\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := Parse(body)
		if err == nil && (e.URN() == "" || Blank(e.TraceID) || len(e.Data) == 0 || e.Data[0] != '{') {
			t.Errorf("ACC: %q is accepted as %+v", body, e)
		}
		if e != nil {
			e.Properties()
		}
	})
}

func TestIgnoredMembersAreNamedAndStay(t *testing.T) {
	for _, c := range []struct {
		rule, body, urn string
		ignored         []string
	}{
		{"ENV-9 job wins", `{` + good + `,"urn":"urn:y"}`, "urn:x", []string{"/urn"}},
		{"ENV-9 alias of a blank job", `{` + good + `,"job":" ","urn":"urn:y"}`, "urn:y", []string{"/job"}},
		{"ENV-10 job is no string", `{` + good + `,"job":5,"urn":"urn:y"}`, "urn:y", []string{"/job"}},
		{"ENV-10 urn is no string", `{` + good + `,"urn":5}`, "urn:x", []string{"/urn"}},
		{"ENV-13 top level, once", `{"timestamp":1,` + good + `,"timestamp":2}`, "urn:x", []string{"/timestamp"}},
		{
			"ENV-13 meta",
			`{` + good + `,"meta":{"schema_version":1,"ts":1,"attempts":2,"source":3,"max_retries":4,"Source":5}}`,
			"urn:x", []string{"/meta/ts", "/meta/attempts", "/meta/source", "/meta/max_retries"},
		},
		{"ACC-11 of the last meta only", `{"meta":{"ts":1},` + good + `}`, "urn:x", nil},
		{"plain", `{` + good + `}`, "urn:x", nil},
	} {
		e := mustParse(t, c.body)
		if e.URN() != c.urn {
			t.Errorf("%s: got URN %q, want %q", c.rule, e.URN(), c.urn)
		}
		if diff := cmp.Diff(c.ignored, e.Ignored, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.rule, diff)
		}
		if n := len(e.WithAttempts(1)) - len(c.body); n != len(`,"attempts":1`) {
			t.Errorf("ENV-14: %s: members got lost", c.rule)
		}
	}
}
