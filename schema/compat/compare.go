package compat

import (
	"fmt"
	"slices"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
	opinion "github.com/babelqueue/bqgen/schema/internal/judge"
)

// GoNames are the names in the generated code, by pointer to the URN, queue, type or property. Names that are missing
// are not compared.
type GoNames map[any]string

// Options are what a comparison can take into account besides the catalogs.
type Options struct {
	OldNames, NewNames GoNames
}

// Compare reports what differs between two catalogs, in the order of the new one.
func Compare(old, new *schema.Catalog, o Options) []*Change { return newComparer(old, new, o).run() }

func newComparer(old, new *schema.Catalog, o Options) *comparer {
	j := newJudge()
	return &comparer{
		oldCatalog: old, newCatalog: new, oldURNs: urnsByName(old.URNs), newURNs: urnsByName(new.URNs),
		oldNames: o.OldNames, newNames: o.NewNames,
		judge: j, budget: j.budget, sampler: newSampler(j), out: newChangeSet(), types: map[pair]bool{}, forms: newForms(),
		texts: map[shownPart]string{}, work: maxPairWork,
	}
}

func (c *comparer) run() []*Change {
	old, new := c.oldCatalog, c.newCatalog
	if old.Package != new.Package {
		message := fmt.Sprintf("the package was %s and is %s", text.Quote(old.Package), text.Quote(new.Package))
		c.add("package-changed", new.Pkg, message, &Change{Source: true})
	}
	c.urns()
	c.queues()
	return c.out.sorted(new)
}

type comparer struct {
	oldCatalog, newCatalog *schema.Catalog
	oldURNs, newURNs       map[string]*schema.URN
	oldNames, newNames     GoNames
	judge                  *judge
	budget                 *opinion.Budget // of the judge and the sampler
	shown                  int             // size of all documents so far, in bytes
	sampler                *sampler
	out                    *changeSet
	onQueue                map[*schema.Queue][]*schema.URN // of the new catalog
	steps                  int                             // pairs that were compared, and changes that were met
	work                   int                             // that may still be done for what is reported; see maxPairWork
	types                  map[pair]bool                   // pairs of shared types that were compared
	forms                  forms
	texts                  map[shownPart]string
	rendered               int // size of the schemas that were written for messages, in bytes
}

// maxSteps is the number of pairs of schemas that are compared and of changes that are met, all URNs together. After
// that, two types that were compared for one URN are not compared again for another, and unlike members are taken for a
// break.
const maxSteps = 500_000

func (c *comparer) exhausted() bool { return c.steps > maxSteps }

const (
	// maxPairWork is what comparing all payloads may cost: one for a pair of schemas, one for each of their members and
	// values, one for a change that is met, and costOfChange for each that is new. Catalogs of the same structure need far
	// less, but types that refer to one another differently in both can meet in all pairs, and a large one can meet each
	// of many small ones.
	maxPairWork  = 2_000_000
	costOfChange = 20

	// maxNesting is how deep a part may be, so that the stack of a comparison remains small.
	maxNesting = 50_000
)

// givesUp reports whether a part of a payload is not compared any more. It says so once for each URN. Quiet comparisons
// have a limit of their own: maxSteps.
func (w *walker) givesUp() bool {
	if w.quiet || w.work >= costOfChange*len(w.out.index) && len(w.frames) <= maxNesting {
		return false
	}
	at := w.newCatalog.KeyUnder(w.newURNs[w.urn].Pos, "data")
	w.add(notCompared, at, "not all of the payload of URN "+text.Quote(w.urn)+" was compared: the types of the two "+
		"catalogs meet in too many pairs", &Change{Consumers: &Break{}, Producers: &Break{}, URNs: []string{w.urn}})
	return true
}

func (c *comparer) add(rule string, pos schema.Pos, message string, change *Change) {
	change.Diagnostic = schema.Diagnostic{Pos: pos, Rule: rule, Message: message}
	if !change.Safe() {
		change.Hint = ruleByID[rule].Instead
	}
	c.out.add(change)
}

func (c *comparer) goName(old, new any, pos schema.Pos, what string) {
	if was, is := c.oldNames[old], c.newNames[new]; was != is && was != "" && is != "" {
		c.add("go-name-changed", pos, fmt.Sprintf("the Go name of %s was %s and is %s", what, was, is), &Change{Source: true})
	}
}

