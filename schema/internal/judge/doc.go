// Package judge asks JSON Schema for its opinion. An independent validator checks the catalog's schemas against the
// definition of JSON Schema and its values against the schemas, so that JSON Schema decides what a catalog means, and
// not the code that bqgen generates.
//
//	NewCompiler  the validator, set up the same for everyone: the loader, package compat, tests
//	Judge        the last stage of loading: claims and examples in, findings out
package judge
