package gonames

import "github.com/babelqueue/bqgen/schema"

// Names are the Go names of everything in a catalog.
type Names struct {
	Package  string
	Messages map[*schema.URN]Message
	Queues   map[*schema.Queue]Queue
	Services map[*schema.Service]Service
	Types    map[*schema.Type]string     // shared types and types in $defs
	Fields   map[*schema.Property]string // "" for a member that can have only one value: it has no field
	Schemas  map[*schema.Schema]*Schema  // schemas that declare something, and no others
}

// A Message contains the names of what one URN becomes.
type Message struct {
	Type       string // the payload
	Const      string // the URN
	Publisher  string // the field of Publishers
	Publishes  string // the interface of publishers
	Handler    string // the interface
	Method     string // its method
	On         string // the function that returns a route
	OnBatch    string // the function that returns a route of batches
	Definition string // the function that returns what the URN is
	Codec      string // the variable
	File       string // the file that people review
	CodecFile  string // the file that encodes, decodes and validates
}

// A Queue contains the names of what one queue becomes.
type Queue struct {
	Function    string // returns its settings
	Handler     string // the interface for all its messages; only a queue with messages and no services has one
	Constructor string // the function that returns a consumer; likewise
	Payload     string // the interface that the payloads of its messages implement; likewise
	Marker      string // the method that seals that interface
	Decodings   string // the variable that decodes them
	Read        string // the function that reads its topic
	Stream      string // the function that returns a stream; only a queue with a Constructor has one
}

// A Service contains the names of what one service of a queue becomes.
type Service struct {
	Handler     string // the interface for the messages that it receives
	Constructor string // the function that returns a consumer
}

// A Schema contains the names of what the code for one schema declares. Those that its kind does not need are empty.
type Schema struct {
	Type string // the type that is declared for an object, an enum or a union without a name in the catalog

	Rest      string   // object: the field for members without a field of their own
	Marker    string   // union: the method that seals the interface
	Decode    string   // union: the function that decodes any branch
	Unknown   string   // union: the type for unknown branches
	Constants []string // enum: in the order of its values
	Values    string   // enum: the function that returns the values
	Table     string   // enum: the variable that contains them
	Pattern   string   // string: the variable with the regular expression
	Rules     string   // the variable with what no Go type can express
}

// Of returns the names for a catalog. Findings are errors: names that collide, so that no Go code can be generated. The
// names are usable for other purposes even then, but not all of them are distinct.
func Of(c *schema.Catalog) (*Names, schema.Diagnostics) {
	n := newNamer(c)
	n.nameOwners(c)
	for _, t := range c.Types {
		n.walk(n.owners[t], func(w *walker) { w.typ(n.Types[t], t.Schema) })
	}
	for _, u := range c.URNs {
		n.walk(n.owners[u], func(w *walker) { w.message(u) })
	}
	n.nameEnums()
	return &n.Names, schema.NewDiagnostics(append(n.identifiers.findings, n.files.findings...)...)
}

// SharesType reports whether the payload of u is the shared type of the same Go name, so that u needs no type.
func (n *Names) SharesType(u *schema.URN) bool {
	return u.Data.Kind == schema.Ref && u.Data.Target.Owner == nil && n.Messages[u].Type == n.Types[u.Data.Target]
}

// IsMap reports whether s becomes a Go map: an object that lists no members and keeps those it gets.
func IsMap(s *schema.Schema) bool {
	return s.Kind == schema.Object && len(s.Properties) == 0 && s.Additional == schema.AdditionalKept
}