func (c *comparer) urns() {
	var added []*schema.URN
	for _, u := range c.newCatalog.URNs {
		if before := c.oldURNs[u.URN]; before != nil {
			c.urn(before, u)
		} else {
			added = append(added, u)
		}
	}
	renames := c.newRenames(added)
	for _, u := range c.oldCatalog.URNs {
		if c.newURNs[u.URN] != nil {
			continue
		}
		document := c.example(u)
		if n := renames.of(u); n != nil {
			c.add("urn-renamed", n.Pos, fmt.Sprintf("URN %s was renamed to %s", text.Quote(u.URN), text.Quote(n.URN)),
				&Change{Consumers: document, Producers: document, Source: true, URNs: []string{u.URN, n.URN}})
			continue
		}
		c.add("urn-removed", c.newCatalog.Key("urns"), fmt.Sprintf("URN %s was removed", text.Quote(u.URN)),
			&Change{Producers: document, Source: true, URNs: []string{u.URN}, Gone: u.URN})
	}
	topics := map[string]*schema.Queue{}
	for _, q := range c.oldCatalog.Queues {
		topics[topic.Full(q.Topic)] = q
	}
	for _, u := range added {
		if !renames.taken[u] {
			before := topics[topic.Full(u.Queue.Topic)]
			known := before != nil
			c.add("urn-added", u.Pos, fmt.Sprintf("URN %s was added", text.Quote(u.URN)),
				&Change{Source: known, URNs: []string{u.URN}})
			c.newOnServices(before, u)
		}
	}
}

func (c *comparer) walker(old, new *schema.URN) *walker {
	return &walker{
		comparer: c, urn: new.URN, rootOld: old.Data, rootNew: new.Data, met: map[pair]bool{}, dirs: bothWays, out: c.out,
		owner: "URN " + text.Quote(new.URN), at: c.newCatalog.KeyUnder(new.Pos, "data"),
	}
}

func (c *comparer) urn(old, new *schema.URN) {
	name := text.Quote(new.URN)
	key := func(name string) schema.Pos { return c.newCatalog.KeyUnder(new.Pos, name) }
	urns := []string{new.URN}
	if !topic.Same(old.Queue.Topic, new.Queue.Topic) && old.Queue.Name != new.Queue.Name {
		document := c.example(new)
		was, is := text.Quote(old.Queue.Name), text.Quote(new.Queue.Name)
		c.add("urn-moved", key("queue"), fmt.Sprintf("URN %s was on queue %s and is on queue %s", name, was, is),
			&Change{Consumers: document, Producers: document, Source: true, URNs: urns})
	}
	c.messageKey(old, new)
	c.goName(old, new, key("name"), "URN "+name)
	if old.Summary != new.Summary || old.Description != new.Description || !sameExamples(old.Examples, new.Examples) {
		message := fmt.Sprintf("summary, description or examples of URN %s changed", name)
		c.add("text-changed", new.Pos, message, &Change{URNs: urns})
	}
	if !slices.Equal(old.Publishers, new.Publishers) || !slices.Equal(old.Consumers, new.Consumers) {
		message := fmt.Sprintf("the publishers or consumers of URN %s changed", name)
		c.add("services-changed", new.Pos, message, &Change{URNs: urns})
	}
	if (old.Deprecated == nil) != (new.Deprecated == nil) {
		text := "URN %s is deprecated now"
		if new.Deprecated == nil {
			text = "URN %s is no longer deprecated"
		}
		c.add("deprecation-changed", key("deprecated"), fmt.Sprintf(text, name), &Change{URNs: urns})
	}
	c.walker(old, new).compare(old.Data, new.Data)
}

func sameExamples(a, b []schema.Example) bool {
	return slices.EqualFunc(a, b, func(x, y schema.Example) bool { return string(x.JSON) == string(y.JSON) })
}

func (c *comparer) messageKey(old, new *schema.URN) {
	was, is := keyOf(old), keyOf(new)
	if was == is {
		return
	}
	pos := c.newCatalog.KeyUnder(new.Pos, "key")
	name := text.Quote(new.URN)
	change := &Change{URNs: []string{new.URN}}
	shown := func() *Break {
		b := &Break{}
		if !c.canShow() {
			return b
		}
		for _, v := range c.sampler.values(new.Data, new.Data, 0) {
			if c.judge.accepts(new.Data, v) {
				b = c.document([]byte(encode(v))) // the last one has the most members
				if memberAt(v, new.Key, old.Key) {
					break
				}
			}
		}
		return b
	}
	switch {
	case was == "":
		c.add("key-added", pos, fmt.Sprintf("messages of URN %s have the key %s now", name, text.Quote(is)), change)
	case is == "":
		change.Consumers = shown()
		message := fmt.Sprintf("messages of URN %s no longer have the key %s", name, text.Quote(was))
		c.add("key-removed", pos, message, change)
	default:
		change.Consumers = shown()
		message := fmt.Sprintf("the key of URN %s was %s and is %s", name, text.Quote(was), text.Quote(is))
		c.add("key-changed", pos, message, change)
	}
}

// memberAt reports whether the members that the keys point to exist.
func memberAt(v any, keys ...*schema.Key) bool {
	for _, k := range keys {
		if k == nil {
			continue
		}
		at := v
		for _, p := range k.Path {
			members, _ := at.(map[string]any)
			if at = members[p.Name]; at == nil {
				return false
			}
		}
	}
	return true
}

func keyOf(u *schema.URN) string {
	if u.Key == nil {
		return ""
	}
	return u.Key.Pointer
}
