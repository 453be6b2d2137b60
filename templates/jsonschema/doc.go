// Package jsonschema hands the payloads of a catalog to tools that speak JSON Schema 2020-12: for each URN a schema of the
// payload, and one of the payload in its envelope. Each stands alone.
package jsonschema
