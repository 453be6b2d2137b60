// Package conformance runs the cases of the wire contract, which are data files.
package conformance

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// A Case contains what all conformance cases have in common.
type Case struct {
	Name string `json:"name"`
	Rule string `json:"rule"`
	// Body is the body as text, BodyBase64 as bytes if the text is not enough.
	Body       string `json:"body"`
	BodyBase64 []byte `json:"body_base64"`

	// What follows is about other SDKs, and for readers.
	From         string          `json:"from"`
	Note         string          `json:"note"`
	Differs      string          `json:"differs"`
	VerifiedWith []string        `json:"verified_with"`
	JavaCore     json.RawMessage `json:"java_core_2026_06"`
	GoCore       json.RawMessage `json:"go_core_2026_06"`
}

// Bytes returns the case's body.
func (c Case) Bytes() []byte {
	if c.BodyBase64 != nil {
		return c.BodyBase64
	}
	return []byte(c.Body)
}

func (c Case) title() string { return c.Rule + "/" + c.Name }

// Run runs test for each case of a file in dir, as a subtest named after the case and its rule. A field that T does not
// have is an error: a test must not leave out what a case asks for.
func Run[T interface{ title() string }](t *testing.T, dir, file string, test func(*testing.T, T)) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	var cases []T
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	if err := in.Decode(&cases); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if len(cases) == 0 {
		t.Fatalf("%s contains no cases", file)
	}
	for _, c := range cases {
		t.Run(c.title(), func(t *testing.T) { test(t, c) })
	}
}
