package gentest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/schema"
	render "github.com/babelqueue/bqgen/schema/jsonschema"
)

// mutationsEach is the number of mutations of each document that are judged, and mutationsAll that with -real.all.
const (
	mutationsEach = 8
	mutationsAll  = 40
)

// A realJudge validates documents by the original schemas of a folder.
type realJudge struct{ compiler *jsonschema.Compiler }

// newRealJudge adds all JSON files of a folder by their $id, and by their path.
func newRealJudge(t *testing.T, root fs.FS) *realJudge {
	t.Helper()
	c := formatCompiler()
	err := fs.WalkDir(root, ".", func(name string, _ fs.DirEntry, err error) error {
		ext := path.Ext(name)
		if err != nil || ext != ".json" && ext != ".yml" && ext != ".yaml" {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if ext != ".json" {
			var document any
			if err := yaml.Unmarshal(text, &document); err != nil {
				return err
			}
			if text, err = json.Marshal(document); err != nil {
				return err
			}
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		if object, ok := value.(map[string]any); ok {
			switch s, _ := object["$schema"].(string); {
			case ext != ".json": // AsyncAPI
				object["$schema"] = "http://json-schema.org/draft-07/schema#"
			case !strings.Contains(s, "json-schema.org"): // one of its own, which cannot be loaded
				object["$schema"] = "http://json-schema.org/draft-04/schema#"
			}
		}
		if object, ok := value.(map[string]any); ok {
			if id, _ := object["$id"].(string); strings.Contains(id, "://") {
				if err := c.AddResource(id, value); err != nil {
					return err
				}
			}
		}
		return c.AddResource("file:///"+name, value)
	})
	if err != nil {
		t.Fatal(err)
	}
	return &realJudge{c}
}

func formatCompiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for _, f := range judgedFormats {
		c.RegisterFormat(f)
	}
	return c
}

// A trial is a document with the verdict of the original schema.
type trial struct {
	place, urn string
	data       *schema.Schema // of the payload
	document   map[string]any
	valid      bool
	whole      bool // nothing was lost in the import, so that the verdict of generated code is the same
}

// compare judges documents, and mutations of them, by the original and by the imported schema. What the original
// accepts the import must accept; if nothing was lost, the verdicts are the same.
func (j *realJudge) compare(t *testing.T, place string, c *schema.Catalog, whole bool, documents []any) []trial {
	t.Helper()
	original, err := j.compiler.Compile("file:///" + place)
	if err != nil {
		return nil // such as a reference or a pattern that the validator cannot read
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(render.Render(c.URNs[0].Data, render.Options{})))
	if err != nil {
		t.Fatal(err)
	}
	compiler := formatCompiler()
	if err := compiler.AddResource("file:///imported.json", value); err != nil {
		t.Fatal(err)
	}
	imported, err := compiler.Compile("file:///imported.json")
	if err != nil {
		t.Fatal(err)
	}
	documents = append(documents, sample(value.(map[string]any), value, 0))
	random := rand.New(rand.NewPCG(1, 2))
	mutations := mutationsEach
	if *realAll {
		mutations = mutationsAll
	}
	var trials []trial
	for _, document := range documents {
		for i := range 1 + mutations {
			d := document
			for range min(i, 1) * (1 + random.IntN(3)) {
				d = mutated(random, d)
			}
			object, isObject := d.(map[string]any)
			if !isObject {
				continue // no payload
			}
			wanted, got := original.Validate(d) == nil, imported.Validate(d) == nil
			trials = append(trials, trial{place: place, document: object, valid: wanted, whole: whole})
			if wanted && !got || whole && wanted != got {
				text, _ := json.Marshal(d)
				t.Errorf("%s: original %v, imported %v: %.2000s\n%v\n%v",
					place, wanted, got, text, original.Validate(d), imported.Validate(d))
				return trials
			}
		}
	}
	return trials
}

// sample returns a document that has all properties of a schema, and may be valid.
func sample(root map[string]any, schema any, depth int) any {
	s, _ := schema.(map[string]any)
	if ref, ok := s["$ref"].(string); ok {
		name, _ := pointer.Unescape(ref[strings.LastIndexByte(ref, '/')+1:])
		s, _ = root["$defs"].(map[string]any)[name].(map[string]any)
	}
	if values, ok := s["enum"].([]any); ok {
		return values[0]
	}
	if value, ok := s["const"]; ok {
		return value
	}
	kind, _ := s["type"].(string)
	if kinds, ok := s["type"].([]any); ok {
		kind, _ = kinds[0].(string)
	}
	switch kind {
	case "object":
		object := map[string]any{}
		properties, _ := s["properties"].(map[string]any)
		for name, p := range properties {
			if depth < 5 {
				object[name] = sample(root, p, depth+1)
			}
		}
		return object
	case "array":
		return []any{sample(root, s["items"], depth+1)}
	case "integer", "number":
		return cmp.Or(number(s["minimum"]), number(s["maximum"]), json.Number("1"))
	case "boolean":
		return true
	}
	return map[string]string{
		"date-time": "2026-03-01T09:30:00Z", "date": "2026-03-01", "uuid": "123e4567-e89b-12d3-a456-426614174000",
		"uri": "https://example.com/", "email": "a@example.com", "ipv4": "10.0.0.1", "ipv6": "::1",
	}[fmt.Sprint(s["format"])]
}

func number(v any) json.Number {
	n, _ := v.(json.Number)
	return n
}

// mutated returns a copy of a document in which one value is missing or another.
func mutated(random *rand.Rand, v any) any {
	other := []any{nil, true, json.Number("7"), json.Number("-1.5"), "", "text", []any{}, map[string]any{}}
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			break
		}
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		key := keys[random.IntN(len(keys))]
		copied := make(map[string]any, len(v))
		for k, value := range v {
			copied[k] = value
		}
		switch random.IntN(4) {
		case 0:
			delete(copied, key)
		case 1:
			copied[key] = other[random.IntN(len(other))]
		default:
			copied[key] = mutated(random, v[key])
		}
		return copied
	case []any:
		if len(v) == 0 {
			break
		}
		copied := slices.Clone(v)
		i := random.IntN(len(v))
		copied[i] = mutated(random, v[i])
		return copied
	}
	return other[random.IntN(len(other))]
}
