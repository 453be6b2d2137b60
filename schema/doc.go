// Package schema is the model of a catalog: what urns.yaml means, once it has been read and checked.
//
// # The parts of a catalog
//
// A catalog is the file urns.yaml together with the files in its folder that it refers to. It describes the messages of
// some services: which messages there are, which queues carry them, and what they contain.
//
//	queue        a Pulsar topic that carries messages, with its number of attempts and its dead letter topic [Queue]
//	URN          a kind of message, such as urn:babel:orders:created; it travels on one queue [URN]
//	payload      the data of a message: a JSON object. The key data of a URN is its schema
//	schema       the shape of a payload or of a part of one; its Kind decides which fields apply [Schema]
//	type         a schema with a name: under types for all URNs, or under the $defs of one payload [Type]
//	property     a member of an object, as declared [Property]
//	branch       one of the objects that a oneOf can be, told apart by the const of one property [Branch]
//	message key  the member of the payload that Pulsar orders and compacts by [Key]
//	format       a narrower meaning of a string or a number, such as date-time or int32 [Format]
//
// Each has a place, a [Pos], so that findings about it can point to it.
//
// # Findings
//
// A finding is a [Diagnostic]: a place, a rule, a message, and a hint that says what to do. The names of rules never
// change; the loader's are the constants that start with Rule. All findings of a run form a sorted set without
// duplicates, [Diagnostics]. If none of them is an error there is a catalog, and it is complete: every reference has a
// target, every schema has a kind, every value is valid.
//
// # How a catalog is read
//
// Package load is the entry point. It runs stages, each in its own package under internal, which use these terms:
//
//	node     a YAML value with its place; aliases and merge keys are resolved (source)
//	draft    a schema as it is written: its keywords are checked one by one, but allOf, oneOf and $ref are not
//	         understood yet (draft)
//	keyword  a key of a schema: one of JSON Schema that bqgen supports, or one of bqgen's own, such as x-go-name
//	root     a draft with a name: a type or a payload. References start in a root and lead to one
//	section  the named schemas of a file: its types, or its $defs
//	scope    where the references of a root start: its file, and the $defs of its payload (link)
//	group    all drafts that apply to one value: a schema, the entries of its allOf, the types that they refer to. It
//	         becomes one Schema (merge)
//	part     a draft in a group
//	claim    a value that the catalog calls valid: a default, an example, a const, an enum value
//	judge    an independent JSON Schema validator, which has the last word about claims and examples (judge)
//	doubt    a reason to believe that something is not what its author meant, because something about it was reported.
//	         It keeps later stages from reporting what only follows from the first finding; see package trust
//
// Bytes become nodes, nodes become drafts, drafts become schemas, and the judge checks the values. No stage uses a
// later one.
//
// # Related packages
//
//	load        reads a catalog
//	jsonschema  writes a Schema as JSON Schema
//	lint        checks a catalog against style rules
//	compat      compares two versions of a catalog for breaking changes
//	catfmt      formats a catalog
package schema
