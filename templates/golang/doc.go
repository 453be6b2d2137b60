// Package golang turns a catalog into Go code: a typed publisher and a typed handler interface for each URN.
//
// It works in three steps. The plan decides every name, type, file name and comment in one pass over the whole
// catalog; what it makes is the small model of Go in ir.go. The emitter writes that model down with jennifer and
// decides nothing. The formatter groups the imports and applies gofmt. So a wrong name has one home, the plan, and there
// one table, [scope].
//
// # Names
//
// A name in the catalog becomes a Go name by its words: separators and changes of case end a word, initialisms keep
// their case (user_ids gives UserIDs, identity gives Identity), other symbols are spelled out (C++ gives CPlusPlus),
// what has no letters at all is spelled completely, and a name that would not start with an upper-case letter gets an X in
// front. name: and x-go-name in the catalog are taken as they are or refused.
//
// Adding a URN, a type or a queue never renames what another one has: when two of them want one name, the second in
// the file is refused and its author picks another. Inside of one URN or type, where all names are its author's, the
// first in the file keeps the name and later ones get a number; the types of a URN's own $defs are named after the URN.
package golang
