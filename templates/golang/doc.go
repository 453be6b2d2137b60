// Package golang turns a catalog into Go code: a typed publisher and a typed handler interface for each URN.
//
// It works in three steps. The plan decides every type, comment, check and file in one pass over the catalog, with
// names from package gonames. What it makes is the small model of Go code in ir.go, ir_decl.go and ir_typ.go. The
// emitter writes that model down with jennifer and decides nothing. The formatter groups the imports and applies
// gofmt.
//
// A URN becomes two files. People review the first: types with the limits of the schema in their comments, handler,
// route and definition. The second encodes, decodes and validates; its code is as plain as a compiler likes it, since a
// codec that interprets tables is slower. Shared types become two files in the same way.
package golang
