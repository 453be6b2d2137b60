package judge

import (
	"errors"
	"strconv"

	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/uniqueitems"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/merge"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/internal/trust"
	"github.com/babelqueue/bqgen/schema/jsonschema"
)

const (
	// The library takes schemas of this host for checked ones. It would check those of the catalog one by one, which
	// would be most of the time of loading. A metaJudge checks equal ones once.
	catalogURL = "https://json-schema.org/bqgen/catalog.json"

	// maxJudged is the number of schemas that a value may be validated against, including all that they refer to. The
	// library compiles them in time that grows with the square.
	maxJudged = 20_000

	// maxWork is what validating all values of a catalog may cost, about four seconds.
	maxWork = 400_000_000
)

// A Judge validates the values of a catalog.
type Judge struct {
	source.Reporter
	roots    []*draft.Root
	rootOf   map[*schema.Type]*draft.Root
	number   map[*draft.Root]int
	size     map[*draft.Root]int // number of schemas in a root
	compiled map[*draft.Root]bool
	claims   []merge.Claim
	pointers map[*schema.Schema]string // to schemas with claims
	texts    map[*schema.Schema]string // of scalar schemas with claims
	valid    map[scalarClaim]bool      // claims that were found to be valid
	compiler *validator.Compiler
	unique   uniqueitems.Judge // of what the compiler compiles
	budget   *Budget
	stopped  bool  // the budget is used up, and was reported
	bug      error // a schema that JSON Schema does not accept
}

// New returns a judge of all roots that nothing was reported about. It adds the doubt about other roots to those that
// refer to them.
func New(r source.Reporter, roots []*draft.Root, merged *merge.Result) *Judge {
	spreadDoubt(roots)
	j := &Judge{
		Reporter: r, roots: roots, claims: merged.Claims,
		rootOf: make(map[*schema.Type]*draft.Root, len(roots)), number: make(map[*draft.Root]int, len(roots)),
		size: make(map[*draft.Root]int, len(roots)), compiled: map[*draft.Root]bool{},
		pointers: make(map[*schema.Schema]string, len(merged.Claims)),
		texts:    make(map[*schema.Schema]string, len(merged.Claims)),
		valid:    map[scalarClaim]bool{}, compiler: NewCompiler(), budget: NewBudget(maxWork),
	}
	for i, root := range roots {
		j.number[root] = i
		if root.Type != nil {
			j.rootOf[root.Type] = root
		}
	}
	for _, c := range merged.Claims {
		j.pointers[c.Schema] = ""
	}
	meta := metaJudge{compiler: j.compiler, done: map[string]bool{}}
	defs := j.definitions(&meta, merged.Doubts)
	if j.bug = meta.err; j.bug == nil {
		document := map[string]any{"$schema": jsonschema.DraftURL, "$defs": defs}
		j.bug = j.compiler.AddResource(catalogURL, document)
	}
	return j
}

// spreadDoubt adds the doubt about roots to all that refer to them.
func spreadDoubt(roots []*draft.Root) {
	usedBy := map[*draft.Root][]*draft.Root{}
	var spread []*draft.Root
	for _, r := range roots {
		if !r.Doubt.MayRely() {
			spread = append(spread, r)
		}
		for _, ref := range r.Refs {
			if ref.To != nil {
				usedBy[ref.To] = append(usedBy[ref.To], r)
			}
		}
	}
	for len(spread) > 0 {
		r := spread[len(spread)-1]
		spread = spread[:len(spread)-1]
		for _, user := range usedBy[r] {
			if user.Doubt.MayRely() {
				user.Doubt = trust.Inside
				spread = append(spread, user)
			}
		}
	}
}

// definitions renders every root that can be validated against, and the schemas of claims that are part of none.
func (j *Judge) definitions(meta *metaJudge, doubts map[*schema.Schema]trust.Doubt) map[string]any {
	defs := make(map[string]any, len(j.roots))
	var current *draft.Root
	w := jsonschema.Renderer{
		GoLimits: true,
		RefTo:    func(t *schema.Type) string { return "#" + j.pathOf(j.rootOf[t]) },
		Met: func(s *schema.Schema, path string, rendered jsonschema.Object) {
			meta.check(rendered)
			inRules, _ := RuleReach(s)
			j.size[current] += 1 + inRules
			if _, claimed := j.pointers[s]; claimed {
				j.pointers[s] = path
				if s.Kind >= schema.String && s.Kind <= schema.Boolean {
					j.texts[s] = string(rendered.AppendCompact(nil))
				}
			}
		},
	}
	for _, r := range j.roots {
		if r.Doubt.MayRely() {
			current = r
			defs[strconv.Itoa(j.number[r])] = w.Schema(r.Schema, j.pathOf(r)).Decoded()
		}
	}
	for i, c := range j.claims {
		if j.pointers[c.Schema] == "" && doubts[c.Schema].MayRely() && j.canValidateRefs(c.Schema) {
			name := "value" + strconv.Itoa(i)
			current = c.Root
			defs[name] = w.Schema(c.Schema, "/$defs/"+name).Decoded()
		}
	}
	return defs
}

