package gentest

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/babelqueue/bqgen/schema"
)

// receiveReal lets generated code receive the documents of trials. Its verdicts are those of the original schemas, and
// what it sends again is what it received, apart from members that the schema does not declare.
func receiveReal(t *testing.T, r receiver, trials []trial) {
	var questions []question
	for _, tr := range trials {
		text, err := json.Marshal(tr.document)
		if err != nil {
			t.Fatal(err)
		}
		questions = append(questions, question{tr.urn, text})
	}
	count, reported := map[string]int{}, map[string]bool{}
	for i, a := range r.ask(t, questions) {
		tr, outcome, fault := trials[i], "both say valid", ""
		switch accepted := a.Rules == nil; {
		case !tr.valid && !accepted:
			outcome = "both say invalid"
		case !tr.valid && !tr.whole:
			outcome = "valid since the schema was widened"
		case !tr.valid:
			fault = "the original refuses it"
		case accepted && a.Unfaith != "" && !strings.Contains(a.Unfaith, " members"):
			fault = a.Unfaith
		case accepted && a.Unfaith == "":
			fault = resent(tr.data, tr.document, parsed(t, []byte(a.Encoded)))
		case accepted:
			outcome = "both say valid, but only with the unknown members that count for minProperties"
		case !slices.ContainsFunc(a.Rules, func(rule string) bool { return rule != "range" }):
			outcome = "valid except for a number beyond the Go type"
		default:
			fault = a.Error
		}
		if fault != "" {
			outcome = "DIFFERENT"
			if !reported[tr.place] && len(reported) < 20 {
				t.Errorf("%s: %s\ndocument: %.1500s\nsent again: %.1500s", tr.place, fault, questions[i].Document, a.Encoded)
			}
			reported[tr.place] = true
		}
		count[outcome]++
	}
	t.Logf("%d documents received: %v", len(trials), count)
}

// resent compares a document with what became of it when it was received and sent again. It returns the first
// difference. Members that the schema does not declare may be gone, texts may have their canonical form.
func resent(s *schema.Schema, was, is any) string {
	s = s.Resolve()
	switch was := was.(type) {
	case map[string]any:
		is, ok := is.(map[string]any)
		if !ok {
			return fmt.Sprintf("%v became %v", was, is)
		}
		return resentObject(s, was, is)
	case []any:
		is, ok := is.([]any)
		if !ok || len(was) != len(is) {
			return fmt.Sprintf("%v became %v", was, is)
		}
		for i := range was {
			if difference := resent(itemsOf(s), was[i], is[i]); difference != "" {
				return difference
			}
		}
	case string:
		text, ok := is.(string)
		if !ok || text != was && !sameInstance(s.Format, was, text) {
			return fmt.Sprintf("%q became %v", was, is)
		}
	case json.Number:
		number, ok := is.(json.Number)
		if !ok || !sameNumber(s, was, number) {
			return fmt.Sprintf("%s became %v", was, is)
		}
	default:
		if was != is {
			return fmt.Sprintf("%v became %v", was, is)
		}
	}
	return ""
}

func resentObject(s *schema.Schema, was, is map[string]any) string {
	if s.Kind == schema.Union {
		first := ""
		for _, b := range s.Branches {
			difference := resent(b.Schema, was, is)
			if difference == "" {
				return ""
			}
			first = difference
		}
		return first
	}
	for name, value := range is {
		if _, there := was[name]; !there {
			return fmt.Sprintf("member %q came from nowhere: %v", name, value)
		}
	}
	for name, value := range was {
		of := &schema.Schema{Kind: schema.Any}
		p := s.Property(name)
		switch {
		case p != nil:
			of = p.Schema
		case s.AdditionalSchema != nil:
			of = s.AdditionalSchema
		}
		again, there := is[name]
		isDeclared := s.Kind != schema.Object || p != nil || s.Additional == schema.AdditionalKept
		switch {
		case !there && isDeclared:
			return fmt.Sprintf("member %q is gone", name)
		case there:
			if difference := resent(of, value, again); difference != "" {
				return name + ": " + difference
			}
		}
	}
	return ""
}

func itemsOf(s *schema.Schema) *schema.Schema {
	if s.Items != nil {
		return s.Items
	}
	return &schema.Schema{Kind: schema.Any}
}

// sameInstance reports whether two texts of a format mean the same.
func sameInstance(f schema.Format, a, b string) bool {
	switch f {
	case schema.DateTime:
		x, errX := time.Parse(time.RFC3339Nano, strings.ToUpper(a))
		y, errY := time.Parse(time.RFC3339Nano, b)
		return errX == nil && errY == nil && x.Sub(y).Abs() < time.Microsecond
	case schema.UUID:
		x, errX := uuid.Parse(a)
		y, errY := uuid.Parse(b)
		return errX == nil && errY == nil && x == y
	case schema.IPv4, schema.IPv6:
		x, errX := netip.ParseAddr(a)
		y, errY := netip.ParseAddr(b)
		return errX == nil && errY == nil && x == y
	}
	return false
}

// sameNumber compares numbers by value. A float is the nearest that there is.
func sameNumber(s *schema.Schema, a, b json.Number) bool {
	if s.Kind == schema.Number {
		x, errX := a.Float64()
		y, errY := b.Float64()
		return errX == nil && errY == nil && (x == y || s.Format == schema.Float && float32(x) == float32(y))
	}
	x, okX := new(big.Rat).SetString(string(a))
	y, okY := new(big.Rat).SetString(string(b))
	return okX && okY && x.Cmp(y) == 0
}

// vetted checks the code of a receiver as a user's CI does.
func (r receiver) vetted(t *testing.T) {
	t.Helper()
	staticcheck := filepath.Join(t.TempDir(), "staticcheck")
	goIn(t, "..", "build", "-o", staticcheck, "honnef.co/go/tools/cmd/staticcheck")
	goIn(t, r.dir, "vet", "./receive/...")
	runIn(t, r.dir, staticcheck, "./receive/...")
}
