package golang

// The model of the Go code to be. Everything is decided here: the emitter only writes it down.

// A doc is a comment's text by lines, free of anything that could leave the comment or mean something to a tool.
type doc []string

// A codePackage is a generated package.
type codePackage struct {
	Name     string
	Source   string // of the header, one line
	Doc      doc
	Queues   []*queue
	Types    []decl // the shared ones; none: no file for them
	Messages []*message
}

// A queue becomes its settings and, when it carries messages, a handler interface and a consumer's constructor.
type queue struct {
	Var, Handler, Constructor       string
	Doc, HandlerDoc, ConstructorDoc doc
	Name, Topic, DeadLetter         string
	MaxAttempts                     int
	Messages                        []*message
}

// A message is what one URN becomes.
type message struct {
	File string
	URN  string

	Type       string // the payload
	Const      string // the URN
	Handler    string // the interface
	Method     string // of the interface
	On         string // the function that makes a route
	Definition string // the variable
	Queue      *queue

	ConstDoc, HandlerDoc, MethodDoc, OnDoc, PublisherDoc doc

	Decls []decl
	Key   *key
}

// A key is the way through a payload to the message key.
type key struct {
	Steps []keyStep // at least one; all but the last are structs
	Type  typ       // of the last
	Const *literal  // the last can only be this
}

type keyStep struct {
	Field     string
	Presence  presence
	MayBeNull bool
}
