// Package console writes what bqgen prints. Everything goes through a [Writer], which leaves nothing in it that a
// terminal or the log of a CI system takes for a command: catalogs, file names and messages of git come from strangers.
package console
