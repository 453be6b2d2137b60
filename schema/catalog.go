package schema

// A Catalog is a checked urns.yaml: every reference is resolved and every name is legal on its own. Queues, types, URNs
// and properties keep the order of the file.
type Catalog struct {
	File    string
	Package string // Go package of the generated code
	Pkg     Pos    // of Package
	Info    Info
	Queues  []*Queue
	Types   []*Type // the catalog's own, then those of other files that are referred to
	URNs    []*URN
	Lint    []LintSetting // how serious lint rules are
	Ignores []Ignore      // comments that silence lint rules

	Places Places // where keys stand; nil for a catalog that was not read from files
}

// Info describes the catalog and names its owner.
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
	// DeadLetter is the topic for messages that could not be handled: Topic + ".dlq" by default, empty when the
	// catalog has dead_letter: false and such messages are dropped. It is also empty for a queue with services: each
	// of these has a dead-letter topic of its own.
	DeadLetter string
	GoName     string // explicit name:, or empty
	// Services receive the queue's messages independently of each other. Without services, the queue is a work queue:
	// all consumers share its messages.
	Services []*Service
}

// KeepsDeadLetters reports whether messages that could not be handled are kept, on the queue's dead-letter topic or on
// those of its services.
func (q *Queue) KeepsDeadLetters() bool {
	if len(q.Services) > 0 {
		return q.Services[0].DeadLetter != ""
	}
	return q.DeadLetter != ""
}

// ServicesByName returns the services of the queue by name. It makes a new map: a catalog may have many services and
// many messages, so ask once for a queue.
func (q *Queue) ServicesByName() map[string]*Service {
	byName := make(map[string]*Service, len(q.Services))
	for _, s := range q.Services {
		byName[s.Name] = s
	}
	return byName
}

// A Service receives all messages of a queue whose consumers name it.
type Service struct {
	Name       string
	Pos        Pos
	Queue      *Queue
	RetryTopic string // the queue's topic + ".NAME.retry"
	DeadLetter string // the queue's topic + ".NAME.dlq"; empty when the queue drops what cannot be handled
	URNs       []*URN // those that name it among their consumers, in the order of the catalog; at least one
}

// A Type is a named payload type: one of #/types/NAME, one of another file (Pos.File is its name), or one of a
// payload's own #/$defs/NAME. Names are unique only within their section of their file.
type Type struct {
	Name   string
	Pos    Pos
	Owner  *URN // whose $defs it is in; nil for a shared type
	Schema *Schema
	Refs   []*Type // the types that its schema refers to as it is written, also in an allOf
}

// A URN is one kind of message.
type URN struct {
	URN         string
	Pos         Pos
	Queue       *Queue
	GoName      string // explicit name:, or empty when it is derived from the URN
	GoNamePos   Pos
	Summary     string
	Description string
	Key         *Key // nil when messages have no key
	Deprecated  *Deprecation
	Publishers  []string
	Consumers   []string
	Data        *Schema // always an object, directly or through Ref, and never null
	Defs        []*Type // $defs of Data
	Refs        []*Type // the types that Data refers to as it is written, also in an allOf
	Examples    []Example
}

// A Key is the member of the payload that is the message key.
type Key struct {
	Pos     Pos
	Pointer string      // the JSON Pointer as written
	Path    []*Property // the properties it leads through, outermost first; the last one is a scalar
}

// A Deprecation marks a URN that should no longer be published.
type Deprecation struct {
	Pos    Pos
	Use    *URN // its successor, or nil
	Reason string
}

// An Example is a payload that could be sent.
type Example struct {
	Pos  Pos
	JSON []byte // compact, members in the file's order
}

// TooLarge is the finding for a catalog that asks for more than can be made of it.
func (c *Catalog) TooLarge(err error) Diagnostics {
	start := Pos{File: c.File, Line: 1, Column: 1}
	return Diagnostics{{Pos: start, Rule: RuleTooLarge, Message: err.Error(), Hint: "split the catalog"}}
}
