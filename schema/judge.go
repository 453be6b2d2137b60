package schema

import (
	"errors"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A judge holds the catalog's schemas against the definition of JSON Schema, and its values against the schemas, by
// a library of others: so what a catalog means is settled by JSON Schema and not by the code that bqgen generates.
type judge struct {
	*loader
	number   map[*root]int
	unsound  map[*root]bool // reported, or referring to what was reported
	compiler *jsonschema.Compiler
	pointers map[*Schema]string // to schemas with claims
	compiled map[*root]bool
	broken   error
	sizes    map[*root]int // schemas in a root
}

// A claim is a value that the catalog says to be valid.
type claim struct {
	root   *root
	schema *Schema
	value  draftValue
}

func (b *builder) claim(s *Schema, v draftValue) {
	b.claims = append(b.claims, claim{b.root, s, v})
}

const (
	// The library takes schemas of this host for checked ones. It would check the catalog's one by one, and most of
	// the time of loading would go there; checkMeta does it once for those that are alike.
	judgeURL = "https://json-schema.org/bqgen/catalog.json"

	// maxJudged is how many schemas an example may be held against, all that they refer to included. The library
	// compiles them in time that grows with the square.
	maxJudged = 20_000
)

// newJudge makes one JSON Schema of all roots in which nothing was found.
func newJudge(l *loader) *judge {
	j := &judge{
		loader: l, number: make(map[*root]int, len(l.roots)), unsound: unsoundRoots(l.roots),
		pointers: make(map[*Schema]string, len(l.claims)), compiled: map[*root]bool{}, sizes: make(map[*root]int, len(l.roots)),
	}
	for i, r := range l.roots {
		j.number[r] = i
	}
	for _, c := range l.claims {
		j.pointers[c.schema] = ""
	}
	j.compiler = jsonschema.NewCompiler()
	j.compiler.DefaultDraft(jsonschema.Draft2020)
	j.compiler.AssertFormat()
	j.compiler.UseLoader(noLoader{})
	meta := metaJudge{compiler: j.compiler, done: map[string]bool{}}
	defs := j.definitions(&meta)
	if j.broken = meta.err; j.broken == nil {
		j.broken = j.compiler.AddResource(judgeURL, map[string]any{"$schema": draftURL, "$defs": defs})
	}
	return j
}

// noLoader keeps the library from reading anything.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errors.New("nothing is loaded") }

// definitions renders every sound root, and the schemas of claims that are part of none.
func (j *judge) definitions(meta *metaJudge) map[string]any {
	defs := make(map[string]any, len(j.roots))
	var at *root
	w := renderer{goLimits: true, refTo: func(t *Type) string { return "#" + j.pathOf(j.rootOf[t]) }}
	w.met = func(s *Schema, path string, rendered jsonObject) {
		meta.check(rendered)
		j.sizes[at]++
		if _, claimed := j.pointers[s]; claimed {
			j.pointers[s] = path
		}
	}
	for _, r := range j.roots {
		if !j.unsound[r] {
			at, w.path = r, j.pathOf(r)
			defs[strconv.Itoa(j.number[r])] = plain(w.schema(r.schema))
		}
	}
	for i, c := range j.claims {
		if j.pointers[c.schema] == "" && !j.unsure[c.schema] && j.refersToSound(c.schema) {
			name := "value" + strconv.Itoa(i)
			at, w.path = c.root, "/$defs/"+name
			defs[name] = plain(w.schema(c.schema))
		}
	}
	return defs
}

// refersToSound tells whether nothing was reported about the types that a schema refers to.
func (j *judge) refersToSound(s *Schema) bool {
	switch {
	case s == nil:
		return true
	case s.Kind == Ref:
		return s.Target != nil && !j.unsound[j.rootOf[s.Target]]
	}
	for _, p := range s.Properties {
		if !j.refersToSound(p.Schema) {
			return false
		}
	}
	for _, b := range s.Branches {
		if b.Value == "" && s.Discriminator == "" || !j.refersToSound(b.Schema) {
			return false
		}
	}
	return j.refersToSound(s.Items) && j.refersToSound(s.AdditionalSchema)
}

func (j *judge) pathOf(r *root) string { return "/$defs/" + strconv.Itoa(j.number[r]) }

// unsoundRoots spreads what is bad to all that refers to it.
func unsoundRoots(roots []*root) map[*root]bool {
	usedBy := map[*root][]*root{}
	unsound := map[*root]bool{}
	var spread []*root
	for _, r := range roots {
		if r.bad {
			unsound[r] = true
			spread = append(spread, r)
		}
		for _, ref := range r.refs {
			if ref.to != nil {
				usedBy[ref.to] = append(usedBy[ref.to], r)
			}
		}
	}
	for len(spread) > 0 {
		r := spread[len(spread)-1]
		spread = spread[:len(spread)-1]
		for _, user := range usedBy[r] {
			if !unsound[user] {
				unsound[user] = true
				spread = append(spread, user)
			}
		}
	}
	return unsound
}

// checkClaims validates what the catalog says to be valid inside of its schemas: defaults, examples, enums, consts.
func (j *judge) checkClaims() {
	if j.broken != nil {
		j.report(Pos{j.main.name, 1, 1}, ruleExample, "this is a bug in bqgen", "the catalog's schemas are not what JSON Schema calls a schema: %s", quote(j.broken.Error()))
		return
	}
	for _, c := range j.claims {
		if pointer := j.pointers[c.schema]; pointer != "" {
			j.check(c.root, pointer, c.schema, c.value)
		}
	}
}

// checkPayload validates an example of a payload. One of an unsound schema is not judged.
func (j *judge) checkPayload(r *root, v draftValue) {
	if !j.unsound[r] && j.broken == nil {
		j.check(r, j.pathOf(r), r.schema, v)
	}
}

func (j *judge) check(r *root, pointer string, s *Schema, v draftValue) {
	if !j.compiled[r] && j.reach(r) > maxJudged {
		j.report(v.node.pos, ruleTooLarge, "leave out what is to be checked against it, or split it", "the schema is too large to check a value against it: %d schemas", j.reach(r))
		j.unsound[r] = true
		return
	}
	j.compiled[r] = true
	compiled, err := j.compiler.Compile(judgeURL + "#" + pointer)
	if err != nil {
		j.report(v.node.pos, v.rule, "this is a bug in bqgen", "the %s cannot be checked: %s", v.what, quote(err.Error()))
		return
	}
	before := j.errors
	var invalid *jsonschema.ValidationError
	if err := compiled.Validate(v.value); errors.As(err, &invalid) {
		j.violations(v, invalid)
	}
	if j.errors == before {
		j.leapSeconds(s, v, v.node, "")
	}
}

// reach counts the schemas of a root and of all that it refers to, but for those that were compiled.
func (j *judge) reach(r *root) int {
	seen := map[*root]bool{r: true}
	way := []*root{r}
	count := 0
	for len(way) > 0 {
		r := way[len(way)-1]
		way = way[:len(way)-1]
		count += j.sizes[r]
		for _, ref := range r.refs {
			if ref.to != nil && !seen[ref.to] && !j.compiled[ref.to] {
				seen[ref.to] = true
				way = append(way, ref.to)
			}
		}
	}
	return count
}
