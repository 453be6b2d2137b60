// Package schema is the model of a catalog: what urns.yaml means, once it is read and checked.
//
// # The things of a catalog
//
// A catalog is the file urns.yaml, together with the files of its folder that it refers to. It describes the messages
// of some services: which there are, where they travel, and what they contain.
//
//	queue        a Pulsar topic that carries messages, with its number of attempts and its dead letter topic [Queue]
//	URN          a kind of message, such as urn:babel:orders:created; it travels on one queue [URN]
//	payload      the data of a message: a JSON object. The key data of a URN is its schema
//	schema       the shape of a payload or of a part of one; its Kind decides which fields count [Schema]
//	type         a schema with a name: under types for all URNs, or under the $defs of one payload [Type]
//	property     a member of an object, as declared [Property]
//	branch       one of the objects that a oneOf can be, told apart by the const of one property [Branch]
//	message key  the member of the payload that Pulsar orders and compacts by [Key]
//	format       a narrower meaning of a string or a number, such as date-time or int32 [Format]
//
// All of them have a place, a [Pos], so that everything that is said about them can be said where they stand.
//
// # Findings
//
// A finding is a [Diagnostic]: a place, a rule, a message, and a hint that says what to do. Rules have names that never
// change; those of the loader are the constants that start with Rule. Findings come as a set, [Diagnostics]: sorted,
// without duplicates, all of a run together. When none of them is an error there is a catalog, and it is complete:
// every reference leads somewhere, every schema has a kind, every value is valid.
//
// # How a catalog is read
//
// Package load is the way in. It runs stages, each in a package of its own under internal. The words of the stages:
//
//	node     a YAML value with its place; aliases and merge keys are resolved (source)
//	draft    a schema as it is written: its keywords are checked one by one, but allOf, oneOf and $ref are not
//	         understood yet (draft)
//	keyword  a key of a schema: those of JSON Schema that bqgen supports, and x-go-name and its like
//	root     a draft with a name: a type or a payload. References start in a root and lead to one
//	section  the named schemas of a file: its types, or its $defs
//	scope    where the references of a root start: its file, and the $defs of its payload (link)
//	group    all drafts that hold for one value: a schema, the entries of its allOf, the types those refer to. It becomes
//	         one Schema (merge)
//	part     a draft in a group
//	claim    a value that the catalog calls valid: a default, an example, a const, an enum value
//	judge    an independent JSON Schema validator, which has the last word about claims and examples (judge)
//	doubt    a reason why something is not what its author meant, since something about it was reported. It keeps stages
//	         from reporting what only follows from the first finding; package trust has the table
//
// Bytes become nodes, nodes become drafts, drafts become schemas, and the judge checks the values. No stage looks back.
//
// # Around it
//
//	load        reads a catalog
//	jsonschema  writes a Schema as JSON Schema
//	lint        looks for what is valid but discouraged
//	compat      compares two catalogs: what does a change break, and for whom
//	catfmt      formats a catalog
package schema
