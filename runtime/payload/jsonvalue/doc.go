// Package jsonvalue checks JSON values against those parts of a schema for which Go has no type: not, contains,
// if/then/else, a oneOf whose branches nothing tells apart. It is for code that bqgen generates, and only for catalogs
// with such parts: a program that does not import it does not carry the JSON Schema validator.
package jsonvalue
