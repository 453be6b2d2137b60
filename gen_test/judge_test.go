package gentest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/internal/format"
	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

// fixedSchemas are drawn from the same seeds on every run, freshSchemas from new ones.
var fixedSchemas = flag.Int("judge.schemas", 80, "how many schemas drawn at random are compiled")

const (
	freshSchemas = 20
	// documentsPerSchema is the number of valid documents, and also that of documents with a mutation.
	documentsPerSchema = 40
)

// TestTheJudgeAgrees compares generated code with an independent validator, by schemas drawn at random. They must agree
// on which documents are valid, except where docs/payloads.md says otherwise: numbers that the Go type cannot hold are
// never valid.
func TestTheJudgeAgrees(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine judges thousands of documents")
	if testing.Short() {
		t.Skip("compiles a module")
	}
	fresh := int(time.Now().UnixNano() % math.MaxInt32)
	t.Logf("fresh schemas from seed %d", fresh)
	judged := drawCatalog(t, fresh)
	receiver := newReceiver(t, map[string]*schema.Catalog{"judged": judged.catalog})

	var questions []question
	var valid []bool
	for i, s := range judged.schemas {
		for _, document := range judged.documents(s, i) {
			questions = append(questions, question{"judged/" + urnOf(i), document})
			valid = append(valid, s.judge.Validate(parsed(t, document)) == nil)
		}
	}
	count := map[string]int{}
	reported := 0
	for i, a := range receiver.ask(t, questions) {
		q := questions[i]
		outcome := ""
		switch accepted := a.Rules == nil; {
		case accepted && valid[i]:
			outcome = "both say valid"
			switch {
			case strings.Contains(a.Unfaith, " members"):
				outcome = "both say valid, but only with the unknown members that count for minProperties"
			case a.Unfaith != "":
				outcome = "DOES NOT SURVIVE: " + a.Unfaith
			}
		case !accepted && !valid[i]:
			outcome = "both say invalid"
		case !accepted && !slices.ContainsFunc(a.Rules, func(rule string) bool { return rule != "range" }):
			outcome = "valid except for a number beyond the Go type"
		default:
			outcome = "DISAGREE"
		}
		count[strings.SplitN(outcome, ":", 2)[0]]++
		if strings.ToUpper(outcome[:4]) == outcome[:4] && reported < 10 {
			reported++
			n := slices.IndexFunc(judged.schemas, func(s *judgedSchema) bool { return "judged/"+s.urn == q.URN })
			t.Errorf("%s\nschema:   %s\ndocument: %s\njudge:    valid is %v\nbqgen:    %v %s",
				outcome, judged.schemas[n].text, q.Document, valid[i], a.Rules, a.Error)
		}
	}
	t.Logf("%d schemas (%d drawn were refused), %d documents: %v", len(judged.schemas), judged.refused, len(questions),
		count)
	if agreed := count["both say valid"]; agreed < len(questions)/5 {
		t.Errorf("only %d of %d documents were valid: too few to mean anything", agreed, len(questions))
	}
}

func parsed(t *testing.T, document []byte) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatalf("%v: %s", err, document)
	}
	return value
}

// A judgedSchema is the schema of a payload, with its judge.
type judgedSchema struct {
	urn    string
	text   string
	schema map[string]any
	judge  *jsonschema.Schema
}

type judgedCatalog struct {
	catalog *schema.Catalog
	types   map[string]any
	schemas []*judgedSchema
	refused int
}

func urnOf(i int) string { return fmt.Sprintf("urn:judged:schema-%d", i) }

// catalogText is a catalog of types and payloads. It is JSON and thus YAML.
func catalogText(types, urns map[string]any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(map[string]any{
		"bqgen": 1, "package": "judged", "queues": map[string]any{"all": map[string]any{}}, "types": types, "urns": urns,
	}); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// drawCatalog draws schemas until bqgen has accepted enough. Those it refuses are tested elsewhere.
func drawCatalog(t *testing.T, fresh int) *judgedCatalog {
	t.Helper()
	c := &judgedCatalog{types: drawTypes(t)}
	urns := map[string]any{}
	compiler := newJudge(t, map[string]any{"types": c.types})
	for _, from := range []struct{ seed, count int }{{0, *fixedSchemas}, {fresh, freshSchemas}} {
		for seed := from.seed; from.count > 0; seed++ {
			s := payloadSchemas.Example(seed)
			entry := map[string]any{"queue": "all", "data": s}
			text := catalogText(c.types, map[string]any{"urn:judged:it": entry})
			if _, findings := load.Parse("urns.yaml", text); findings.HasErrors() {
				c.refused++
				continue
			}
			from.count--
			urn := urnOf(len(c.schemas))
			urns[urn] = entry
			shown, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			c.schemas = append(c.schemas, &judgedSchema{urn: urn, text: string(shown), schema: s, judge: compiler(s)})
		}
	}
	catalog, findings := load.Parse("urns.yaml", catalogText(c.types, urns))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	c.catalog = catalog
	return c
}

// newJudge returns a function that compiles schemas, which may refer to what root contains.
func newJudge(t *testing.T, root map[string]any) func(s map[string]any) *jsonschema.Schema {
	t.Helper()
	count := 0
	return func(s map[string]any) *jsonschema.Schema {
		count++
		compiler := jsonschema.NewCompiler()
		compiler.DefaultDraft(jsonschema.Draft2020)
		compiler.AssertFormat()
		for _, f := range judgedFormats {
			compiler.RegisterFormat(f)
		}
		document := map[string]any{"payload": s}
		for name, value := range root {
			document[name] = value
		}
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource("judged.json", value); err != nil {
			t.Fatal(err)
		}
		compiled, err := compiler.Compile("judged.json#/payload")
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return compiled
	}
}

// judgedFormats are the formats of numbers that JSON Schema does not define, as docs/payloads.md defines them, and
// those of strings as the loader and generated code check them.
var judgedFormats = append(textFormats(),
	integerFormat("int32", math.MinInt32, big.NewInt(math.MaxInt32)),
	integerFormat("int64", math.MinInt64, big.NewInt(math.MaxInt64)),
	integerFormat("uint64", 0, new(big.Int).SetUint64(math.MaxUint64)),
)

func textFormats() (all []*jsonschema.Format) {
	for name, valid := range format.ByName {
		all = append(all, textFormat(name, valid))
	}
	return all
}

func textFormat(name string, valid func(string) bool) *jsonschema.Format {
	return &jsonschema.Format{Name: name, Validate: func(v any) error {
		if s, ok := v.(string); ok && !valid(s) {
			return fmt.Errorf("not a %s", name)
		}
		return nil
	}}
}

func integerFormat(name string, min int64, max *big.Int) *jsonschema.Format {
	return &jsonschema.Format{Name: name, Validate: func(v any) error {
		n, ok := v.(json.Number)
		if !ok {
			return nil
		}
		r, _ := new(big.Rat).SetString(n.String())
		if r.Cmp(new(big.Rat).SetInt64(min)) < 0 || r.Cmp(new(big.Rat).SetInt(max)) > 0 {
			return fmt.Errorf("not a %s", name)
		}
		return nil
	}}
}
