// Package conformance runs the cases of the wire contract, which are data files.
package conformance

import (
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
}

// Bytes returns the case's body.
func (c Case) Bytes() []byte {
	if c.BodyBase64 != nil {
		return c.BodyBase64
	}
	return []byte(c.Body)
}

// Run runs test for each case of a file in dir, as a subtest named after the case and its rule. base returns the Case
// in a T.
func Run[T any](t *testing.T, dir, file string, base func(T) Case, test func(*testing.T, T)) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	var cases []T
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if len(cases) == 0 {
		t.Fatalf("%s contains no cases", file)
	}
	for _, c := range cases {
		b := base(c)
		t.Run(b.Rule+"/"+b.Name, func(t *testing.T) { test(t, c) })
	}
}