// canValidateRefs reports whether all types that a schema refers to can be validated against.
func (j *Judge) canValidateRefs(s *schema.Schema) bool {
	switch {
	case s == nil:
		return true
	case s.Kind == schema.Ref:
		return s.Target != nil && j.rootOf[s.Target].Doubt.MayRely()
	}
	for _, p := range s.Properties {
		if !j.canValidateRefs(p.Schema) {
			return false
		}
	}
	_, types := RuleReach(s)
	for _, t := range types {
		if !j.rootOf[t].Doubt.MayRely() {
			return false
		}
	}
	for _, b := range s.Branches {
		if b.Value == "" && s.Discriminator == "" && len(s.Rules) == 0 || !j.canValidateRefs(b.Schema) {
			return false
		}
	}
	return j.canValidateRefs(s.Items) && j.canValidateRefs(s.AdditionalSchema)
}

func (j *Judge) pathOf(r *draft.Root) string { return "/$defs/" + strconv.Itoa(j.number[r]) }

// Claims validates the values that the catalog's schemas call valid: defaults, examples, enums, consts. The place is
// that of the catalog.
func (j *Judge) Claims(catalog schema.Pos) {
	if j.bug != nil {
		j.Report(catalog, schema.RuleExample, "this is a bug in bqgen",
			"the catalog's schemas are not what JSON Schema calls a schema: %s", text.Quote(j.bug.Error()))
		return
	}
	for _, c := range j.claims {
		pointer := j.pointers[c.Schema]
		if pointer == "" {
			continue
		}
		key := scalarClaim{j.texts[c.Schema], string(c.Value.JSON), c.Schema.GoType != nil}
		if key.schema != "" && j.valid[key] {
			continue
		}
		before := j.Errors()
		j.check(c.Root, pointer, c.Schema, c.Value)
		j.valid[key] = j.Errors() == before
	}
}

// A scalarClaim is a claim about a scalar. Catalogs repeat fields, so the same claim is checked once.
type scalarClaim struct {
	schema, value string // as JSON
	hasGoType     bool   // decides about leap seconds
}

// Payload validates an example of a payload, unless its schema is doubted.
func (j *Judge) Payload(r *draft.Root, v draft.Value) {
	if r.Doubt.MayRely() && j.bug == nil {
		j.check(r, j.pathOf(r), r.Schema, v)
	}
}

func (j *Judge) check(r *draft.Root, pointer string, s *schema.Schema, v draft.Value) {
	if !j.afford(s, v) {
		return
	}
	if !j.compiled[r] && j.reach(r) > maxJudged {
		j.Report(v.Node.Pos, schema.RuleTooLarge, "leave out what is to be checked against it, or split it",
			"the schema is too large to check a value against it: %d schemas", j.reach(r))
		r.Doubt |= trust.Inside
		return
	}
	j.compiled[r] = true
	compiled, err := j.compiler.Compile(catalogURL + "#" + pointer)
	j.unique.TakeOver(compiled)
	if err != nil {
		j.Report(v.Node.Pos, v.Rule, "this is a bug in bqgen",
			"the %s cannot be checked: %s", v.What, text.Quote(err.Error()))
		return
	}
	before := j.Errors()
	if invalid, ok := errors.AsType[*validator.ValidationError](compiled.Validate(v.Decoded)); ok {
		j.violations(v, invalid)
	}
	if j.Errors() == before {
		j.leapSeconds(s, v, v.Node, "")
	}
}

// afford takes the cost of a validation from the budget. It reports the first value that is too much, and then none.
func (j *Judge) afford(s *schema.Schema, v draft.Value) bool {
	if !j.stopped && !j.budget.Validation(s, v.Decoded) {
		j.stopped = true
		j.Report(v.Node.Pos, schema.RuleTooLarge,
			"leave out examples, defaults and enum values of costly schemas, or use cheaper patterns and fewer branches",
			"the values of the catalog cost too much to check: the %s from here on are not checked", v.What+"s")
	}
	return !j.stopped
}

// reach counts the schemas of a root and of all that it refers to, except for those that were compiled.
func (j *Judge) reach(r *draft.Root) int {
	seen := map[*draft.Root]bool{r: true}
	way := []*draft.Root{r}
	count := 0
	for len(way) > 0 {
		r := way[len(way)-1]
		way = way[:len(way)-1]
		count += j.size[r]
		for _, ref := range r.Refs {
			if ref.To != nil && !seen[ref.To] && !j.compiled[ref.To] {
				seen[ref.To] = true
				way = append(way, ref.To)
			}
		}
	}
	return count
}
