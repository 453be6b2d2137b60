// Package importer turns schemas that others published, as JSON Schema or AsyncAPI, into a catalog.
//
// [JSONSchema] takes each schema for the payload of one message. [AsyncAPI] takes the channels, messages and operations
// of a document. Both run the same stages:
//
//	library    the files below a root: reads them, and finds what $ref, $id and anchors lead to
//	translator schemas of any draft -> shapes, the schemas of the catalog to be; a schema that is referred to is a typ
//	share      equal types become one
//	settle     loads the catalog, and takes away what the loader refuses, until it accepts the rest
//	tree       the catalog -> text: one line a keyword for settle, blocks of YAML for people
//
// What a catalog can express grows with bqgen, so there are two places that know it. The table in keywords.go says of
// every keyword whether it is carried over. What is carried and the loader still refuses is taken away by settle, and
// reported with the loader's reason.
//
// Taking away a keyword must never make a value invalid that was valid. Where it would, as inside a not, the keyword
// around it goes as well; see [catalog.loosen].
//
// Everything that is read is hostile: no file outside of the root is read, nothing comes from the network, and sizes,
// depths and numbers are bounded.
package importer
