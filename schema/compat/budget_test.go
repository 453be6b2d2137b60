package compat

import (
	"fmt"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

func parse(t *testing.T, sections ...string) *schema.Catalog {
	t.Helper()
	c, findings := load.Parse("urns.yaml", []byte("bqgen: 1\npackage: p\nqueues: {q: {}}\n"+strings.Join(sections, "")))
	if c == nil {
		t.Fatal(findings[0])
	}
	return c
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "N", fmt.Sprint(i)))
	}
	return b.String()
}

// limited compares with a small budget, so that it is used up at once.
func limited(t *testing.T, old, new *schema.Catalog, units int) ([]*Change, *comparer) {
	t.Helper()
	c := newComparer(old, new, Options{})
	c.budget.Limit(units)
	return c.run(), c
}

func payload(members string) string {
	return "urns:\n  u: {queue: q, data: {type: object, properties: {" + members + "}}}\n"
}

// Where the budget ends, all changes are still reported, as breaking as they are, and only their documents are missing.
func TestChangesAreReportedWithoutABudget(t *testing.T) {
	build := func(w, kind string) *schema.Catalog {
		return parse(t, "types:\n  T: {type: object, required: [k"+w+"], properties: {k"+w+": {type: "+kind+"}}}\n",
			payload("a: {type: string, enum: ["+numbered(20, w+"N, ")+"]}, b: {type: "+kind+"}, c: {$ref: '#/types/T'}, "+
				"d: {type: string, pattern: ^"+w+"}, e: {type: object, properties: {}, additionalProperties: {type: "+kind+"}}"))
	}
	old, new := build("x", "string"), build("y", "integer")
	want := Compare(old, new, Options{})
	got, _ := limited(t, old, new, 0)
	if len(got) != len(want) || len(got) < 40 {
		t.Fatalf("%d changes, and %d with a budget", len(got), len(want))
	}
	shown := 0
	for i, c := range want {
		if got[i].Message != c.Message || got[i].Direction() != c.Direction() || got[i].Severity != c.Severity {
			t.Errorf("%s: %s, with a budget %s: %s", got[i].Direction(), got[i].Message, c.Direction(), c.Message)
		}
		for _, b := range []*Break{c.Consumers, c.Producers} {
			if b != nil && b.Document != nil {
				shown++
			}
		}
		for _, b := range []*Break{got[i].Consumers, got[i].Producers} {
			if b != nil && b.Document != nil {
				t.Errorf("%s: document %s", c.Message, b.Document)
			}
		}
	}
	if shown < 40 {
		t.Errorf("%d documents with a budget", shown)
	}
}

// hostilePairs are catalogs for which the search for documents is endless, or was.
var hostilePairs = map[string]func(t *testing.T) (old, new *schema.Catalog){
	"a costly pattern": func(t *testing.T) (old, new *schema.Catalog) {
		member := "a: {type: string, minLength: %d, pattern: '([a-z]?){900}x'}"
		return parse(t, payload(fmt.Sprintf(member, 90000))), parse(t, payload(fmt.Sprintf(member, 90001)))
	},
	"an enum": func(t *testing.T) (old, new *schema.Catalog) {
		return parse(t, payload("a: {enum: ["+numbered(5000, "aN, ")+"]}")),
			parse(t, payload("a: {enum: ["+numbered(5000, "bN, ")+"]}"))
	},
	"branches": func(t *testing.T) (old, new *schema.Catalog) {
		branch := "{type: object, required: [k], properties: {k: {const: WN}}}, "
		return parse(t, payload("u: {oneOf: ["+numbered(2000, strings.ReplaceAll(branch, "W", "a"))+"]}")),
			parse(t, payload("u: {oneOf: ["+numbered(2000, strings.ReplaceAll(branch, "W", "b"))+"]}"))
	},
	"properties": func(t *testing.T) (old, new *schema.Catalog) {
		return parse(t, payload(numbered(5000, "aN: {type: string}, "))),
			parse(t, payload(numbered(5000, "aN: {type: integer}, ")))
	},
	"unique items": func(t *testing.T) (old, new *schema.Catalog) {
		member := "a: {type: array, uniqueItems: true, minItems: %d, items: {type: array, uniqueItems: true, " +
			"minItems: 250, items: {type: string, minLength: 90000}}}"
		return parse(t, payload(fmt.Sprintf(member, 250))), parse(t, payload(fmt.Sprintf(member, 251)))
	},
	"long names": func(t *testing.T) (old, new *schema.Catalog) {
		build := func(kind string) *schema.Catalog {
			const depth = 20
			outer := strings.Repeat(strings.Repeat("a", 1000)+": {type: object, properties: {", depth)
			return parse(t, payload(outer+numbered(1000, "pN: {type: "+kind+"}, ")+strings.Repeat("}}", depth)))
		}
		return build("string"), build("integer")
	},
	"payloads that share a type": func(t *testing.T) (old, new *schema.Catalog) {
		build := func(kind string) *schema.Catalog {
			return parse(t, "types:\n  T: {type: object, properties: {"+numbered(500, "pN: {type: "+kind+"}, ")+"}}\n",
				"urns:\n"+numbered(500, "  uN: {queue: q, data: {$ref: '#/types/T'}}\n"))
		}
		return build("string"), build("integer")
	},
}

