// Package gonames decides what the things of a catalog are called in Go: identifiers and file names. Whoever writes Go
// code or writes about it takes the names from here; nobody derives one a second time.
//
// # Vocabulary
//
//   - A preferred name is derived from a name in the catalog by its words, or set there by name: or x-go-name.
//   - An owner is a URN, a shared type or a queue. Everything named after it belongs to it.
//   - A scope is the set of names that must differ, each with its owner: the package's identifiers, the files.
//   - To claim a name is to enter it into a scope. A collision, two owners that prefer one name, is a finding.
//
// # Rules
//
// Separators and changes of case end a word, initialisms keep their case (user_ids becomes UserIDs, identity Identity),
// other symbols are spelled out (C++ becomes CPlusPlus), a name without letters is spelled completely, and one that
// would not start with an upper-case letter gets the prefix X. Names set in the catalog are taken as they are or
// refused.
//
// Adding a URN, a type or a queue never renames what another one owns: of two owners that prefer one name the second in
// the file gets a finding, and its author picks another name. Within one owner, whose names have one author, the first
// in the file keeps the name and later ones get a number. Types in the $defs of a URN are named after the URN.
package gonames
