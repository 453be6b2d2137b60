// Package docs contains the tests that keep README.md, CHANGELOG.md and the files in docs/ true:
//
//   - the tables of docs/architecture.md match the folders and imports of the code;
//   - Go snippets compile, against code generated from the catalog above them, and catalogs are valid;
//   - commands, flags, make targets and names of the runtime's packages exist;
//   - links and file names lead somewhere.
//
// A Go snippet that is not a complete file needs a setup: an HTML comment right before it, which a rendered page does
// not show. It contains a Go file in which the snippet replaces a line with three dots. Code generated from the nearest
// catalog before the snippet is imported as "orderevents", or whatever the catalog's package is called:
//
//	<!-- setup
//	package shop
//
//	import "orderevents"
//
//	func example(pubs *orderevents.Publishers) {
//		...
//	}
//	-->
package docs
