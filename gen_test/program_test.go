package gentest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/golang"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// A receiver is a program that receives documents with generated code, as a consumer does.
type receiver struct{ dir, path string } // of its module, and of the program

// newReceiver compiles the code for catalogs, by package name, in a user's module.
func newReceiver(t *testing.T, catalogs map[string]*schema.Catalog) receiver {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	m := newUserModule(t, root)
	var imports, entries strings.Builder
	for _, name := range slices.Sorted(maps.Keys(catalogs)) {
		c := catalogs[name]
		files, findings, err := golang.Generate(c, golang.Options{Package: name})
		if err != nil || findings.HasErrors() {
			t.Fatal(err, findings)
		}
		for file, text := range files {
			m.write(t, "receive/"+name+"/"+file, string(text))
		}
		names, _ := gonames.Of(c)
		fmt.Fprintf(&imports, "\t\"example.com/shop/receive/%s\"\n", name)
		for _, u := range c.URNs {
			fmt.Fprintf(&entries, "\t%q: receive[%s.%s],\n", name+"/"+u.URN, name, names.Messages[u].Type)
		}
	}
	program := strings.NewReplacer("IMPORTS", imports.String(), "ENTRIES", entries.String())
	m.write(t, "receive/main.go", program.Replace(receiverProgram))
	r := receiver{m.dir, filepath.Join(m.dir, "receiver")}
	// Each document is received once, so the code is compiled as fast as it can be.
	goIn(t, m.dir, "build", "-gcflags=example.com/shop/receive/...=-N -l", "-ldflags=-w", "-o", r.path, "./receive")
	return r
}

// A question is a document for the payload of a URN.
type question struct {
	URN      string          // package/urn
	Document json.RawMessage // on one line
}

// An answer is what generated code makes of a document.
type answer struct {
	Rules   []string // of the violations; nil when the document is valid
	Error   string
	Encoded string // what it is after decoding and encoding
	Unfaith string // how it changed in a round trip
}

// ask lets the program receive documents.
func (r receiver) ask(t *testing.T, questions []question) []answer {
	t.Helper()
	var in bytes.Buffer
	for _, q := range questions {
		line, err := json.Marshal(q)
		if err != nil {
			t.Fatalf("%v: %s", err, q.Document)
		}
		in.Write(append(line, '\n'))
	}
	cmd := exec.CommandContext(t.Context(), r.path)
	cmd.Stdin = &in
	var trouble bytes.Buffer
	cmd.Stderr = &trouble
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, trouble.String())
	}
	var answers []answer
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(answers), len(questions))
	}
	return answers
}

const receiverProgram = `// Command receive receives documents the way a consumer does.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"

	"github.com/babelqueue/bqgen/runtime/payload"

IMPORTS)

type generated[T any] interface {
	*T
	json.Marshaler
	json.Unmarshaler
	payload.Value
	DecodeJSON(*payload.Decoder)
}

type question struct {
	URN      string
	Document json.RawMessage
}

type answer struct {
	Rules                   []string
	Error, Encoded, Unfaith string
}

func receive[T any, P generated[T]](document []byte) (a answer) {
	v := P(new(T))
	var check func(*payload.Validator) // stays nil for a type that its schema does not limit
	if checked, ok := any(v).(interface{ ValidateJSON(*payload.Validator) }); ok {
		check = checked.ValidateJSON
	}
	if err := payload.Receive(document, v.DecodeJSON, check); err != nil {
		var broken *payload.Error
		if !errors.As(err, &broken) {
			panic(err)
		}
		for _, violation := range broken.Violations {
			a.Rules = append(a.Rules, violation.Rule)
		}
		a.Error = err.Error()
		return a
	}
	text, err := payload.Marshal(v.EncodeJSON)
	if err != nil {
		a.Unfaith = "encode: " + err.Error()
		return a
	}
	a.Encoded = string(text)
	w := P(new(T))
	if err := json.Unmarshal(text, w); err != nil {
		a.Unfaith = "decode again: " + err.Error()
	} else if again, err := json.Marshal(w); err != nil || !same(again, text) {
		a.Unfaith = "encode again: " + string(again)
	}
	return a
}

// same compares without the escapes that encoding/json adds.
func same(a, b []byte) bool {
	var v, w any
	if json.Unmarshal(a, &v) != nil || json.Unmarshal(b, &w) != nil {
		return false
	}
	a, _ = json.Marshal(v)
	b, _ = json.Marshal(w)
	return string(a) == string(b)
}

var receivers = map[string]func([]byte) answer{
ENTRIES}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var q question
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			panic(err)
		}
		if err := out.Encode(receivers[q.URN](q.Document)); err != nil {
			panic(err)
		}
	}
}
`
