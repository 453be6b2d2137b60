// Package draft reads payload schemas as they are written: nodes in, drafts out.
//
// A [Draft] is one schema of the file. Its keywords are read and checked one by one. It does not know what its allOf
// merges to, what its oneOf means or where its $ref leads. A [Root] is a draft with a name: a shared type, one of a
// payload's $defs, or the payload itself. Package link follows the $refs, package merge makes schemas of the drafts.
//
// There is one file a keyword, named after it:
//
//	type.go  title_description.go  deprecated.go  default_examples.go  passed_on.go
//	ref.go  defs.go  allof.go  oneof.go  x_unknown_branch.go
//	properties.go  required.go  additionalproperties.go  items.go  uniqueitems.go
//	enum.go  const.go  format.go  pattern.go
//	rule.go                        what no Go type can say: not, if, contains, patternProperties, and their like
//	min_max_counts.go              minProperties, maxProperties, minItems, maxItems, minLength, maxLength
//	minimum_maximum_multipleof.go  minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
//	x_go_name.go  x_go_type.go  x_gdpr_sensitive.go
//
// keywords.go has the table of all keywords and refuses others. What several drafts that hold for one value come to
// together is in the file of the same keyword in package merge.
package draft
