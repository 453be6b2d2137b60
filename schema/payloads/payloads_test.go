package payloads_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/schema/payloads"
)

func example(t *testing.T) (*schema.Catalog, *payloads.Checker) {
	t.Helper()
	c, findings, err := load.Load("../../examples/urns.yaml")
	if err != nil || findings.HasErrors() {
		t.Fatal(err, findings)
	}
	return c, payloads.New(c)
}

// All examples of the example are valid payloads, and their keys are those of the generated code.
func TestExamplesAreValid(t *testing.T) {
	c, k := example(t)
	keys := map[string]string{
		"urn:babel:orders:created": "c-7", "urn:babel:payments:captured": "1042", "urn:babel:mail:receipt.sent": "",
	}
	for _, u := range c.URNs {
		for _, e := range u.Examples {
			payload, findings := k.Payload(u, "x.json", append([]byte(" \n"), e.JSON...))
			if len(findings) > 0 || string(payload) != string(e.JSON) {
				t.Errorf("%s: %v, %s", u.URN, findings, payload)
			}
			if want, ok := keys[u.URN]; ok && payloads.Key(u, payload) != want {
				t.Errorf("%s: key %q, want %q", u.URN, payloads.Key(u, payload), want)
			}
		}
	}
}

// What is typed stays as it is typed, but for white space.
func TestAPayloadKeepsItsBytes(t *testing.T) {
	_, k := example(t)
	u := k.Find("urn:babel:orders:cancelled")
	text := "{ \"order_id\": 9007199254740993,\r\n \"customer_id\": \"<&>\u2028\\/\", \"reason\": \"fraud\", " +
		"\"x\": 1.0E+2 }\r\n"
	want := "{\"order_id\":9007199254740993,\"customer_id\":\"<&>\u2028\\/\",\"reason\":\"fraud\",\"x\":1.0E+2}"
	if payload, findings := k.Payload(u, "x.json", []byte(text)); string(payload) != want {
		t.Errorf("%s, %v", payload, findings)
	}
}

func TestFaultsHaveAPlace(t *testing.T) {
	_, k := example(t)
	u := k.Find("urn:babel:orders:cancelled")
	for text, want := range map[string]string{
		"{\n  \"order_id\": \"x\", \"customer_id\": \"c\", \"reason\": \"fraud\"}": "x.json:2:15",
		"{\"order_id\": 1, \"customer_id\": \"c\"}":                                `required property "reason" is missing`,
		"":         "x.json:1:1",
		"\ufeff{}": "byte order mark",
		"{}\n {}":  "x.json:2:2",
		"[]":       "a payload is a JSON object",
		"{\"order_id\": 1, \"customer_id\": \"c\", \"reason\": \"whim\"}": "/reason",
		"\xff": "UTF-8",
	} {
		payload, findings := k.Payload(u, "x.json", []byte(text))
		if payload != nil || !strings.Contains(fmt.Sprint(findings), want) {
			t.Errorf("%q: %v, want %q", text, findings, want)
		}
	}
}

// A checker checks more payloads than the budget of a catalog allows.
func TestACheckerDoesNotWearOut(t *testing.T) {
	_, k := example(t)
	u := k.Find("urn:babel:orders:cancelled")
	for i := range 1200 {
		text := fmt.Sprintf(`{"order_id":%d,"customer_id":%q,"reason":"fraud"}`, i, strings.Repeat("c", 10_000))
		if _, findings := k.Payload(u, "x.json", []byte(text)); len(findings) > 0 {
			t.Fatalf("payload %d: %v", i, findings)
		}
	}
}

func TestMember(t *testing.T) {
	payload := []byte(`{"a":{"b":[1,"x"]},"n":null,"s":"t"}`)
	for path, want := range map[string]string{
		"a/b/1": "x", "a/b/0": "1", "n": "null", "s": "t", "a/b": `[1,"x"]`,
	} {
		if got, ok := payloads.Member(payload, strings.Split(path, "/")); got != want || !ok {
			t.Errorf("%s: %q, %v", path, got, ok)
		}
	}
	for _, path := range []string{"x", "a/x", "a/b/2", "a/b/-1", "s/x"} {
		if got, ok := payloads.Member(payload, strings.Split(path, "/")); ok {
			t.Errorf("%s: %q", path, got)
		}
	}
}
