package envelope

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// good is an accepted envelope with room for more members.
const good = `"job":"urn:x","trace_id":"t","data":{"n":1.0E+2,"big":9007199254740993},` +
	`"meta":{"id":"m","queue":"orders","schema_version":1}`

func mustParse(t interface{ Fatalf(string, ...any) }, body string) *Envelope {
	e, err := Parse([]byte(body))
	if err != nil {
		t.Fatalf("Parse(%s): %v", body, err)
	}
	return e
}

func TestWithAttemptsChangesOnlyThatMember(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"replaced where it stands", `{"attempts":0,` + good + `}`, `{"attempts":7,` + good + `}`},
		{"spacing kept", "\r\n{ \"attempts\" :\t0 , " + good + " }\n", "\r\n{ \"attempts\" :\t7 , " + good + " }\n"},
		{"any type replaced", `{` + good + `,"attempts":["x",{"attempts":1}]}`, `{` + good + `,"attempts":7}`},
		{"added when missing", `{` + good + ` }`, `{` + good + ` ,"attempts":7}`},
		{"last of duplicates", `{"attempts":1,` + good + `,"attempts":2}`, `{"attempts":1,` + good + `,"attempts":7}`},
		{"escaped name", `{` + good + `,"attempt\u0073":2}`, `{` + good + `,"attempt\u0073":7}`},
		{"other case is another member", `{` + good + `,"Attempts":2}`, `{` + good + `,"Attempts":2,"attempts":7}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, string(mustParse(t, c.body).WithAttempts(7))); diff != "" {
				t.Errorf("RET-1 (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeadLetteredAppendsTheBlockLast(t *testing.T) {
	letter := DeadLetter{
		Reason: Failed, Error: `no "<stock>"`, Exception: "*errors.errorString",
		FailedAt: time.UnixMilli(1749132730000), OriginalQueue: "orders", Attempts: 3,
	}
	const block = `"dead_letter":{"reason":"failed","error":"no \"<stock>\"","exception":"*errors.errorString",` +
		`"failed_at":1749132730000,"original_queue":"orders","attempts":3,"lang":"go"}`
	for _, c := range []struct{ name, body, want string }{
		{"DLQ-3 appended", `{` + good + `,"attempts":2}`, `{` + good + `,"attempts":3,` + block + `}`},
		{"DLQ-4 attempts added", `{` + good + `}`, `{` + good + `,"attempts":3,` + block + `}`},
		{
			"DLQ-6 first", `{ "dead_letter":{"reason":"failed"} , ` + good + `,"attempts":2}`,
			`{ ` + good + `,"attempts":3,` + block + `}`,
		},
		{"DLQ-6 middle", `{"attempts":2 , "dead_letter":{} , ` + good + `}`, `{"attempts":3  , ` + good + `,` + block + `}`},
		{"DLQ-6 last", `{"attempts":2,` + good + `, "dead_letter":null }`, `{"attempts":3,` + good + ` ,` + block + `}`},
		{
			"DLQ-6 every one",
			`{"dead_letter":1,"dead\u005fletter":2,"attempts":2,"dead_letter":3,` + good + `,"dead_letter":4,"dead_letter":5}`,
			`{"attempts":3,` + good + `,` + block + `}`,
		},
		{
			"nested ones stay", `{"x":{"dead_letter":1},` + good + `,"attempts":2}`,
			`{"x":{"dead_letter":1},` + good + `,"attempts":3,` + block + `}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, string(mustParse(t, c.body).DeadLettered(letter))); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeadLetterTextsAreNullWhenEmptyAndNeverFail(t *testing.T) {
	got := string(DeadLetter{Reason: Poison, FailedAt: time.UnixMilli(5), OriginalQueue: "q", Attempts: 1}.append(nil))
	const want = `{"reason":"poison","error":null,"exception":null,"failed_at":5,` +
		`"original_queue":"q","attempts":1,"lang":"go"}`
	if got != want {
		t.Errorf("DLQ-2: got %s, want %s", got, want)
	}
	got = string(DeadLetter{Error: "a\xffb"}.append(nil))
	if !strings.Contains(got, "\"error\":\"a\ufffdb\"") {
		t.Errorf("got %s", got)
	}
}

