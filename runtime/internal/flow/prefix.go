package flow

import (
	"regexp"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/topic"
)

// This file owns the expression by which the client finds topics that begin with a prefix. The client cannot list
// topics, and its expressions know no "but not", so what is left out is written as what is let in. It is pure.

// A Prefix stands for the topics of a namespace whose names begin with Name, except for retries and dead letters.
type Prefix struct {
	Namespace string // such as acme/staging
	Name      string
	Without   []string // more topics that are not meant
}

// leftOut are the endings of topics that keep retries and dead letters: of this package, and of the Pulsar client.
var leftOut = []string{".dlq", ".retry", "-DLQ", "-RETRY"}

// expression returns the pattern for the topics that are not known yet.
func (p Prefix) expression(known []string) string {
	root := new(ending)
	for _, end := range leftOut {
		root.at(end).banned = true
		for i := 1; i <= len(end); i++ { // the prefix may contain the first letters of the ending, or all of it
			if strings.HasSuffix(p.Name, end[:i]) {
				root.at(end[i:]).bannedAlone = true
			}
		}
	}
	for _, name := range slices.Concat(p.Without, known) {
		rest, begins := strings.CutPrefix(topic.LastSegment(name), p.Name)
		if begins && topic.Namespace(name) == p.Namespace {
			root.at(rest).bannedAlone = true
		}
	}
	var b strings.Builder
	b.WriteString(topic.Persistent + "://" + p.Namespace + "/" + regexp.QuoteMeta(p.Name))
	root.write(&b)
	b.WriteString("$")
	return b.String()
}

// An ending is a node in a tree of endings of names, which is read from their last letters on.
type ending struct {
	before      map[rune]*ending // by the letter before it
	letters     []rune           // of before, in the order in which they came
	banned      bool             // nothing may end like this
	bannedAlone bool             // nothing else may stand after the prefix
}

// at returns the node of an ending.
func (e *ending) at(end string) *ending {
	letters := []rune(end)
	for _, r := range slices.Backward(letters) {
		next := e.before[r]
		if next == nil {
			next = new(ending)
			if e.before == nil {
				e.before = make(map[rune]*ending)
			}
			e.before[r] = next
			e.letters = append(e.letters, r)
		}
		e = next
	}
	return e
}

// write writes what may stand between the prefix and the ending: nothing, anything that does not end with a letter
// that leads on in the tree, or what may stand before such a letter.
func (e *ending) write(b *strings.Builder) {
	b.WriteString("(?:.*")
	if len(e.letters) == 0 {
		b.WriteString(".")
	} else {
		b.WriteString("[^")
		for _, r := range e.letters {
			b.WriteString(inClass(r))
		}
		b.WriteString("]")
	}
	if !e.bannedAlone {
		b.WriteString("|")
	}
	for _, r := range e.letters {
		if next := e.before[r]; !next.banned {
			b.WriteString("|")
			next.write(b)
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	b.WriteString(")")
}

// inClass returns a letter as it is written between brackets.
func inClass(r rune) string {
	if strings.ContainsRune(`\]^-[`, r) {
		return `\` + string(r)
	}
	return string(r)
}
