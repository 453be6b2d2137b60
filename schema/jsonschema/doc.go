// Package jsonschema writes a [schema.Schema] as JSON Schema 2020-12. It is the only place that knows how.
//
// The loader has the catalog's schemas and values checked by a JSON Schema validator in this form, package compat finds
// out what a change breaks with it, and the exports show payloads to other tools. It knows nothing of files and
// envelopes: templates/jsonschema and templates/asyncapi put together the files that `bqgen export` writes.
package jsonschema
