package schema

// A Pos is a place in a catalog file. Line and Column count from 1; Column counts characters, not bytes.
type Pos struct {
	File   string
	Line   int
	Column int
}

// A Catalog is a checked urns.yaml: every reference is resolved and every name is legal on its own.
// Queues, types, URNs and properties keep the order of the file.
type Catalog struct {
	File    string
	Package string // Go package of the generated code
	Pkg     Pos    // where Package stands
	Info    Info
	Queues  []*Queue
	Types   []*Type
	URNs    []*URN
}

// Info says what the catalog is about and who owns it.
type Info struct {
	Title       string
	Owner       string
	Description string
}

// A Queue is a Pulsar topic that carries some of the catalog's URNs.
type Queue struct {
	Name        string
	Pos         Pos
	Description string
	Topic       string // never empty; the queue's name by default
	MaxAttempts int    // deliveries in all, at least 1; 3 by default
	// DeadLetter is the topic that takes what could not be handled: Topic + ".dlq" by default,
	// empty when the catalog says false and such messages are dropped.
	DeadLetter string
	GoName     string // explicit name:, or empty
}

// A Type is a shared payload type, referred to as #/types/NAME.
type Type struct {
	Name   string
	Pos    Pos
	Schema *Schema
}

// A URN is one kind of message.
type URN struct {
	URN         string
	Pos         Pos
	Queue       *Queue
	GoName      string // explicit name:, or empty when it derives from the URN
	GoNamePos   Pos
	Summary     string
	Description string
	Key         *Key // nil: messages have no key
	Deprecated  *Deprecation
	Publishers  []string
	Consumers   []string
	Data        *Schema // always an object, directly or through Ref
	Examples    []Example
}

// A Key says which member of the payload is the message key.
type Key struct {
	Pos     Pos
	Pointer string      // the JSON Pointer as written
	Path    []*Property // the properties it walks through, outermost first; the last one is a scalar
}

// A Deprecation marks a URN that should no longer be published.
type Deprecation struct {
	Pos    Pos
	Use    *URN // its successor, or nil
	Reason string
}

// An Example is a payload as it could be sent.
type Example struct {
	Pos  Pos
	JSON []byte // compact, members in the file's order
}

// Kind is the JSON type of a schema.
type Kind int

// The kinds of schema. A Ref takes its kind from the type it points at.
const (
	Object Kind = iota + 1
	Array
	String
	Integer
	Number
	Boolean
	Ref
)

// Format narrows a string.
type Format int

// The formats of a string.
const (
	NoFormat Format = iota
	DateTime        // date-time: RFC 3339
	UUID            // uuid: RFC 4122 text form
)

// A Schema is the shape of a payload or a part of one.
type Schema struct {
	Pos         Pos
	Kind        Kind
	Description string
	Properties  []*Property // Object
	Items       *Schema     // Array
	Enum        []EnumValue // String; nil when any string will do
	Format      Format      // String
	Target      *Type       // Ref
}

// A Property is a member of an object.
type Property struct {
	Name     string
	Pos      Pos
	Required bool
	Schema   *Schema
}

// An EnumValue is one of the strings that an enum allows.
type EnumValue struct {
	Value string
	Pos   Pos
}

// Resolve follows references until a schema that is not one.
func (s *Schema) Resolve() *Schema {
	for s.Kind == Ref {
		s = s.Target.Schema
	}
	return s
}
