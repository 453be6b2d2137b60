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
}

type keyStep struct {
	Field    string
	Presence presence
}

// A decl is a type declaration with its methods.
type decl interface{ isDecl() }

// A structDecl is an object.
type structDecl struct {
	Name   string
	Doc    doc
	Fields []field
}

// A field is a member of an object.
type field struct {
	Name     string
	Doc      doc
	Type     typ
	Member   string // its name in JSON
	Tag      string // the value of its json tag; empty for none
	Presence presence
}

// A presence says how a field tells that its member is absent.
type presence int

const (
	required presence = iota // it never is
	pointer                  // nil pointer
	nilSlice                 // nil
	zeroTime                 // zero
)

// An enumDecl is a string type with a closed set of values.
type enumDecl struct {
	Name      string
	Doc       doc
	Values    string // the function that lists them
	Constants []constant
}

type constant struct{ Name, Value string }

// A definedDecl is a shared type that is a string, number, boolean or array.
type definedDecl struct {
	Name string
	Doc  doc
	Of   typ
}

// An aliasDecl is another name for a type that has its methods elsewhere.
type aliasDecl struct {
	Name string
	Doc  doc
	Of   typ
}

func (*structDecl) isDecl()  {}
func (*enumDecl) isDecl()    {}
func (*definedDecl) isDecl() {}
func (*aliasDecl) isDecl()   {}

// A typ is a type where it is used.
type typ interface{ isTyp() }

// A builtin has no name in the generated package.
type builtin int

const (
	stringType builtin = iota
	int64Type
	float64Type
	boolType
	timeType
	uuidType
)

// A named type is declared in the generated package and encodes and decodes itself.
type named struct {
	Name string
	Of   kind
}

// A kind is what a named type is made of, as far as its users care.
type kind int

const (
	structKind kind = iota
	textKind        // a string or an enum
	int64Kind
	float64Kind
	boolKind
	sliceKind
)

// An alias is a type under another name.
type alias struct {
	Name string
	Of   typ
}

// A slice is an array.
type slice struct{ Elem typ }

func (builtin) isTyp() {}
func (named) isTyp()   {}
func (*alias) isTyp()  {}
func (slice) isTyp()   {}

// unalias is the type under an alias, and under its alias.
func unalias(t typ) typ {
	for {
		a, ok := t.(*alias)
		if !ok {
			return t
		}
		t = a.Of
	}
}
