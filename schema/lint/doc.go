// Package lint looks for what is allowed in a catalog and still worth a second thought: a message without a summary,
// a number for money, personal data that is not marked as such.
//
// Rules are data: [Rules] lists them. A catalog gives them other levels in its lint section, and silences one for a
// line with a comment that says why:
//
//	# bqgen:ignore RULE reason
package lint
