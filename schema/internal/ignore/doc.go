// Package ignore applies the comments of a catalog that silence a rule, for lint and for breaking changes alike:
//
//	# bqgen:ignore RULE [of=NAME] [until=YYYY-MM-DD] reason
//
// A comment is for one line and one rule. Of names the thing that is gone, when the rule is about a removal: its line
// is that of what used to be around it, and other things may be removed from there. Until is the last day, in UTC, on
// which the comment counts.
package ignore
