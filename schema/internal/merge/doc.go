// Package merge makes schemas of drafts.
//
// A value must obey a schema, all entries of its allOf, and all types that those refer to. These drafts are a
// [group]. A group becomes one schema.Schema, and the order of its drafts makes no difference. A draft in a group is a
// part, or a reference to a type. A group with nothing but references to one type becomes a reference; in any other
// group, types are written out: their drafts replace the references.
//
//	Merger   the stage: draft.Root -> Root.Schema
//	Result   what the stages behind it need to know: claims, and doubts about schemas
//	Claim    a value that the catalog calls valid: a default, an example, a const, an enum value
//
// merger.go makes schemas of all roots and then checks what needs all of them. schema.go makes one schema, group.go
// collects its drafts, refs.go writes types out. What the parts of a group come to together is in one file a keyword:
//
//	type.go  enum_const.go  format.go  pattern_length.go  bounds.go  multipleof.go
//	object.go  properties.go  required.go  additionalproperties.go  array.go
//	oneof.go  oneof_null.go  oneof_discriminator.go
//	rules.go (what no Go type can say stays JSON Schema)
//	annotations.go (title, description, deprecated, x-gdpr-sensitive, x-go-name, x-go-type)  default_examples.go
//	cycles.go  finite.go  gonames.go
package merge
