// Package review checks a catalog the way a reviewer of a pull request does: against style rules, against an earlier
// version, and for its layout. It turns the results of the schema packages into reports.
package review
