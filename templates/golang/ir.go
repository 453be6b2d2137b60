package golang

// The model of the Go code to be generated. Everything is decided in it: the emitter only writes it down.

// A doc is a comment's text by lines, free of anything that could end the comment or mean something to a tool.
type doc []string

// A codePackage is a generated package.
type codePackage struct {
	Name     string
	Source   string // of the header, one line
	Doc      doc
	Queues   []*queue
	Types    declarations // the shared ones
	Messages []*message
}

// Declarations share a pair of files: one that people review, and one that encodes, decodes and validates.
type declarations struct {
	Decls    []decl
	Imports  []packageImport
	HasCodec bool // something goes into the second file
}

// A packageImport is a package of the user's under the name that the files give it.
type packageImport struct{ Path, Name string }

// A queue becomes its settings and, when it carries messages, a handler interface, a consumer's constructor, a sealed
// interface of payloads, and a function that reads its topic.
type queue struct {
	Function, Handler, Constructor   string
	Payload, Marker, Decodings, Read string
	Stream                           string // empty when the queue has no constructor
	Doc, HandlerDoc, ConstructorDoc  doc
	PayloadDoc, ReadDoc, StreamDoc   doc
	Name, Topic, DeadLetter          string
	MaxAttempts                      int
	Messages                         []*message
	Payloads                         []string // the types that implement the interface, each once
	Services                         []*service
}

// A service is what one of several services of a queue becomes: a handler interface and a consumer's constructor.
type service struct {
	Name, RetryTopic, DeadLetter string
	Handler, Constructor         string
	HandlerDoc, ConstructorDoc   doc
	Messages                     []*message
}

// A message is what one URN becomes.
type message struct {
	File, CodecFile string
	URN             string

	Type       string // the payload
	Const      string // the URN
	Publisher  string // the field of Publishers
	Publishes  string // the interface of publishers
	Handler    string // the interface
	Method     string // of the interface
	On         string // the function that makes a route
	OnBatch    string // the function that makes a route of batches
	Definition string // the function that returns what the URN is
	Codec      string // the variable
	Queue      *queue

	ConstDoc, HandlerDoc, MethodDoc, OnDoc, OnBatchDoc, DefinitionDoc, PublisherDoc, PublishesDoc doc

	declarations
	IsChecked bool // the payload's type has ValidateJSON
	Key       *key
}

// A key is the path through a payload to the message key.
type key struct {
	Steps []keyStep // at least one; all but the last are structs
	Type  typ       // of the last
	Const goExpr    // the only value of the last, a string; empty when there are others
}

type keyStep struct {
	Field     string
	Presence  presence
	IsPointer bool // nil when the member is absent or null
}

// A goExpr is an expression as it is written in Go: a constant or a name of the generated package.
type goExpr string
