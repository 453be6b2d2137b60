package importer

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/catfmt"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/load"
)

// Options say where to import from and what the catalog is to be called. Only Root is required.
type Options struct {
	// Root is the folder below which all files are; nothing else is read.
	Root fs.FS
	// NameOf returns the name of a file of Root in findings; by default its path in Root.
	NameOf func(path string) string
	// Package is the Go package of the catalog; by default it is made from the name of the first file.
	Package string
	// Queue is the queue of all messages. By default, messages of AsyncAPI go to the queue of their channel, others to a
	// queue named like the package.
	Queue string
	// Prefix is what URNs start with; by default "urn:babel:PACKAGE:".
	Prefix string
	// KeepUndeclared makes all objects keep the members that their schemas neither declare nor refuse, so that a message
	// that is sent on has them. By default they are ignored, except where the source says additionalProperties.
	KeepUndeclared bool
	// Strict makes an error of every loss.
	Strict bool
	// Check reports what stands in the way of generated code; may be nil.
	Check func(*schema.Catalog) schema.Diagnostics
}

// A Result is an imported catalog.
type Result struct {
	// Text is the formatted catalog; nil when one of the findings is an error.
	Text []byte
	// Findings are the losses and the faults of the source, at their place in the source.
	Findings schema.Diagnostics
	// Losses are the places where the catalog accepts more than the source, in the order of the source.
	Losses []Loss
}

// An importer is one run.
type importer struct {
	Options
	findings *source.Findings
	library  *library
	catalog  *catalog
	*translator
	urns   nameSet
	queues map[string]*queue
	topics map[string]bool // full names that are taken

	channels   map[string]*queue // by address, or else by key
	queueNames nameSet           // of channels
}

// start prepares a run for files, of which the first names the package.
func start(o Options, first string) *importer {
	if o.NameOf == nil {
		o.NameOf = func(path string) string { return path }
	}
	if o.Package == "" {
		o.Package = packageName(nameOfFile(first))
	}
	if o.Prefix == "" {
		o.Prefix = "urn:babel:" + o.Package + ":"
	}
	findings := &source.Findings{}
	l := newLibrary(o.Root, o.NameOf, findings)
	c := &catalog{pkg: o.Package, faults: findings}
	return &importer{
		Options: o, findings: findings, library: l, catalog: c, translator: newTranslator(l, c, o.KeepUndeclared),
		urns: nameSet{}, queues: map[string]*queue{}, topics: map[string]bool{},
		channels: map[string]*queue{}, queueNames: nameSet{},
	}
}

// packageName makes the name of a Go package.
func packageName(name string) string {
	s := strings.ToLower(strings.Join(words(name), ""))
	if schema.CheckPackageName(s) != nil {
		return "messages"
	}
	return s
}

// queueOf returns the queue with a name, which it adds if it is new.
func (i *importer) queueOf(name string, at schema.Pos) *queue {
	if q := i.queues[name]; q != nil {
		return q
	}
	q := &queue{name: name, pos: at}
	i.queues[name], i.topics[topic.Full(name)] = q, true
	i.catalog.queues = append(i.catalog.queues, q)
	return q
}

// urn returns the URN of a message: the first of the names that is free.
func (i *importer) urn(names ...string) string {
	var all []string
	for _, name := range names {
		if k := kebab(name); k != "" {
			all = append(all, i.Prefix+k)
		}
	}
	if len(all) == 0 {
		all = []string{i.Prefix + "message"}
	}
	return i.urns.take("-", all...)
}

// finish writes the catalog.
func (i *importer) finish(name string) (*Result, error) {
	c := i.catalog
	if len(c.messages) == 0 && i.findings.Errors() == 0 {
		i.findings.Report(schema.Pos{File: i.NameOf(name), Line: 1, Column: 1}, ruleEmpty, "",
			"there is no message to import")
	}
	var text []byte
	if i.findings.Errors() == 0 {
		var err error
		if text, err = i.write(); err != nil {
			return nil, err
		}
	}
	r := &Result{Text: text, Losses: i.report()}
	r.Findings = i.findings.Diagnostics(i.library.reader.Places)
	if r.Findings.HasErrors() {
		r.Text = nil
	}
	return r, nil
}

func (i *importer) write() ([]byte, error) {
	c := i.catalog
	c.prune()
	c.share()
	c.hoist()
	c.share()
	c.nameTypes()
	if err := c.settle("urns.yaml", i.Check); err != nil || i.findings.Errors() > 0 {
		return nil, err
	}
	p := &printer{}
	p.block(c.tree(), "")
	if c.isTooLarge(p) {
		return nil, nil
	}
	text, findings := catfmt.Format("urns.yaml", []byte(p.String()))
	if findings.HasErrors() {
		return nil, fmt.Errorf("format the catalog: %w", findings.Err())
	}
	if loaded, findings := load.Parse("urns.yaml", text); loaded == nil {
		return nil, fmt.Errorf("load the catalog: %w", findings.Err())
	}
	return text, nil
}

// report turns the losses into findings, and returns them sorted.
func (i *importer) report() []Loss {
	losses := slices.Clone(i.catalog.losses)
	slices.SortStableFunc(losses, func(a, b Loss) int {
		return cmp.Or(a.Pos.Compare(b.Pos), strings.Compare(a.Keyword, b.Keyword))
	})
	losses = slices.CompactFunc(losses, func(a, b Loss) bool { return a.Pos == b.Pos && a.Keyword == b.Keyword })
	add := i.findings.Warn
	if i.Strict {
		add = i.findings.Report
	}
	for _, l := range losses {
		add(l.Pos, ruleLost, "", "%s is not carried over: %s", l.Keyword, l.Reason)
	}
	return losses
}

// read opens a document. A file that cannot be opened is an error of the run.
func (i *importer) read(name string) (target, bool, error) {
	t, err := i.library.open(name)
	if errors.Is(err, errUnreadable) {
		return t, false, nil
	}
	return t, err == nil, err
}