// jsonText draws a JSON value with all the freedom of spelling that a foreign producer has.
func jsonText(t *rapid.T, depth int) string {
	space := rapid.SampledFrom([]string{"", "", " ", "\r\n", "\t"}).Draw(t, "space")
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0:
		return space + rapid.SampledFrom(
			[]string{
				"0", "-0", "1e400", "1.0E+2", "9007199254740993", "123456789012345678901234567890", "true",
				"null",
			},
		).Draw(t, "scalar")
	case 1, 2:
		return space + rapid.SampledFrom(
			[]string{
				`""`, `"\ud800"`, `"\/\u0041\u00e9"`, "\"\u2028é😀\"", `"dead_letter"`, `"attempts\":1"`, `"}"`,
				`"{"`,
			},
		).Draw(t, "string")
	case 3:
		s, _ := json.Marshal(rapid.String().Draw(t, "text"))
		return string(s) + space
	case 4:
		var items []string
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			items = append(items, jsonText(t, depth-1))
		}
		return space + "[" + strings.Join(items, ",") + space + "]"
	default:
		var items []string
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			items = append(
				items,
				fmt.Sprintf(
					"%q:%s",
					rapid.SampledFrom([]string{"a", "attempts", "dead_letter", "job", ""}).Draw(t, "name"),
					jsonText(t, depth-1),
				),
			)
		}
		return space + "{" + strings.Join(items, ",") + space + "}"
	}
}

// envelopeText draws an accepted envelope: its frame and some further members in any order.
func envelopeText(t *rapid.T) (body string, hasLetter bool) {
	parts := []string{
		`"job":"urn:x"`, `"trace_id":"t"`, `"meta":{"schema_version":1}`, `"data":{"d":` + jsonText(t, 3) + `}`,
	}
	for range rapid.IntRange(0, 4).Draw(t, "extra") {
		name := rapid.SampledFrom(
			[]string{"attempts", "dead_letter", "attempt\\u0073", "x", "Attempts", "dead_Letter", ""},
		).Draw(t, "name")
		hasLetter = hasLetter || name == "dead_letter"
		parts = append(parts, `"`+name+`":`+jsonText(t, 3))
	}
	parts = rapid.Permutation(parts).Draw(t, "order")
	space := rapid.SampledFrom([]string{"", " ", "\r\n\t"}).Draw(t, "outer")
	return space + "{" + space + strings.Join(parts, space+","+space) + space + "}" + space, hasLetter
}

func TestSplicedAttemptsGiveTheInputBackWhenTakenOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body, _ := envelopeText(t)
		e := mustParse(t, body)
		n := rapid.Int64Range(1, 1<<31).Draw(t, "attempts")
		out := string(e.WithAttempts(n))

		again := mustParse(t, out)
		if again.Attempts != min(n, 1<<31-1) {
			t.Fatalf("%s reads as %d attempts, want %d", out, again.Attempts, n)
		}
		before, after := e.attempts, again.attempts
		restored := out[:after.start] + body[before.start:before.end] + out[after.end:]
		if before.end == 0 { // the member was added: take all of it out
			restored = strings.Replace(out, fmt.Sprintf(`,"attempts":%d}`, n), "}", 1)
		}
		if restored != body {
			t.Fatalf("RET-1: other bytes changed\n got %q\nfrom %q", out, body)
		}
	})
}

func TestDeadLetteredGivesTheInputBackWhenTakenOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body, hasLetter := envelopeText(t)
		e := mustParse(t, body)
		letter := DeadLetter{Reason: Failed, Error: "e", FailedAt: time.UnixMilli(1), OriginalQueue: "q", Attempts: 3}
		out := string(e.DeadLettered(letter))

		again := mustParse(t, out)
		if again.Attempts != 3 || len(again.oldBlocks) != 1 {
			t.Fatalf("%s: attempts %d and %d dead_letter members, want 3 and 1", out, again.Attempts, len(again.oldBlocks))
		}
		withAttempts := string(e.WithAttempts(3))
		if want := strings.TrimRight(withAttempts, " \t\r\n"); !hasLetter {
			block := `,"dead_letter":` + string(letter.append(nil))
			if restored := strings.Replace(out, block, "", 1); restored != withAttempts {
				t.Fatalf("DLQ-3: other bytes changed\n got %q\nfrom %q", out, want)
			}
		}
		if diff := cmp.Diff(string(e.Data), string(again.Data)); diff != "" {
			t.Fatalf("data (-want +got):\n%s", diff)
		}
	})
}

func FuzzSplice(f *testing.F) {
	f.Add([]byte(`{"attempts":0,` + good + `}`))
	f.Add([]byte(`{"dead_letter":{},` + good + `,"attempts":"x"}`))
	f.Add([]byte("{\"dead_letter\":1, \"dead_letter\":2 ," + good + "}\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := Parse(body)
		if err != nil {
			return
		}
		letter := DeadLetter{Reason: Failed, Attempts: 5, OriginalQueue: "q"}
		for _, out := range [][]byte{e.WithAttempts(5), e.DeadLettered(letter)} {
			again, err := Parse(out)
			if err != nil || again.Attempts != 5 || again.URN() != e.URN() || string(again.Data) != string(e.Data) {
				t.Errorf("%q became %q: %v", body, out, err)
			}
		}
	})
}