func TestTheSearchForDocumentsIsBounded(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through large catalogs")
	for name, build := range hostilePairs {
		t.Run(name, func(t *testing.T) {
			old, new := build(t)
			changes, c := limited(t, old, new, 20_000_000)
			breaking := 0
			for _, change := range changes {
				if change.Consumers != nil || change.Producers != nil {
					breaking++
				}
			}
			if breaking == 0 {
				t.Errorf("%d changes, none of which breaks anything", len(changes))
			}
			if c.shown > 2*maxDocuments || c.steps > 2*maxSteps {
				t.Errorf("%d bytes of documents, %d steps", c.shown, c.steps)
			}
		})
	}
}

// A document that no message can carry is not built, which took a second for each of thousands of messages.
func TestWhatIsTooDeepToSendHasNoDocument(t *testing.T) {
	build := func(kind string) *schema.Catalog {
		var types strings.Builder
		for i := range 1100 {
			fmt.Fprintf(&types, "  T%d: {type: object, properties: {n: {$ref: '#/types/T%d'}}}\n", i, i+1)
		}
		fmt.Fprintf(&types, "  T1100: {type: object, properties: {k: {type: %s}}}\n", kind)
		return parse(t, "types:\n"+types.String()+"urns: {deep: {queue: q, data: {$ref: '#/types/T0'}}, "+
			"flat: {queue: q, data: {$ref: '#/types/T1000'}}}\n")
	}
	old, new := build("string"), build("integer")
	changes, c := limited(t, old, new, 20_000_000)
	if len(changes) != 1 || len(changes[0].URNs) != 2 || !changes[0].shown() {
		t.Errorf("changes %v", changes)
	}
	w := c.walker(old.URNs[0], new.URNs[0])
	w.frames = make([]frame, maxFrames+1)
	values := func() []any {
		t.Error("a document was built")
		return nil
	}
	if b := w.show(&claim{candidates: values}, toConsumers); b.Document != nil {
		t.Errorf("document %s", b.Document)
	}
}

// Two cycles of types of unlike lengths meet in all pairs, of which a catalog of 1 MB made a hundred million.
func TestTypesThatMeetInTooManyPairsAreABreak(t *testing.T) {
	const n = 30
	cycle := func(n int) *schema.Catalog {
		var types strings.Builder
		for i := range n {
			fmt.Fprintf(&types, "  T%d: {type: object, properties: {n: {$ref: '#/types/T%d'}}}\n", i, (i+1)%n)
		}
		return parse(t, "types:\n"+types.String()+"urns: {u: {queue: q, data: {$ref: '#/types/T0'}}}\n")
	}
	compared := func(work int) (all, lost []*Change) {
		c := newComparer(cycle(n), cycle(n-1), Options{})
		c.work = work
		all = c.run()
		for _, change := range all {
			if change.Rule == notCompared {
				lost = append(lost, change)
			}
		}
		return all, lost
	}
	if _, lost := compared(100 * n * n); len(lost) > 0 {
		t.Errorf("lost with enough work: %v", lost)
	}
	all, lost := compared(3 * costOfChange * n)
	if len(lost) != 1 || lost[0].Direction() != BreaksBoth || lost[0].Severity != schema.Error || len(all) > 3*n {
		t.Errorf("%d changes, of which %v", len(all), lost)
	}
}

