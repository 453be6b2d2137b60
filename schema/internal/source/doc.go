// Package source turns the text of catalog files into nodes: YAML values with their places, in which anchors, aliases,
// merge keys and duplicate keys are dealt with.
//
//	Reader   the stage: bytes of a file -> Node. It counts what is limited over all files of a catalog
//	Node     a value with its place; Pair is a member of a mapping
//	Expect   takes a value of an expected shape from a node, and reports any other
//	Reporter where every stage reports its findings; Findings keeps them
//	Places   finds keys, and ends of values, by their place
//	Outline  the layout of a file as its author wrote it, for the formatter
//
// Only yaml.go knows the YAML library.
package source
