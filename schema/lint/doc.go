// Package lint checks a catalog against style rules: it finds what is valid but discouraged, such as a message without
// a summary, a floating-point number for money, or personal data that is not marked.
//
// [Rules] lists the rules. The lint section of a catalog sets their levels, and a comment ignores a rule for one line:
//
//	# bqgen:ignore RULE [until=YYYY-MM-DD] reason
package lint