// A large type costs as much as it has members, whatever it is compared with.
func TestAPairOfSchemasCostsItsMembers(t *testing.T) {
	const n = 400
	cost := func(member string) int {
		c := newComparer(parse(t, payload("a: "+member)), parse(t, payload("a: {type: object, properties: {}}")), Options{})
		c.run()
		return maxPairWork - c.work
	}
	for _, member := range []string{
		"{type: object, properties: {" + numbered(n, "pN: {}, ") + "}}",
		"{type: string, enum: [" + numbered(n, "vN, ") + "]}",
		"{oneOf: [" + numbered(n, "{type: object, required: [k], properties: {k: {const: cN}}}, ") + "]}",
	} {
		if got := cost(member); got < n {
			t.Errorf("%.40s... costs %d", member, got)
		}
	}
}

// Types that all refer to one another are met more often than they are compared. A hundred and fifty took 20 seconds.
func TestEachMeetingOfTypesIsAStep(t *testing.T) {
	const n = 20
	build := func(kind string) *schema.Catalog {
		members := numbered(n, "pN: {$ref: '#/types/TN'}, ")
		return parse(t, "types:\n"+numbered(n, "  TN: {type: object, properties: {"+members+"k: {type: "+kind+"}}}\n"),
			"urns:\n"+numbered(n, "  uN: {queue: q, data: {$ref: '#/types/TN'}}\n"))
	}
	changes, c := limited(t, build("string"), build("integer"), 20_000_000)
	if len(changes) != n || c.steps < n*n*n {
		t.Errorf("%d changes, %d steps", len(changes), c.steps)
	}
}

// 300,000 equal values, and 20,000 renamed URNs when a catalog could have so many, took minutes: each was compared with
// each.
func TestManyValuesAndURNsAreComparedInOnePass(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through large catalogs")
	values := parse(t, payload("a: {enum: ["+numbered(100_000, "aN, ")+"]}"))
	if changes := Compare(values, values, Options{}); len(changes) != 0 {
		t.Errorf("%d changes of nothing", len(changes))
	}
	const n = 5_000
	message := "  WN: {queue: q, summary: s, data: {type: object, properties: {a: {type: KIND}}}}\n"
	build := func(w, kind string) *schema.Catalog {
		return parse(t, "urns:\n"+numbered(n, strings.NewReplacer("W", w, "KIND", kind).Replace(message)))
	}
	changes, c := limited(t, build("a", "string"), build("b", "integer"), 0)
	if len(changes) != 2*n || c.steps > 5*maxAlike*n {
		t.Errorf("%d changes in %d steps", len(changes), c.steps)
	}
	changes = Compare(build("a", "string"), build("b", "string"), Options{})
	if len(changes) != n || changes[0].Rule != "urn-renamed" {
		t.Errorf("%d changes, the first %s", len(changes), changes[0].Rule)
	}
}

// Numbers of hundreds of digits took a hundred times as long as they cost.
func TestLongNumbersCostMore(t *testing.T) {
	cost := func(member string) int {
		s := parse(t, payload("a: "+member)).URNs[0].Data.Properties[0].Schema
		return numbersCost(s, s)
	}
	long := cost("{type: number, multipleOf: 1e-300, minimum: -1e300, maximum: 1e300}")
	if short := cost("{type: integer, minimum: 1, maximum: 7}"); long < 100*short {
		t.Errorf("short numbers cost %d, and long ones %d", short, long)
	}
}
