// Package jsonschema exports the payloads of a catalog as JSON Schema 2020-12.
//
// In: a loaded catalog. Out: the files of a folder, two for each URN: the schema of the payload, and the schema of the
// whole message, which is the payload in its envelope. Each file stands alone: it refers to no other. [Kind] tells
// these files from others when they are written.
package jsonschema
