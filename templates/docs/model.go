package docs

import (
	"strings"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// A site is the content of a catalog's documentation. All texts are clean: they contain no control characters, and no
// characters that make a reader see something other than what is there.
type site struct {
	Title       string
	Owner       string
	Description []string // paragraphs
	Package     string   // of the generated Go code
	Source      string   // name of the catalog's file
	Messages    []*message
	Types       []*typePage
	Queues      []*queuePage
	Services    []*service
	Flow        *flow
}

// A message is the page of a URN.
type message struct {
	Page        string // name of its file, without extension
	URN         string
	GoName      string
	Summary     string
	Description []string
	Deprecated  *deprecation // nil when it is not
	Queue       *queuePage
	Key         string // JSON Pointer, or ""
	Publishers  []*service
	Consumers   []*service
	Type        *typePage // nil unless the payload is a named type
	Payload     *shape
	Defs        []*typePage // the types in its $defs
	words       string      // what the search looks through besides the payload's, in lower case

	urn   *schema.URN
	names *gonames.Names
}

// What follows is made when its page is written: all pages together can be larger than what is written at most.

// Examples are those of the catalog.
func (m *message) Examples() []code {
	var all []code
	for _, e := range m.urn.Examples {
		all = append(all, jsonCode(indented(e.JSON)))
	}
	return all
}

// Publish shows how to publish the message.
func (m *message) Publish() code { return goCode(publishSnippet(m.urn, m.names)) }

// Handle shows how to handle it.
func (m *message) Handle() code { return goCode(handleSnippet(m.urn, m.names)) }

// Words returns what the search looks through, in lower case.
func (m *message) Words() string { return strings.TrimSpace(m.words + " " + m.Payload.words) }

// A deprecation tells readers not to publish a message any more.
type deprecation struct {
	Use    *message // the message to publish instead, or nil
	Reason string
}

// A typePage is the page of a named payload type.
type typePage struct {
	Page        string
	Name        string
	GoName      string
	From        string // the file or the URN that defines it; "" for the catalog itself
	Description []string
	Deprecated  bool
	Shape       *shape
	UsedBy      []link
	words       string // as of a message
}

// Words returns what the search looks through, in lower case.
func (t *typePage) Words() string { return strings.TrimSpace(t.words + " " + t.Shape.words) }

// A queuePage is the page of a queue.
type queuePage struct {
	Page        string
	Name        string
	GoName      string
	Description []string
	Topic       string
	MaxAttempts int
	DeadLetter  string // topic; "" when messages are dropped
	Messages    []*message
	Publishers  []*service
	Consumers   []*service
	Receptions  []*reception // of its services, in the order of their first message; none on a work queue
	Group       *service     // the consumers of a work queue together, when there are several
	Consume     code         // of a work queue; empty when the queue has no messages
	Commands    code         // for those who operate it; none for a name that cannot be copied
}

// A link leads to another page.
type link struct{ Text, Page string }

// A phrase is a text with links in it: a part without a page is plain text. Its parts follow each other directly; the
// spaces between words are part of the texts.
type phrase []link

func (p phrase) String() string {
	text := ""
	for _, part := range p {
		text += part.Text
	}
	return text
}

// A shape is the structure of a payload or a named type.
type shape struct {
	Type  phrase
	Facts []fact
	Rows  []row // its fields, each followed by those inside it
	// KeyRow is the ID of the row of the message key, or "".
	KeyRow string

	words string // names of the fields, in lower case
}

// A row is a field, the elements of an array, the values of a map, or a variant of a union.
type row struct {
	ID          string // unique on its page
	Depth       int
	Parent      string // the path up to Name
	Name        string
	Type        phrase
	Required    bool
	Variant     bool // of a union
	Inside      bool // elements or values
	Key         bool // the message key
	Deprecated  bool
	Sensitive   string
	GoName      string
	Title       string
	Description []string
	Facts       []fact
}

// A fact is a constraint or something else worth knowing.
type fact struct {
	Text  string   // such as "matches"
	Codes []string // what follows it: values, patterns and the like
}

// A code is a text with its tokens marked.
type code []mark

type mark struct {
	Class string // comment, string, number, keyword or ""
	Text  string
}

func (c code) String() string {
	var b strings.Builder
	for _, m := range c {
		b.WriteString(m.Text)
	}
	return b.String()
}
