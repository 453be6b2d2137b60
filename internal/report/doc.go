// Package report prints the findings of all commands: as text for people, as JSON for scripts, as annotations for
// GitHub and as SARIF for code scanning. A finding is a [schema.Diagnostic]; this package decides only how it looks.
//
// SARIF is written by hand: the little that is needed of it is a few structs, which a test checks against the format's
// own schema. A library would bring the whole of SARIF and types for all of it.
package report
